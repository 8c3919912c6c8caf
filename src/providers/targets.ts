import type { Cms } from '../publishing/cms.ts'
import type { Connection, ConnectionForm, ConnectionForms, TargetFactory } from '../publishing/port.ts'
import type { Deps } from '../runtime/ctx.ts'
import type { CmsMeans } from './cms/http.ts'
import { cmsTarget } from './cms/target.ts'
import { framerConnection } from './framer/connect.ts'
import { framerCms } from './framer/index.ts'
import { ghostConnection } from './ghost/connect.ts'
import { ghostCms } from './ghost/index.ts'
import { gohighlevelConnection } from './gohighlevel/connect.ts'
import { gohighlevelCms } from './gohighlevel/index.ts'
import { notionConnection } from './notion/connect.ts'
import { notionCms } from './notion/index.ts'
import { shopifyConnection } from './shopify/connect.ts'
import { shopifyCms } from './shopify/index.ts'
import { webflowConnection } from './webflow/connect.ts'
import { webflowCms } from './webflow/index.ts'
import { webhookForm } from './webhook/connect.ts'
import { webhookTarget } from './webhook/index.ts'
import { wixConnection } from './wix/connect.ts'
import { wixCms } from './wix/index.ts'
import { wordpressConnection } from './wordpress/connect.ts'
import { wordpressCms } from './wordpress/index.ts'

type Platform = { cms: (connection: Connection, means: CmsMeans) => Cms; form: ConnectionForm }

/** Every CMS: its adapter, and what connecting it takes. A new one is a folder beside these and one line here. */
const PLATFORMS: Readonly<Record<string, Platform>> = {
  wordpress: { cms: wordpressCms, form: wordpressConnection },
  webflow: { cms: webflowCms, form: webflowConnection },
  ghost: { cms: ghostCms, form: ghostConnection },
  wix: { cms: wixCms, form: wixConnection },
  gohighlevel: { cms: gohighlevelCms, form: gohighlevelConnection },
  notion: { cms: notionCms, form: notionConnection },
  framer: { cms: framerCms, form: framerConnection },
  shopify: { cms: shopifyCms, form: shopifyConnection },
}

/** Makes the adapter of a connection's platform. */
export const targetFactory = ({
  outbound,
  settings,
  now,
  wait,
}: Pick<Deps, 'outbound' | 'settings' | 'now' | 'wait'>): TargetFactory => {
  const { serviceName, retryTimeScale } = settings
  const means: CmsMeans = { outbound, now, serviceName, sleep: (ms) => wait(ms / retryTimeScale) }
  return (connection) => {
    if (connection.platform === 'webhook') return webhookTarget(connection, means)
    const platform = PLATFORMS[connection.platform]
    return platform && cmsTarget(platform.cms(connection, means), serviceName)
  }
}

/** What connecting each platform takes. */
export const connectionForms: ConnectionForms = {
  webhook: webhookForm,
  ...Object.fromEntries(Object.entries(PLATFORMS).map(([name, { form }]) => [name, form])),
}

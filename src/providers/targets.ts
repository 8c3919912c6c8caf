import type { ConnectionForm, ConnectionForms, TargetFactory } from '../publishing/target/publish-target.ts'
import type { Deps } from '../runtime/ctx.ts'
import { type CallTimeouts, type CmsAbility, type CmsBinding, COLD_CALL_TIMEOUT_MS, cmsClient } from './cms/client.ts'
import { cmsTarget } from './cms/target.ts'
import { framerConnection } from './framer/connect.ts'
import { ghostConnection } from './ghost/connect.ts'
import { gohighlevelConnection } from './gohighlevel/connect.ts'
import { notionConnection } from './notion/connect.ts'
import { shopifyConnection } from './shopify/connect.ts'
import { webflowConnection } from './webflow/connect.ts'
import { webhookForm } from './webhook/connect.ts'
import { webhookTarget } from './webhook/index.ts'
import { wixConnection } from './wix/connect.ts'
import { wordpressConnection } from './wordpress/connect.ts'

type Platform = { form: ConnectionForm; can: readonly CmsAbility[]; timeouts?: CallTimeouts }

const ALL: readonly CmsAbility[] = ['read', 'restore', 'hostImage']

/** Every CMS: what connecting it takes, and what its adapter in the CMS Worker can do besides publishing. */
export const PLATFORMS: Readonly<Record<string, Platform>> = {
  wordpress: { form: wordpressConnection, can: [...ALL, 'unpublish'] },
  webflow: { form: webflowConnection, can: [...ALL, 'unpublish'] },
  shopify: { form: shopifyConnection, can: [...ALL, 'unpublish'] },
  ghost: { form: ghostConnection, can: [...ALL, 'unpublish', 'linksCover'] },
  wix: { form: wixConnection, can: [...ALL, 'unpublish', 'takesImagesIn'] },
  notion: { form: notionConnection, can: ['read', 'restore', 'unpublish'] },
  gohighlevel: { form: gohighlevelConnection, can: ['unpublish', 'hostImage', 'linksCover'] },
  framer: { form: framerConnection, can: [...ALL, 'unpublish'], timeouts: COLD_CALL_TIMEOUT_MS },
}

/** Makes the target of a connection: a webhook is called from here, a CMS through the Worker that holds the adapters. */
export const targetFactory =
  ({ outbound, settings, now }: Pick<Deps, 'outbound' | 'settings' | 'now'>, cms: CmsBinding): TargetFactory =>
  (connection) => {
    const { serviceName } = settings
    if (connection.platform === 'webhook') return webhookTarget(connection, { outbound, serviceName, now })
    const platform = PLATFORMS[connection.platform]
    return platform && cmsTarget(cmsClient(cms, connection, platform.can, platform.timeouts), serviceName)
  }

/** What connecting each platform takes. */
export const connectionForms: ConnectionForms = {
  webhook: webhookForm,
  ...Object.fromEntries(Object.entries(PLATFORMS).map(([name, { form }]) => [name, form])),
}

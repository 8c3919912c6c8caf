import type { ConnectionForm, ConnectionForms, TargetFactory } from '../publishing/port.ts'
import type { Deps } from '../runtime/ctx.ts'
import { type CmsAbility, type CmsBinding, cmsClient } from './cms/client.ts'
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

type Platform = { form: ConnectionForm; can: readonly CmsAbility[] }

const ALL: readonly CmsAbility[] = ['read', 'restore', 'hostImage']

/** Every CMS: what connecting it takes, and what its adapter in the CMS Worker can do besides publishing. */
export const PLATFORMS: Readonly<Record<string, Platform>> = {
  wordpress: { form: wordpressConnection, can: ALL },
  webflow: { form: webflowConnection, can: ALL },
  shopify: { form: shopifyConnection, can: ['read', 'restore'] },
  ghost: { form: ghostConnection, can: ALL },
  wix: { form: wixConnection, can: ALL },
  notion: { form: notionConnection, can: ['read', 'restore'] },
  gohighlevel: { form: gohighlevelConnection, can: ['hostImage'] },
  framer: { form: framerConnection, can: ALL },
}

/** Makes the target of a connection: a webhook is called from here, a CMS through the Worker that holds the adapters. */
export const targetFactory =
  ({ outbound, settings, now }: Pick<Deps, 'outbound' | 'settings' | 'now'>, cms: CmsBinding): TargetFactory =>
  (connection) => {
    const { serviceName } = settings
    if (connection.platform === 'webhook') return webhookTarget(connection, { outbound, serviceName, now })
    const platform = PLATFORMS[connection.platform]
    return platform && cmsTarget(cmsClient(cms, connection, platform.can), serviceName)
  }

/** What connecting each platform takes. */
export const connectionForms: ConnectionForms = {
  webhook: webhookForm,
  ...Object.fromEntries(Object.entries(PLATFORMS).map(([name, { form }]) => [name, form])),
}

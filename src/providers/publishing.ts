import type { CmsPlatform, PublishingPlatform } from '../../schema/values/publishing.ts'
import type { Deps } from '../platform/runtime/ctx.ts'
import type { ConnectionForms, TargetFactory } from '../publishing/target/publish-target.ts'
import { type CallTimeouts, type CmsAbility, type CmsBinding, COLD_CALL_TIMEOUT_MS, cmsClient } from './cms/client.ts'
import { framerConnection } from './cms/framer/connect.ts'
import { ghostConnection } from './cms/ghost/connect.ts'
import { notionConnection } from './cms/notion/connect.ts'
import { cmsTarget } from './cms/posts.ts'
import { shopifyConnection } from './cms/shopify/connect.ts'
import { webflowConnection } from './cms/webflow/connect.ts'
import { webhookForm, webhookTarget } from './cms/webhook/index.ts'
import { wixConnection } from './cms/wix/connect.ts'
import { wordpressConnection } from './cms/wordpress/connect.ts'
import { gohighlevelConnection } from './gohighlevel/connect.ts'

/** Connection forms by platform. */
export const connectionForms: ConnectionForms = {
  webhook: webhookForm,
  wordpress: wordpressConnection,
  webflow: webflowConnection,
  shopify: shopifyConnection,
  ghost: ghostConnection,
  wix: wixConnection,
  notion: notionConnection,
  gohighlevel: gohighlevelConnection,
  framer: framerConnection,
} satisfies Record<PublishingPlatform, ConnectionForms[string]>

type Platform = { can: readonly CmsAbility[]; timeouts?: CallTimeouts }

const ALL: readonly CmsAbility[] = ['read', 'restore', 'hostImage']

/** Abilities and time limits of every CMS's adapter in the CMS Worker. */
export const PLATFORMS: Readonly<Record<string, Platform>> = {
  wordpress: { can: [...ALL, 'unpublish', 'posts'] },
  webflow: { can: [...ALL, 'unpublish'] },
  shopify: { can: [...ALL, 'unpublish', 'posts'] },
  ghost: { can: [...ALL, 'unpublish', 'linksCover', 'posts'] },
  wix: { can: [...ALL, 'unpublish', 'importsImages'] },
  notion: { can: ['read', 'restore', 'unpublish'] },
  gohighlevel: { can: ['unpublish', 'hostImage', 'linksCover'] },
  framer: { can: [...ALL, 'unpublish'], timeouts: COLD_CALL_TIMEOUT_MS },
} satisfies Record<CmsPlatform, Platform>

/** Returns the factory of publishing targets. A webhook is called directly, a CMS through the Worker with the adapters. */
export const targetFactory =
  ({ outbound, settings, now }: Pick<Deps, 'outbound' | 'settings' | 'now'>, cms: CmsBinding): TargetFactory =>
  (connection) => {
    const { serviceName } = settings
    if (connection.platform === 'webhook') return webhookTarget(connection, { outbound, serviceName, now })
    const platform = PLATFORMS[connection.platform]
    return platform && cmsTarget(cmsClient(cms, connection, platform.can, platform.timeouts), serviceName)
  }

import type { CmsPlatform } from '../../schema/values/publishing.ts'
import type { Deps } from '../platform/runtime/ctx.ts'
import type { TargetFactory } from '../publishing/target/publish-target.ts'
import { type CallTimeouts, type CmsAbility, type CmsBinding, COLD_CALL_TIMEOUT_MS, cmsClient } from './cms/client.ts'
import { cmsTarget } from './cms/target.ts'
import { webhookTarget } from './cms/webhook/index.ts'

type Platform = { can: readonly CmsAbility[]; timeouts?: CallTimeouts }

const ALL: readonly CmsAbility[] = ['read', 'restore', 'hostImage']

/** Every CMS: what its adapter in the CMS Worker can do besides publishing. */
export const PLATFORMS: Readonly<Record<string, Platform>> = {
  wordpress: { can: [...ALL, 'unpublish'] },
  webflow: { can: [...ALL, 'unpublish'] },
  shopify: { can: [...ALL, 'unpublish'] },
  ghost: { can: [...ALL, 'unpublish', 'linksCover'] },
  wix: { can: [...ALL, 'unpublish', 'importsImages'] },
  notion: { can: ['read', 'restore', 'unpublish'] },
  gohighlevel: { can: ['unpublish', 'hostImage', 'linksCover'] },
  framer: { can: [...ALL, 'unpublish'], timeouts: COLD_CALL_TIMEOUT_MS },
} satisfies Record<CmsPlatform, Platform>

/** Makes the target of a connection: a webhook is called from here, a CMS through the Worker that holds the adapters. */
export const targetFactory =
  ({ outbound, settings, now }: Pick<Deps, 'outbound' | 'settings' | 'now'>, cms: CmsBinding): TargetFactory =>
  (connection) => {
    const { serviceName } = settings
    if (connection.platform === 'webhook') return webhookTarget(connection, { outbound, serviceName, now })
    const platform = PLATFORMS[connection.platform]
    return platform && cmsTarget(cmsClient(cms, connection, platform.can, platform.timeouts), serviceName)
  }

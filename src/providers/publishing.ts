import type { CmsPlatform, PublishingPlatform } from '../../schema/values/publishing.ts'
import type { MainContent } from '../insights/suggestions/live-edits.ts'
import type { Deps } from '../platform/runtime/ctx.ts'
import type { Connection, ConnectionForms, TargetFactory } from '../publishing/target/publish-target.ts'
import { type CallTimeouts, type CmsAbility, type CmsBinding, COLD_CALL_TIMEOUT_MS, cmsClient } from './cms/client.ts'
import { directusConnection } from './cms/directus/connect.ts'
import { framerConnection } from './cms/framer/connect.ts'
import { ghostConnection } from './cms/ghost/connect.ts'
import { gitConnection } from './cms/git/connect.ts'
import { notionConnection } from './cms/notion/connect.ts'
import { cmsTarget } from './cms/posts.ts'
import { shopifyConnection } from './cms/shopify/connect.ts'
import { strapiConnection } from './cms/strapi/connect.ts'
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
  directus: directusConnection,
  strapi: strapiConnection,
  wix: wixConnection,
  notion: notionConnection,
  gohighlevel: gohighlevelConnection,
  framer: framerConnection,
  git: gitConnection,
} satisfies Record<PublishingPlatform, ConnectionForms[string]>

/** Columns of the table of abilities, in order. */
export const DEEDS = ['publish', 'update', 'takeDown', 'rename', 'pictures', 'drafts', 'readBack', 'adopt'] as const
export type Deed = (typeof DEEDS)[number]

/** Abilities of a platform's adapter, and its time limits. `does` has the words for what `can` alone does not say. */
export type Platform = {
  can: readonly CmsAbility[]
  timeouts?: CallTimeouts
  does?: Readonly<Partial<Record<Deed, string>>>
}

const ALL: readonly CmsAbility[] = ['read', 'restore', 'hostImage']

/** Abilities and time limits of every CMS's adapter in the CMS Worker. */
export const PLATFORMS: Readonly<Record<string, Platform>> = {
  wordpress: { can: [...ALL, 'unpublish', 'posts', 'schema', 'traffic', 'placeKey'] },
  webflow: { can: [...ALL, 'unpublish', 'posts', 'schema'] },
  shopify: { can: [...ALL, 'unpublish', 'posts', 'schema'] },
  ghost: { can: [...ALL, 'unpublish', 'linksCover', 'posts'] },
  directus: { can: [...ALL, 'unpublish', 'schema'] },
  strapi: { can: [...ALL, 'unpublish', 'schema'], does: { takeDown: 'with an admin token' } },
  wix: { can: [...ALL, 'unpublish', 'importsImages', 'posts'] },
  notion: { can: ['read', 'restore', 'unpublish', 'posts'], does: { publish: 'if the page is on the web' } },
  gohighlevel: { can: ['unpublish', 'hostImage', 'linksCover'] },
  framer: {
    can: [...ALL, 'unpublish', 'posts'],
    timeouts: COLD_CALL_TIMEOUT_MS,
    does: { publish: 'with the site’s next publication', takeDown: 'with the site’s next publication' },
  },
  git: {
    can: ['read', 'restore', 'unpublish', 'posts', 'merge', 'build', 'placeKey'],
    does: { publish: 'when your host has built the site', drafts: 'if the posts have a draft key' },
  },
} satisfies Record<CmsPlatform, Platform>

/** A webhook has no adapter: what happens with an article is up to its receiver. */
export const WEBHOOK: Platform = {
  can: [],
  does: { publish: 'your receiver', update: 'your receiver', drafts: 'your receiver', adopt: 'by the address' },
}

/** Returns the abilities of a connection, whose changes may go to pull requests. */
const abilitiesOf = ({ can }: Platform, { secrets }: Connection): readonly CmsAbility[] =>
  secrets.mode === 'pull_request' ? [...can, 'pulls'] : can

/**
 * Returns the factory of publishing targets. A webhook is called directly, a CMS through the Worker with the adapters.
 *
 * `mainContent` reads the text of pages, for posts of webhook sites that are adopted.
 */
export const targetFactory =
  (
    { outbound, settings, now }: Pick<Deps, 'outbound' | 'settings' | 'now'>,
    cms: CmsBinding,
    mainContent?: MainContent,
  ): TargetFactory =>
  (connection) => {
    const { serviceName } = settings
    if (connection.platform === 'webhook') return webhookTarget(connection, { outbound, serviceName, now, mainContent })
    const platform = PLATFORMS[connection.platform]
    return (
      platform &&
      cmsTarget(cmsClient(cms, connection, abilitiesOf(platform, connection), platform.timeouts), serviceName)
    )
  }

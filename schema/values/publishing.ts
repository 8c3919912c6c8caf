/** Platforms of integrations. A project has at most one active publishing target, its home; followers get copies. */
export const PUBLISHING_PLATFORMS = [
  'wordpress',
  'webflow',
  'shopify',
  'ghost',
  'directus',
  'strapi',
  'wix',
  'notion',
  'gohighlevel',
  'framer',
  'git',
  'webhook',
] as const
/** `Active`: the home of the project's articles. `Following`: it gets a copy of each, once readers see it at the home. */
export const INTEGRATION_STATUSES = ['Active', 'Following', 'Disconnected'] as const
/** Statuses of connections that are no publishing targets. */
export const CONNECTION_STATUSES = ['Active', 'Disconnected'] as const
/** Statuses of an integration that articles are sent to. */
export const CONNECTED_STATUSES = ['Active', 'Following'] as const satisfies (typeof INTEGRATION_STATUSES)[number][]
export const EVENT_TYPES = ['publish_articles', 'update_articles'] as const
export const DELIVERY_STATUSES = [
  'sending',
  'retrying',
  'unknown',
  'awaiting_merge',
  'delivered',
  'unclear',
  'failed',
  'superseded',
] as const
/** Statuses of a delivery that has not ended. */
export const OPEN_DELIVERY_STATUSES = [
  'sending',
  'retrying',
  'unknown',
  'awaiting_merge',
] as const satisfies DeliveryStatus[]
/** Statuses of a delivery that its target accepted. After `unclear` a person has to look. */
export const ARRIVED_STATUSES = ['delivered', 'unclear'] as const satisfies DeliveryStatus[]
/** Changes of a live post that have a record until they succeed. A sync has its delivery. */
export const LIVE_CHANGES = ['rollback', 'unpublish'] as const
/** States of the copy of an article at a follower. */
export const COPY_STATES = ['waiting', 'sending', 'retrying', 'unknown', 'published', 'failed', 'removed'] as const
/** Wishes for a copy: as its article is at the home, or not public. */
export const COPY_WISHES = ['live', 'down'] as const
export const ATTEMPT_STATUSES = [
  'sending',
  'delivered',
  'unclear',
  'retrying',
  'unknown',
  'awaiting_merge',
  'failed',
] as const

export type PublishingPlatform = (typeof PUBLISHING_PLATFORMS)[number]
/** Every target except the webhook: a CMS with an adapter. */
export type CmsPlatform = Exclude<PublishingPlatform, 'webhook'>

/** Names of publishing targets as people read them. */
export const TARGET_NAMES: Readonly<Record<PublishingPlatform, string>> = {
  wordpress: 'WordPress',
  webflow: 'Webflow',
  shopify: 'Shopify',
  ghost: 'Ghost',
  directus: 'Directus',
  strapi: 'Strapi',
  wix: 'Wix',
  notion: 'Notion',
  gohighlevel: 'GoHighLevel',
  framer: 'Framer',
  git: 'Git repository',
  webhook: 'Webhook',
}

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]
/** Status of a delivery that its target accepted. */
export type ArrivedStatus = (typeof ARRIVED_STATUSES)[number]
export type CopyState = (typeof COPY_STATES)[number]
export type LiveChangeKind = (typeof LIVE_CHANGES)[number]
export type EventType = (typeof EVENT_TYPES)[number]

/** True for the status of a delivery that has not ended. */
export const isOpenStatus = (status: DeliveryStatus): boolean => OPEN_DELIVERY_STATUSES.some((open) => open === status)

/** True for the status of a delivery that its target accepted. */
export const isArrived = (status: DeliveryStatus): status is ArrivedStatus =>
  ARRIVED_STATUSES.some((arrived) => arrived === status)

import { KEY_PROVIDERS, type KeyProvider } from '../../../schema/values/keywords.ts'
import { PUBLISHING_PLATFORMS, type PublishingPlatform } from '../../../schema/values/publishing.ts'
import { SOCIAL_PLATFORMS, type SocialPlatform } from '../../../schema/values/social.ts'
import { NETWORKS, PLATFORM_ALIASES } from '../../reach/social/rules.ts'

export const CATEGORIES = ['blog', 'social', 'ads', 'analytics', 'developer', 'lab'] as const

/**
 * Page on which an entry is connected: publishing targets, search data, social accounts, or API keys for keyword data.
 */
export type Place = 'target' | 'search' | 'social' | 'keys'

export type Entry = { key: string; name: string; category: (typeof CATEGORIES)[number]; place: Place }

/** Names of publishing targets as people read them. */
export const TARGET_NAMES: Readonly<Record<PublishingPlatform, string>> = {
  wordpress: 'WordPress',
  webflow: 'Webflow',
  shopify: 'Shopify',
  ghost: 'Ghost',
  wix: 'Wix',
  notion: 'Notion',
  gohighlevel: 'GoHighLevel',
  framer: 'Framer',
  webhook: 'Webhook',
}

const KEY_NAMES: Record<KeyProvider, string> = { dataforseo: 'DataForSEO', ahrefs: 'Ahrefs' }

/** Everything that can be connected to a project. */
export const ENTRIES: readonly Entry[] = [
  ...PUBLISHING_PLATFORMS.map(
    (key): Entry => ({
      key,
      name: TARGET_NAMES[key],
      category: key === 'webhook' ? 'developer' : 'blog',
      place: 'target',
    }),
  ),
  ...SOCIAL_PLATFORMS.map((key): Entry => ({ key, name: NETWORKS[key].name, category: 'social', place: 'social' })),
  { key: 'search_console', name: 'Google Search Console', category: 'analytics', place: 'search' },
  ...KEY_PROVIDERS.map((key): Entry => ({ key, name: KEY_NAMES[key], category: 'analytics', place: 'keys' })),
]

/** Other names that callers may use for entries. */
const ALIASES: Readonly<Record<string, string>> = {
  ...(PLATFORM_ALIASES satisfies Readonly<Record<string, SocialPlatform>>),
  google_search_console: 'search_console',
  gsc: 'search_console',
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Returns the entry for a key or name, ignoring case, blanks and punctuation; undefined if there is none. */
export const entryNamed = (given: string): Entry | undefined => {
  const wanted = plain(given)
  const alias = Object.keys(ALIASES).find((name) => plain(name) === wanted)
  const key = alias === undefined ? undefined : ALIASES[alias]
  return ENTRIES.find((entry) => entry.key === key || plain(entry.key) === wanted || plain(entry.name) === wanted)
}

import { type MediaFile, SOCIAL_PLATFORMS, type SocialPlatform } from '../../../schema/values/social.ts'
import { containsLink, linksIn } from '../../platform/lib/links.ts'
import { graphemesOf } from '../../platform/lib/text.ts'

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u
/** Characters that a link counts at X, whatever its length. */
const LINK_WEIGHT = 23

/** True if X counts a code point once. It counts all others twice (twitter-text, configuration v3). */
const isLight = (point: number): boolean =>
  point <= 4_351 ||
  (point >= 8_192 && point <= 8_205) ||
  (point >= 8_208 && point <= 8_223) ||
  (point >= 8_242 && point <= 8_247)

const weightOf = (text: string): number => {
  let weight = 0
  for (const one of graphemesOf(text.normalize('NFC')))
    if (EMOJI.test(one)) weight += 2
    else for (const character of one) weight += isLight(character.codePointAt(0) ?? 0) ? 1 : 2
  return weight
}

/**
 * Returns the length of a text at X (twitter-text, configuration v3).
 *
 * Links count 23. Emoji and letters of wide scripts count 2.
 */
export const weightedLength = (text: string): number => {
  let weight = 0
  let from = 0
  for (const { start, end } of linksIn(text)) {
    weight += weightOf(text.slice(from, start)) + LINK_WEIGHT
    from = end
  }
  return weight + weightOf(text.slice(from))
}

/** Returns the length of a text in code points. */
const pointsOf = (text: string): number => {
  let points = 0
  for (const _ of text) points += 1
  return points
}

/** Returns the length of a text in bytes of UTF-8. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Returns the length of a text in UTF-16 units. */
const unitsOf = (text: string): number => text.length

type Network = {
  name: string
  limit: number
  /** Limit of a text below a picture or video. */
  caption?: number
  /** Returns the length of a text as the network counts it. */
  count: (text: string) => number
  maxBytes?: number
  /** Set if every post needs a picture or video. */
  needsMedia?: true
  /** Set if the link has a field of its own beside the text. */
  linkApart?: true
  maxMedia?: number
}

const graphemes = (text: string): number => graphemesOf(text).length

/**
 * Limits of every network: the length of a text, and how it is counted there.
 *
 * Sources:
 * - X: twitter-text configuration v3
 * - Bluesky: lexicon app.bsky.feed.post (`maxGraphemes`, `maxLength` in bytes)
 * - Threads: Threads API "Posts" (bytes of UTF-8)
 * - Telegram: Bot API `sendMessage` (UTF-16 units, as its entities)
 * - The others name characters, which are code points here.
 */
export const NETWORKS: Readonly<Record<SocialPlatform, Network>> = {
  x: { name: 'X', limit: 280, count: weightedLength, maxMedia: 4 },
  linkedin: { name: 'LinkedIn', limit: 3_000, count: pointsOf, maxMedia: 20 },
  facebook: { name: 'Facebook', limit: 63_206, count: pointsOf, maxMedia: 10 },
  instagram: { name: 'Instagram', limit: 2_200, count: pointsOf, needsMedia: true, maxMedia: 10 },
  threads: { name: 'Threads', limit: 500, count: bytesOf, maxMedia: 10 },
  bluesky: {
    name: 'Bluesky',
    limit: 300,
    count: graphemes,
    maxBytes: 3_000,
    maxMedia: 4,
  },
  reddit: { name: 'Reddit', limit: 40_000, count: pointsOf, maxMedia: 20 },
  tiktok: { name: 'TikTok', limit: 2_200, count: pointsOf, needsMedia: true, maxMedia: 35 },
  youtube: { name: 'YouTube', limit: 5_000, count: pointsOf, needsMedia: true, maxMedia: 1 },
  pinterest: { name: 'Pinterest', limit: 500, count: pointsOf, needsMedia: true, linkApart: true, maxMedia: 5 },
  telegram: { name: 'Telegram', limit: 4_096, caption: 1_024, count: unitsOf, maxMedia: 10 },
  snapchat: { name: 'Snapchat', limit: 160, count: pointsOf, needsMedia: true, maxMedia: 1 },
  googlebusiness: { name: 'Google Business', limit: 1_500, count: pointsOf, linkApart: true, maxMedia: 1 },
}

/** Other names of networks that callers may use. */
export const PLATFORM_ALIASES: Readonly<Record<string, SocialPlatform>> = {
  twitter: 'x',
  google_business: 'googlebusiness',
}

type Draft = { content: string; link: string | null; media: readonly MediaFile[] }

/** Returns the text that goes out. The link is added if the network has no field for it and the text does not contain it. */
export const outgoingText = (platform: SocialPlatform, { content, link }: Pick<Draft, 'content' | 'link'>): string => {
  if (link === null || NETWORKS[platform].linkApart || containsLink(content, link)) return content
  return content.trim() === '' ? link : `${content}\n\n${link}`
}

/** Returns the reason why a post does not fit its network, as a sentence; undefined if it fits. */
export const misfit = (platform: SocialPlatform, draft: Draft): string | undefined => {
  const network = NETWORKS[platform]
  const text = outgoingText(platform, draft)
  const limit = draft.media.length > 0 ? (network.caption ?? network.limit) : network.limit
  const count = network.count(text)
  const unit = network.count === bytesOf ? 'bytes' : 'characters'
  const linkNote = text === draft.content ? '' : ' with its link'
  if (count > limit) return `is too long for ${network.name}${linkNote}: ${count} of ${limit} ${unit}`
  const bytes = network.maxBytes === undefined ? 0 : bytesOf(text)
  if (network.maxBytes !== undefined && bytes > network.maxBytes)
    return `is too long for ${network.name}${linkNote}: ${bytes} of ${network.maxBytes} bytes`
  if (text.trim() === '' && draft.media.length === 0)
    return `is empty: ${network.name} accepts no post without text or media`
  return undefined
}

/** Returns the fault of a post's files for its network, as a sentence; undefined if they fit. */
export const mediaMisfit = (platform: SocialPlatform, media: readonly MediaFile[]): string | undefined => {
  const { name, needsMedia, maxMedia = 10 } = NETWORKS[platform]
  if (needsMedia && media.length === 0) return `are required: ${name} accepts no post without a picture or video`
  if (media.length > maxMedia) return `are too many for ${name}: ${media.length} of ${maxMedia}`
  if (platform === 'youtube' && media.some(({ type }) => type !== 'video'))
    return `must be a video: ${name} accepts no pictures`
  if (platform === 'googlebusiness' && media.some(({ type }) => type === 'video'))
    return `must be a picture: ${name} accepts no videos`
  return undefined
}

/** Returns the number of characters that a network leaves for words before a link. */
export const lengthBesideLink = (platform: SocialPlatform, link: string): number => {
  const { limit, caption, count } = NETWORKS[platform]
  const beside = outgoingText(platform, { content: 'x', link })
  return Math.max(1, (caption ?? limit) - count(beside) + 1)
}

/** Returns the longest beginning of a text that fits a network with its link, cut at a word. */
export const fittingText = (platform: SocialPlatform, content: string, link: string | null): string => {
  const fits = (text: string) => misfit(platform, { content: text, link, media: [] }) === undefined
  if (fits(content)) return content
  const parts = graphemesOf(content)
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(`${parts.slice(0, middle).join('').trimEnd()}…`)) low = middle
    else high = middle - 1
  }
  const blank = parts.slice(0, low).findLastIndex((part) => part.trim() === '')
  const end = blank > low / 2 ? blank : low
  return `${parts.slice(0, end).join('').trimEnd()}…`
}

/** Delays before the second, third and fourth attempt, seconds. */
const RETRY_AFTER_S = [30, 120, 480] as const
/** Delays between look-ups, seconds. The last one is repeated. */
const LOOK_UP_AFTER_S = [10, 20, 40, 60, 120, 300, 600, 1_800] as const
/** Most look-ups without a result. After them, the outcome of the post stays unknown. */
export const MAX_LOOKUPS = 30
/** Lease of one attempt on a post, ms: several calls of 20 s each, and files. Shorter than the lease of a run. */
export const LEASE_MS = 110_000

type Chance = { now: Date; scale: number }

/** Returns the time of the next attempt; undefined after the last. A delay (s) that the network gave is used instead. */
export const nextAttemptAt = (attempts: number, { now, scale }: Chance, retryAfterS?: number): Date | undefined => {
  const wait = RETRY_AFTER_S[attempts - 1]
  if (wait === undefined) return undefined
  return new Date(now.getTime() + (retryAfterS === undefined ? wait / scale : retryAfterS) * 1_000)
}

/** Returns the time of the next look-up, after a number of look-ups without a result. */
export const nextLookUpAt = (lookups: number, { now, scale }: Chance): Date =>
  new Date(now.getTime() + ((LOOK_UP_AFTER_S[lookups] ?? 1_800) / scale) * 1_000)

/** Returns the network with a name, or another name; undefined if there is none. */
export const networkOf = (given: string): SocialPlatform | undefined => {
  const name = given.trim().toLowerCase()
  if (Object.hasOwn(PLATFORM_ALIASES, name)) return PLATFORM_ALIASES[name]
  return SOCIAL_PLATFORMS.find((platform) => platform === name)
}

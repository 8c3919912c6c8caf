import { and, eq, gt, sql } from 'drizzle-orm'
import { videoQuota, videoSearches } from '../../../schema/media.ts'
import type { Db } from '../../platform/db/client.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { oneLine } from '../../platform/lib/foreign-data.ts'
import { isStopWord } from '../../platform/lib/stop-words.ts'
import { clip } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Illustrations, WritingBrief } from '../articles/writing-brief.ts'
import { readEvents } from '../html/events.ts'
import { isVideoId, playerOf, withPlayers } from '../html/players.ts'
import { escapeAttribute } from '../html/references.ts'
import { applyEdits, type Edit } from '../html/tags.ts'
import { parseFragment, textOf } from '../html/tree.ts'
import { type HostedImage, storeImage } from '../media/store.ts'
import { fold, tokensOf } from '../seo/words.ts'
import type { Pictures, VideoOffer, VideoSearch } from './port.ts'
import { languageTagOf } from './rules.ts'

/** Hosted picture with its alternative text. */
export type Placed = { url: string; width: number; height: number; alt: string }

/** Most sections with a picture. Later ones have none. */
const MAX_SECTIONS = 6
const MAX_ALT = 300

/** Heading of a section: its text, its start, and its end. */
type Section = { heading: string; start: number; end: number }

/** Returns the article's h2 sections, with the place after each heading. */
const sectionsIn = (html: string): Section[] => {
  const sections: Section[] = []
  let [start, from] = [-1, -1]
  for (const event of readEvents(html)) {
    if (event.kind === 'open' && event.tag.name === 'h2') [start, from] = [event.tag.start, event.tag.end]
    if (event.kind !== 'close' || event.tag?.name !== 'h2' || from < 0) continue
    const heading = textOf(parseFragment(html.slice(from, event.tag.start))).trim()
    sections.push({ heading, start, end: event.tag.end })
    from = -1
  }
  return sections.filter(({ heading }) => heading !== '').slice(0, MAX_SECTIONS)
}

/** Returns the alternative text of a picture. */
const altOf = (text: string): string => clip(text.replace(/\s+/g, ' ').trim(), MAX_ALT)

type Subject = { title: string; keyword: string; heading?: string }

/** Returns the prompt for a picture. The project's own instructions come last, so that they override the rest. */
export const promptOf = ({ title, keyword, heading }: Subject, illustrations: Illustrations): string =>
  [
    heading === undefined
      ? `The feature picture of an article titled "${oneLine(title)}" about ${oneLine(keyword)}.`
      : `A picture for the section "${oneLine(heading)}" of an article titled "${oneLine(title)}" about ${oneLine(keyword)}.`,
    'Landscape. It shows what the text is about. No words, letters, numbers, logos or watermarks in it.',
    illustrations.brandColor === undefined ? '' : `Use ${illustrations.brandColor} as an accent colour.`,
    illustrations.style === '' ? '' : `Style: ${illustrations.style}.`,
    illustrations.instructions,
  ]
    .filter((line) => line.trim() !== '')
    .join('\n')

const markup = ({ url, width, height, alt }: Placed): string =>
  `<figure><img src="${escapeAttribute(url)}" alt="${escapeAttribute(alt)}" width="${width}" height="${height}" loading="lazy"></figure>`

/**
 * Returns the article with pictures after the section headings, in order. An undefined picture leaves its section without one.
 */
const withPictures = (html: string, pictures: readonly (Placed | undefined)[]): string => {
  const edits = sectionsIn(html).flatMap(({ end }, index): Edit[] => {
    const picture = pictures[index]
    return picture ? [{ start: end, end, text: markup(picture) }] : []
  })
  return applyEdits(html, edits)
}

type Video = { id: string; title: string }

/**
 * Returns the first video whose title has every significant word of the keyword.
 *
 * A wrong video is worse than none, so a keyword with only stop words finds none.
 */
const fittingVideo = (offers: readonly VideoOffer[], keyword: string, languageTag: string): Video | undefined => {
  const wanted = tokensOf(fold(keyword)).filter((word) => !isStopWord(word, languageTag))
  if (wanted.length === 0) return undefined
  return offers.find(({ id, title, isLive }) => {
    const titleWords = new Set(tokensOf(fold(title)))
    return !isLive && isVideoId(id) && wanted.every((word) => titleWords.has(word))
  })
}

/** Returns the article with the video at the end of its first section, or at its end if it has no second section. */
const withVideo = (html: string, video: Video): string => {
  const second = sectionsIn(html)[1]
  const at = second ? second.start : html.length
  return applyEdits(html, [{ start: at, end: at, text: playerOf(video) }])
}

/**
 * Returns the day by which YouTube counts searches, in California's time.
 *
 * See https://developers.google.com/youtube/v3/determine_quota_cost.
 */
const quotaDayOf = (now: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' }).format(now)

/** Searches per day: the provider's limit, minus a reserve. */
const MAX_SEARCHES = 95

/** Counts one search of a day; no row if the day's searches are used up. */
const countSearch = (db: Db, day: string) =>
  db
    .insert(videoQuota)
    .values({ day, used: 1 })
    .onConflictDoUpdate({
      target: videoQuota.day,
      set: { used: sql`${videoQuota.used} + 1` },
      setWhere: sql`${videoQuota.used} < ${MAX_SEARCHES}::int`,
    })
    .returning({ used: videoQuota.used })

/** Stores the result of a search. */
const keepSearch = (db: Db, { key, ...found }: Required<typeof videoSearches.$inferInsert>) =>
  db
    .insert(videoSearches)
    .values({ key, ...found })
    .onConflictDoUpdate({ target: videoSearches.key, set: found })

/** Selects the result of a search made after an instant. */
const keptSearch = (db: Db, key: string, since: Date) =>
  db
    .select({ videoId: videoSearches.videoId, title: videoSearches.title })
    .from(videoSearches)
    .where(and(eq(videoSearches.key, key), gt(videoSearches.searchedAt, since)))

/** Time for which a search result is used. */
const KEPT_MS = 28 * 24 * 3_600_000

/**
 * Returns a video for a keyword, from a search of the last four weeks or a new one.
 *
 * Undefined if no video matches, the day's searches are used up, or the search is not set up or fails.
 */
const findVideo = async (
  ctx: Ctx,
  { isOpen, search }: VideoSearch,
  keyword: string,
  languageTag: string,
): Promise<Video | undefined> => {
  if (!isOpen) return undefined
  const now = ctx.now()
  const key = await sha256(`${languageTag} ${keyword.trim().toLowerCase()}`)
  const [kept] = await ctx.read(() => keptSearch(ctx.db, key, new Date(now.getTime() - KEPT_MS)))
  if (kept) return kept.videoId === null ? undefined : { id: kept.videoId, title: kept.title }
  const { taken } = await ctx.batch(
    { taken: countSearch(ctx.db, quotaDayOf(now)) },
    { unaudited: 'a count of searches' },
  )
  if (taken.length === 0) return undefined
  const found = await search(keyword, languageTag)
  if (found.kind !== 'offers') {
    if (found.kind === 'failed') ctx.log('warn', 'writing.video_failed', { reason: found.reason.slice(0, 200) })
    return undefined
  }
  const video = fittingVideo(found.offers, keyword, languageTag)
  const row = { key, videoId: video?.id ?? null, title: video?.title ?? '', searchedAt: now }
  await ctx.batch({ keepSearch: keepSearch(ctx.db, row) }, { unaudited: 'a kept answer of a search engine' })
  return video
}

/** Article to illustrate. `hasFeature` is true if its caller gave a feature image, which stays. */
type Article = { articleId: number; keyword: string; title: string; html: string; hasFeature: boolean }

/** Illustrated article: the new HTML, the feature image if one was made, and all images hosted for it. */
export type Illustrated = { html: string; feature: Placed | undefined; images: HostedImage[] }

const DEFAULT_COLOR = '#000000'

type Made = { placed: Placed; image: HostedImage }

/** Stores a picture; undefined if it cannot be hosted. The article is finished without it then. */
const host = async (ctx: Ctx, bytes: Uint8Array<ArrayBuffer>, alt: string): Promise<Made | undefined> => {
  try {
    const image = await storeImage(ctx, bytes)
    const { url, width, height } = image
    return { placed: { url, width, height, alt: altOf(alt) }, image }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    ctx.log('warn', 'writing.picture_not_hosted', { code: error.code })
    return undefined
  }
}

const byModel = async (ctx: Ctx, { images }: Pictures, prompt: string, alt: string): Promise<Made | undefined> => {
  const result = await images.make(prompt)
  if (result.kind === 'failed') ctx.log('warn', 'writing.picture_failed', { reason: result.reason.slice(0, 200) })
  return result.kind === 'made' ? await host(ctx, result.bytes, alt) : undefined
}

const byCard = async (ctx: Ctx, { cards }: Pictures, brief: WritingBrief, title: string): Promise<Made | undefined> => {
  const siteName = brief.business.name || (URL.parse(brief.business.websiteUrl)?.hostname ?? '')
  const card = await cards.render({ title, brandColor: brief.illustrations?.brandColor ?? DEFAULT_COLOR, siteName })
  if (card.kind !== 'drawn') ctx.log('warn', 'writing.card_failed', { reason: card.reason.slice(0, 200) })
  return card.kind === 'drawn' ? await host(ctx, card.png, title) : undefined
}

/**
 * Makes the pictures of an article by the service, and finds a video if the project wants videos.
 *
 * A model makes a picture for each major section, and the feature image. The feature image is a title card if the model makes
 * none, or if the project wants the title on it.
 *
 * A picture that cannot be made is left out.
 */
export const illustrate = async (
  ctx: Ctx,
  pictures: Pictures,
  brief: WritingBrief,
  { keyword, title, html: written, hasFeature }: Article,
): Promise<Illustrated> => {
  const illustrations = brief.illustrations
  if (!illustrations) return { html: written, feature: undefined, images: [] }
  const html = illustrations.videos ? withPlayers(written) : written
  const feature = async (): Promise<Made | undefined> => {
    if (hasFeature) return undefined
    const drawn = illustrations.showsTitle
      ? undefined
      : await byModel(ctx, pictures, promptOf({ title, keyword }, illustrations), title)
    return drawn ?? (await byCard(ctx, pictures, brief, title))
  }
  const lacksVideo = illustrations.videos && html === written
  const video = lacksVideo ? findVideo(ctx, pictures.videos, keyword, languageTagOf(brief.language)) : undefined
  const [first, ...sections] = await Promise.all([
    feature(),
    ...sectionsIn(html).map(({ heading }) =>
      byModel(ctx, pictures, promptOf({ title, keyword, heading }, illustrations), heading),
    ),
  ])
  const found = await video
  const illustratedHtml = withPictures(
    html,
    sections.map((made) => made?.placed),
  )
  return {
    html: found ? withVideo(illustratedHtml, found) : illustratedHtml,
    feature: first?.placed,
    images: [first, ...sections].flatMap((made) => (made ? [made.image] : [])),
  }
}

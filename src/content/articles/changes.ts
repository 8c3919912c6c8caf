import { dayIn, instantOf, readTime, wallTime } from '../../platform/lib/time.ts'
import type { SanitizedHtml } from '../html/sanitize.ts'
import { showsContent } from '../html/shown.ts'
import type { ContentReading } from '../seo/assess.ts'
import type { UpdateArticleInput } from './operations.ts'
import type { ArticleDetail } from './read.ts'
import { isOwnText } from './rules.ts'
import type { Status } from './transitions.ts'
import type { ArticleChanges } from './writes.ts'

const instant = (text: string | null, timezone: string, clock?: string): Date | null =>
  text === null ? null : instantOf(text, timezone, clock)

/** Stored columns of the fields that were sent; status, content, slug and claim are the verbs' business. A date without a time is at the project's. */
export const plainChanges = (
  input: UpdateArticleInput,
  { timezone, publishTime }: { timezone: string; publishTime: string },
): ArticleChanges => {
  const values: ArticleChanges = {}
  if (input.title !== undefined) values.title = input.title
  if (input.keyword !== undefined) values.mainKeyword = input.keyword
  if (input.meta_description !== undefined) values.metaDescription = input.meta_description
  if (input.article_style !== undefined) values.articleStyle = input.article_style
  if (input.feature_image !== undefined) values.featureImage = input.feature_image
  if (input.alt_text !== undefined) values.altText = input.alt_text
  if (input.seo_title !== undefined) values.seoTitle = input.seo_title
  if (input.canonical_url !== undefined) values.canonicalUrl = input.canonical_url
  if (input.category !== undefined) values.category = input.category
  if (input.instructions !== undefined) values.instructions = input.instructions
  if (input.tags !== undefined) values.tags = input.tags
  if (input.published_at !== undefined) values.publishedAt = instant(input.published_at, timezone)
  if (input.scheduled_date !== undefined) {
    values.scheduledAt = instant(input.scheduled_date, timezone, publishTime)
    values.scheduledDay = input.scheduled_date === null ? null : dayIn(input.scheduled_date)
    values.scheduledStep = 0
    values.dueTakenAt = null
  }
  return values
}

/** Columns a reader of the published post would notice: a change of one makes a new revision. */
const VISIBLE = [
  'title',
  'metaDescription',
  'content',
  'featureImage',
  'altText',
  'tags',
  'category',
  'seoTitle',
  'canonicalUrl',
  'mainKeyword',
  'publishedAt',
] as const

/** Contents of a save: the sent fields, the status they lead to, a new slug, and the content made safe. */
export type Sent = {
  status: Status
  input: UpdateArticleInput
  slug: string | undefined
  safe: SanitizedHtml | undefined
  reading: ContentReading | undefined
  now: Date
}

/** Returns a date that was sent as wall time, `YYYY-MM-DDTHH:MM:SS`; undefined for a day, an instant or none. */
const sentWall = (date: string | null | undefined): string | undefined => {
  if (!date) return undefined
  const { instant, wall, dateOnly } = readTime(date)
  return instant || dateOnly ? undefined : wall.slice(0, 19)
}

/**
 * Returns the columns of a date that is written as answers and pages show it.
 *
 * The same one moves nothing, not even in the hour a clock shows twice. A day that is moved with its time of day stays a day.
 */
const shownDate = (article: ArticleDetail, date: string | null | undefined): ArticleChanges => {
  const { scheduledAt, scheduledDay, scheduledStep, timezone } = article
  const wall = sentWall(date)
  if (scheduledAt === null || wall === undefined) return {}
  const shown = wallTime(scheduledAt, timezone)
  if (wall === shown) return { scheduledAt, scheduledDay, scheduledStep }
  if (scheduledDay === null || wall.slice(10) !== shown.slice(10)) return {}
  const daysBehind = Date.parse(`${wall.slice(0, 10)}T00:00:00Z`) - Date.parse(`${shown.slice(0, 10)}T00:00:00Z`)
  const moved = new Date(Date.parse(`${scheduledDay}T00:00:00Z`) + daysBehind)
  return { scheduledDay: moved.toISOString().slice(0, 10), scheduledStep }
}

/** True if the save leaves nothing to show: no text, image or table. */
export const isEmptied = ({ safe, reading }: Pick<Sent, 'safe' | 'reading'>): boolean =>
  safe !== undefined && reading?.document.text.trim() === '' && !/<(img|iframe|video|picture|table)\b/i.test(safe.html)

/**
 * True if the article is claimed after the save. A claim stays until the content is emptied or the article is a draft again.
 * A draft that holds the caller's own text is theirs when it is planned; the writer's does not become theirs.
 */
export const isClaimedBy = (article: ArticleDetail, sent: Sent): boolean => {
  if (sent.status !== 'Planned') return false
  const { content } = sent.input
  if (content !== undefined && isOwnText(content) && !isEmptied(sent)) return true
  if (article.claimedAt !== null) return !isEmptied(sent)
  return (
    content === undefined && article.writtenAt === null && isOwnText(article.content) && showsContent(article.content)
  )
}

const claimedAt = (article: ArticleDetail, sent: Sent): Date | null =>
  isClaimedBy(article, sent) ? (article.claimedAt ?? sent.now) : null

/** True if the writer handed the article over with an error in its report: another date alone does not make it fit to go out. */
export const isUnfit = ({ publishState, writtenAt, generationError, claimedAt: claimed }: ArticleDetail): boolean =>
  publishState === 'failed' && writtenAt !== null && generationError !== null && claimed === null

/** Columns an earlier version can be restored to. */
const KEPT = ['title', 'metaDescription', 'content', 'featureImage', 'altText'] as const

const differs = (article: ArticleDetail, values: ArticleChanges, names: readonly (typeof VISIBLE)[number][]) =>
  names.some((name) => values[name] !== undefined && JSON.stringify(values[name]) !== JSON.stringify(article[name]))

/** True if a reader would see a difference. */
export const isVisible = (article: ArticleDetail, values: ArticleChanges): boolean => differs(article, values, VISIBLE)

/** True if the version before is one to go back to. */
export const isRestorable = (article: ArticleDetail, values: ArticleChanges): boolean => differs(article, values, KEPT)

/** Returns the columns a save changes. */
export const changesOf = (article: ArticleDetail, sent: Sent): ArticleChanges => {
  const { status, input, slug, safe } = sent
  const values: ArticleChanges = plainChanges(input, article)
  Object.assign(values, shownDate(article, input.scheduled_date))
  if (status !== article.status) {
    values.status = status
    values.dueTakenAt = null
  }
  if (slug !== undefined) values.slug = slug
  if (input.slug !== undefined) values.slugGiven = input.slug !== ''
  if (safe) values.content = safe.html
  if (safe || status !== article.status) values.claimedAt = claimedAt(article, sent)
  // From here on the words are the caller's, not the writer's.
  if (input.content !== undefined && isOwnText(input.content)) values.writtenAt = null
  // New words to write from: the writer need not wait until it would have tried again.
  if (safe || input.instructions !== undefined) values.writeAfter = null
  const unfit = isUnfit(article)
  if (unfit && safe) {
    // The writer's text is gone: these words are the caller's, or notes to write from.
    values.writtenAt = null
    values.generationError = null
  }
  const isTriedAgain = values.scheduledAt !== undefined || values.status !== undefined || isVisible(article, values)
  if (article.publishState === 'failed' && (safe || (!unfit && isTriedAgain))) {
    values.publishState = 'idle'
    values.publishError = null
    values.dueTakenAt = null
  }
  // It waits for its new place or date, and is asked about then.
  if (
    article.publishState === 'awaiting_approval' &&
    (values.status !== undefined || values.scheduledAt !== undefined)
  ) {
    values.publishState = 'idle'
    values.dueTakenAt = null
  }
  return values
}

/** Returns the consequence of a save for an open approval. `ends`: the article is not published as the person was asked about. */
export const questionOf = (article: ArticleDetail, values: ArticleChanges) => {
  const isTakenBack = values.status === 'Draft' && article.status === 'Planned'
  const ends = isTakenBack || isVisible(article, values)
  return { ends, asksAgain: article.publishState === 'awaiting_approval' && values.publishState !== 'idle' }
}

import { dayIn, instantOf, readTime, wallTime } from '../../platform/lib/time.ts'
import { showsContent } from '../html/shown.ts'
import type { ContentReading } from '../seo/assess.ts'
import type { SafeContent } from './content.ts'
import { ARTICLE_FIELDS, REVISION_COLUMNS, SEEN_COLUMNS, SENT_COLUMNS } from './fields.ts'
import type { UpdateArticleInput } from './operations.ts'
import type { ArticleDetail } from './read.ts'
import { isOwnText } from './rules.ts'
import type { Status } from './transitions.ts'
import type { ArticleChanges } from './writes.ts'

const instant = (text: string | null, timezone: string, clock?: string): Date | null =>
  text === null ? null : instantOf(text, timezone, clock)

/**
 * Returns the columns to change for the sent fields, except status, content, slug and claim.
 *
 * A date without a time gets the project's publish time.
 */
export const plainChanges = (
  input: UpdateArticleInput,
  { timezone, publishTime }: { timezone: string; publishTime: string },
): ArticleChanges => {
  const values: ArticleChanges = {}
  for (const column of SENT_COLUMNS) {
    const sent = input[ARTICLE_FIELDS[column].name]
    if (sent !== undefined) Object.assign(values, { [column]: sent })
  }
  if (input.published_at !== undefined) values.publishedAt = instant(input.published_at, timezone)
  if (input.scheduled_date !== undefined) {
    values.scheduledAt = instant(input.scheduled_date, timezone, publishTime)
    values.scheduledDay = input.scheduled_date === null ? null : dayIn(input.scheduled_date)
    values.scheduledStep = 0
    values.dueTakenAt = null
  }
  return values
}

/** Contents of a save: the sent fields, the next status, a new slug, and the safe content. */
export type Sent = {
  status: Status
  input: UpdateArticleInput
  slug: string | undefined
  safe: SafeContent | undefined
  reading: ContentReading | undefined
  now: Date
}

/** Returns a sent date that is wall time, as `YYYY-MM-DDTHH:MM:SS`; undefined for a day, an instant or none. */
const sentWall = (date: string | null | undefined): string | undefined => {
  if (!date) return undefined
  const { instant, wall, dateOnly } = readTime(date)
  return instant || dateOnly ? undefined : wall.slice(0, 19)
}

/**
 * Returns the columns to change if a sent date is written as answers and pages show it.
 *
 * The same date changes nothing, not even in the hour that a clock repeats. A new day with the same time of day keeps following
 * the publish time.
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

/** True if the save leaves nothing to show: no text, picture, video or table. */
export const isEmptied = ({ safe, reading }: Pick<Sent, 'safe' | 'reading'>): boolean =>
  safe !== undefined && reading?.document.text.trim() === '' && !/<(img|iframe|video|picture|table)\b/i.test(safe.html)

/**
 * True if the article is planned and claimed after the save. A claim ends if the content is emptied or the article becomes a
 * draft.
 *
 * A draft with the caller's own text is claimed when it is planned. Text by the service's writer is not claimed.
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

/** True if the writer finished the article with an error in its report. A new date alone does not let it be published. */
export const hasFailedReport = ({
  publishState,
  writtenAt,
  generationError,
  claimedAt: claimed,
}: ArticleDetail): boolean =>
  publishState === 'failed' && writtenAt !== null && generationError !== null && claimed === null

const differs = (article: ArticleDetail, values: ArticleChanges, names: typeof SEEN_COLUMNS) =>
  names.some((name) => values[name] !== undefined && JSON.stringify(values[name]) !== JSON.stringify(article[name]))

/** True if readers would see a difference. */
export const isVisible = (article: ArticleDetail, values: ArticleChanges): boolean =>
  differs(article, values, SEEN_COLUMNS)

/** True if the save changes a column that a revision keeps, so the present version must be kept. */
export const isRestorable = (article: ArticleDetail, values: ArticleChanges): boolean =>
  differs(article, values, REVISION_COLUMNS)

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
  if (safe) Object.assign(values, { content: safe.html, contentSent: safe.hash })
  if (safe || status !== article.status) values.claimedAt = claimedAt(article, sent)
  // The text is the caller's now, not the writer's.
  if (input.content !== undefined && isOwnText(input.content)) values.writtenAt = null
  // The writer has new notes, so it may try again at once.
  if (safe || input.instructions !== undefined) values.writeAfter = null
  const unfit = hasFailedReport(article)
  if (unfit && safe) {
    // The writer's text is replaced, by the caller's text or by notes for the writer.
    values.writtenAt = null
    values.generationError = null
  }
  const isTriedAgain = values.scheduledAt !== undefined || values.status !== undefined || isVisible(article, values)
  if (article.publishState === 'failed' && (safe || (!unfit && isTriedAgain))) {
    values.publishState = 'idle'
    values.publishError = null
    values.dueTakenAt = null
  }
  // The article waits for its new status or date. Approval is requested again when it is due.
  if (
    article.publishState === 'awaiting_approval' &&
    (values.status !== undefined || values.scheduledAt !== undefined)
  ) {
    values.publishState = 'idle'
    values.dueTakenAt = null
  }
  return values
}

/** Returns the effect of a save on an open approval. `ends` is true if the article no longer matches the request. */
export const questionOf = (article: ArticleDetail, values: ArticleChanges) => {
  const isTakenBack = values.status === 'Draft' && article.status === 'Planned'
  const ends = isTakenBack || isVisible(article, values)
  return { ends, asksAgain: article.publishState === 'awaiting_approval' && values.publishState !== 'idle' }
}

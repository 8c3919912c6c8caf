import type { CreditState } from '../../../schema/values/articles.ts'
import { DAY_MS, instantOfWall, wallTime } from '../../platform/lib/time.ts'
import { type Positioned, stateAt } from './transitions.ts'

/** Longest content stored, in characters. */
export const MAX_CONTENT = 500_000
/** Length of sent content that claims a planned article for the caller, in characters. */
export const OWN_CHARACTERS = 2_000
/** Time before its date at which the writer may claim an unclaimed article, ms. */
const CLAIM_WINDOW_MS = 72 * 3_600_000

/** True if sent content is long enough to be the caller's own article. The writer does not rewrite it. */
export const isOwnText = (content: string): boolean => content.length >= OWN_CHARACTERS

/** Returns the reason why content saved with a planned article does not claim it. */
export const claimNoteOf = (content: string): string =>
  isOwnText(content)
    ? 'The content shows nothing, neither text nor a picture, so it does not claim the article.'
    : `Content of ${content.length} characters was saved but does not claim the article: that takes ${OWN_CHARACTERS} or more.`

/** Returns until when a caller can certainly claim an article; undefined if the writer may claim it now. */
export const claimBy = (scheduledAt: Date, now: Date): Date | undefined => {
  const by = new Date(scheduledAt.getTime() - CLAIM_WINDOW_MS)
  return by > now ? by : undefined
}

type Claimable = Positioned & {
  id: number
  scheduledAt: Date | null
  claimedAt: Date | null
  writtenAt: Date | null
}

const howTo = (id: number): string => `save content of ${OWN_CHARACTERS} or more characters with PUT /articles/${id}`

const plannedNote = (article: Claimable, by: Date | undefined, writer: boolean): string => {
  const how = howTo(article.id)
  if (article.claimedAt !== null)
    return 'The article is yours: it is published as you saved it, and may still be changed.'
  if (!writer) return `The plan has no writer: ${how} before the date; an empty article is not published.`
  if (article.writtenAt !== null)
    return `The service has written the article. To put your own text in its place, ${how}.`
  if (article.scheduledAt === null)
    return `The article has no date yet, so the writer does not take it. To write it yourself, ${how}.`
  if (by) return `To write the article yourself, ${how} before claim_by; after that the service’s writer may take it.`
  return `The service’s writer may take the article at any moment. Until then you can still claim it: ${how} now.`
}

const otherNote = (state: Exclude<ReturnType<typeof stateAt>, 'Planned'>, id: number): string => {
  if (state === 'Draft') return `A draft needs no claim: nobody else writes it. Save it with PUT /articles/${id}.`
  if (state === 'Generating')
    return 'The service is writing the article at this moment; it can be changed when that has ended.'
  if (state === 'Publishing') return 'The article is being published at this moment.'
  return `The article is published. Send edits with POST /articles/${id}/sync.`
}

/**
 * Returns the brief's fields on the claim. A planned article may be claimed until the writer claims it.
 *
 * The writer claims it in the 72 hours before its date. On plans without the `writer`, it may be claimed at any time.
 */
export const claimOffer = (article: Claimable, writer: boolean, now: Date) => {
  const state = stateAt(article, now)
  const by = writer && article.scheduledAt ? claimBy(article.scheduledAt, now) : undefined
  return {
    claimable: state === 'Planned',
    claim_by: by?.toISOString() ?? null,
    claimed: article.claimedAt !== null,
    note: state === 'Planned' ? plannedNote(article, by, writer) : otherNote(state, article.id),
  }
}

/** Fields of a planned article that decide what happens on its date. */
export type PlannedArticle = {
  claimed: boolean
  /** True if it has something to show. */
  hasContent: boolean
  /** Length of its content, in characters. */
  characters: number
  /** True if the service's writer has finished it. */
  written: boolean
  /** True if the writer's text has errors in its report. */
  unfit: boolean
}

/** Conditions of the project and the account that decide what happens on an article's date. */
export type PlanConditions = { hasWriter: boolean; credit: CreditState; hasTarget: boolean; publishes: boolean }

/** Reasons why a planned article will not be published on its date. */
type Obstacle = 'no_site' | 'falls_short' | 'no_text' | Exclude<CreditState, 'left'>

/** Kinds of planned articles: the caller's own text, an article by the service, or one that will not be published. */
export type PlannedKind = { kind: 'yours' } | { kind: 'service'; isWritten: boolean } | { kind: 'stays'; why: Obstacle }

/** Returns what happens to a planned article on its date without further calls. */
export const plannedKind = (article: PlannedArticle, conditions: PlanConditions): PlannedKind => {
  const { claimed, hasContent, characters, written, unfit } = article
  if (!conditions.hasTarget && conditions.publishes) return { kind: 'stays', why: 'no_site' }
  if (unfit) return { kind: 'stays', why: 'falls_short' }
  if (written && !claimed) return { kind: 'service', isWritten: true }
  if (claimed || (hasContent && characters >= OWN_CHARACTERS)) return { kind: 'yours' }
  if (!conditions.hasWriter) return hasContent ? { kind: 'yours' } : { kind: 'stays', why: 'no_text' }
  if (conditions.credit === 'left') return { kind: 'service', isWritten: false }
  return hasContent ? { kind: 'yours' } : { kind: 'stays', why: conditions.credit }
}

const HOUR_MS = 3_600_000
/** Days of a month in a plan. */
const MONTH_DAYS = 30
/** Hours between two articles of one day, if they fit in the day. */
const STEP_HOURS = 6

type Planning = {
  /** The first article is dated on the day after this instant, in the project's zone. */
  from: Date
  count: number
  articlesPerMonth: number
  /** Wall time `HH:MM` in `timezone` (IANA name). */
  publishTime: string
  timezone: string
  /** Instants already in use. They are not used again. */
  taken: readonly Date[]
}

/**
 * Returns the wall time of the n-th place in the calendar, as ms of UTC. Places are spread over 30 days, up to 6 hours apart.
 */
const wallOf = (n: number, firstDay: number, articlesPerMonth: number, publishMs: number): number => {
  const perDay = Math.max(1, Math.ceil(articlesPerMonth / MONTH_DAYS))
  const day = perDay === 1 ? Math.floor((n * MONTH_DAYS) / articlesPerMonth) : Math.floor(n / perDay)
  const step = Math.min(STEP_HOURS, 24 / perDay) * HOUR_MS
  return firstDay + day * DAY_MS + publishMs + (perDay === 1 ? 0 : n % perDay) * step
}

const MINUTE_MS = 60_000
const STEP_MINUTES = STEP_HOURS * 60
const DAY_MINUTES = 24 * 60

/** Returns the day of a planned date, and its minutes after that day's publish time, rounded to six hours. */
export const placeOf = (
  at: Date,
  { publishTime, timezone }: Pick<Planning, 'publishTime' | 'timezone'>,
): { scheduledDay: string; scheduledStep: number } => {
  const wall = Date.parse(`${wallTime(at, timezone)}Z`)
  const [hours = 0, minutes = 0] = publishTime.split(':').map(Number)
  const behind = (wall / MINUTE_MS - hours * 60 - minutes) % DAY_MINUTES
  const scheduledStep = (Math.round(((behind + DAY_MINUTES) % DAY_MINUTES) / STEP_MINUTES) * STEP_MINUTES) % DAY_MINUTES
  const first = wall - scheduledStep * MINUTE_MS
  return { scheduledDay: new Date(first).toISOString().slice(0, 10), scheduledStep }
}

/**
 * Returns the dates of `count` planned articles: spread over 30 days at the project's publish time, increasing, none in
 * `taken`.
 *
 * A time that the clock skips moves forward by the gap. A time that it repeats is the first of the two. Taken places are
 * skipped, so the last articles may be after the month.
 */
export const planDates = (planning: Planning): Date[] => {
  const { from, count, articlesPerMonth, publishTime, timezone, taken } = planning
  const used = new Set(taken.map((date) => date.getTime()))
  const [hours = 0, minutes = 0] = publishTime.split(':').map(Number)
  const publishMs = hours * HOUR_MS + minutes * 60_000
  const firstDay = Date.parse(`${wallTime(from, timezone).slice(0, 10)}T00:00:00Z`) + DAY_MS
  const dates: Date[] = []
  let last = from.getTime()
  for (let n = 0; dates.length < count; n += 1) {
    const instant = instantOfWall(wallOf(n, firstDay, articlesPerMonth, publishMs), timezone)
    if (instant <= last || used.has(instant)) continue
    last = instant
    dates.push(new Date(instant))
  }
  return dates
}

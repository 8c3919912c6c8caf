import { DAY_MS, instantOfWall, wallTime } from '../../platform/lib/time.ts'
import { type Positioned, standingOf } from './transitions.ts'

/** Longest content stored, characters. */
export const MAX_CONTENT = 500_000
/** Content of this many characters, as sent, makes a planned article the caller's own. */
export const OWN_CHARACTERS = 2_000
/** Time before its date at which the writer claims a planned article that nobody claimed, ms. */
const CLAIM_WINDOW_MS = 72 * 3_600_000

/** True if content, as sent, is long enough to be the caller's own article: the writer leaves a planned one alone then. */
export const isOwnText = (content: string): boolean => content.length >= OWN_CHARACTERS

/** Returns the reason for which content that was saved with a planned article does not claim it. */
export const claimNoteOf = (content: string): string =>
  isOwnText(content)
    ? 'The content shows nothing, neither text nor a picture, so it does not claim the article.'
    : `Content of ${content.length} characters was saved but does not claim the article: that takes ${OWN_CHARACTERS} or more.`

/** Until when an article with this date can certainly be claimed; undefined when the writer may take it at any moment. */
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

const otherNote = (standing: Exclude<ReturnType<typeof standingOf>, 'Planned'>, id: number): string => {
  if (standing === 'Draft') return `A draft needs no claim: nobody else writes it. Save it with PUT /articles/${id}.`
  if (standing === 'Generating')
    return 'The service is writing the article at this moment; it can be changed when that has ended.'
  if (standing === 'Publishing') return 'The article is being published at this moment.'
  return `The article is published. Send edits with POST /articles/${id}/sync.`
}

/**
 * Returns the brief's words on the claim: a planned article may be claimed until the writer claims it.
 *
 * The writer does so from 72 hours before the date on. On plans without the `writer` an article may be claimed at any time.
 */
export const claimOffer = (article: Claimable, writer: boolean, now: Date) => {
  const standing = standingOf(article, now)
  const by = writer && article.scheduledAt ? claimBy(article.scheduledAt, now) : undefined
  return {
    claimable: standing === 'Planned',
    claim_by: by?.toISOString() ?? null,
    claimed: article.claimedAt !== null,
    note: standing === 'Planned' ? plannedNote(article, by, writer) : otherNote(standing, article.id),
  }
}

/** A planned article with a date to come, as far as it decides what its date brings. */
export type PlannedArticle = {
  claimed: boolean
  /** True if it shows anything. */
  hasContent: boolean
  /** Length of its content, in characters. */
  characters: number
  /** True if the service's writer finished it. */
  written: boolean
  /** True if what the writer made falls short. */
  unfit: boolean
}

/** Facts of the project and the account that decide it too. */
export type PlanConditions = { hasWriter: boolean; credits: number; hasTarget: boolean; publishes: boolean }

/** Reasons for which a planned article will not go out on its date. */
type Obstacle = 'no_site' | 'falls_short' | 'no_text' | 'no_credit'

/** Kinds of planned articles: the caller's own text, one that the service writes, or one that will not go out. */
export type PlannedKind = { kind: 'yours' } | { kind: 'service'; isWritten: boolean } | { kind: 'stays'; why: Obstacle }

/** Returns what becomes of a planned article on its date, if nothing else is done. */
export const plannedKind = (article: PlannedArticle, conditions: PlanConditions): PlannedKind => {
  const { claimed, hasContent, characters, written, unfit } = article
  if (!conditions.hasTarget && conditions.publishes) return { kind: 'stays', why: 'no_site' }
  if (unfit) return { kind: 'stays', why: 'falls_short' }
  if (written && !claimed) return { kind: 'service', isWritten: true }
  if (claimed || (hasContent && characters >= OWN_CHARACTERS)) return { kind: 'yours' }
  if (!conditions.hasWriter) return hasContent ? { kind: 'yours' } : { kind: 'stays', why: 'no_text' }
  if (conditions.credits > 0) return { kind: 'service', isWritten: false }
  return hasContent ? { kind: 'yours' } : { kind: 'stays', why: 'no_credit' }
}

const HOUR_MS = 3_600_000
/** Days that plans call a month. */
const MONTH_DAYS = 30
/** Between two articles of one day, hours, while a day has room for that. */
const STEP_HOURS = 6

type Planning = {
  /** The first article goes out on the day after this instant, as the project's zone counts days. */
  from: Date
  count: number
  articlesPerMonth: number
  /** Wall time `HH:MM` in `timezone` (IANA name). */
  publishTime: string
  timezone: string
  /** Instants already in use; none of them is given out again. */
  taken: readonly Date[]
}

/** Returns the wall reading (ms, as if UTC) of the n-th place in the calendar: even over 30 days, several a day 6 hours apart. */
const wallOf = (n: number, firstDay: number, articlesPerMonth: number, publishMs: number): number => {
  const perDay = Math.max(1, Math.ceil(articlesPerMonth / MONTH_DAYS))
  const day = perDay === 1 ? Math.floor((n * MONTH_DAYS) / articlesPerMonth) : Math.floor(n / perDay)
  const step = Math.min(STEP_HOURS, 24 / perDay) * HOUR_MS
  return firstDay + day * DAY_MS + publishMs + (perDay === 1 ? 0 : n % perDay) * step
}

const MINUTE_MS = 60_000
const STEP_MINUTES = STEP_HOURS * 60
const DAY_MINUTES = 24 * 60

/** Returns the day of a planned date, and how many minutes behind the publish time of that day it is: whole steps of six hours. */
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
 * Returns the dates of `count` planned articles: evenly over 30 days at the project's publish time, strictly increasing, none of
 * them in `taken`. A time the clock skips moves forward by the gap, one it shows twice is the first of the two.
 *
 * A place that is taken is left out, and the last articles move past the month for it.
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

import { and, eq, gt, inArray, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import type { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import { at } from '../../platform/db/instant.ts'
import type { Part } from '../../platform/db/part.ts'
import { update } from '../../platform/db/write-parts.ts'

/** Statuses in which a date waits. */
const DATED: (typeof ARTICLE_STATUSES)[number][] = ['Planned', 'Draft']

type Changed = Part<'id' | 'timezone' | 'publishTime'>

/** Dates that wait: of articles that are not public, in nobody's hands, and not due yet. */
const isWaiting = (changed: Changed, now: Date): SQL =>
  sql`${and(
    eq(articles.projectId, changed.c.id),
    inArray(articles.status, DATED),
    ne(articles.publishState, 'publishing'),
    gt(articles.scheduledAt, sql`${at(now)}`),
  )}`

/** The instant of an article's day at the project's time of day: the first of two where the clock shows it twice. */
const instantOfDay = ({ c }: Changed): SQL => {
  const wall = sql`(${articles.scheduledDay} + ${c.publishTime}::time + make_interval(mins => ${articles.scheduledStep}))`
  const later = sql`(${wall} at time zone ${c.timezone})`
  const before = (gap: string) =>
    sql`when ((${later} - interval '${sql.raw(gap)}') at time zone ${c.timezone}) = ${wall} then ${later} - interval '${sql.raw(gap)}'`
  return sql`(case ${before('1 hour')} ${before('30 minutes')} else ${later} end)`
}

/** A part that moves articles of a day to the project's new time of day there. */
export const moveDays = (changed: Changed, { savedAt, now }: { savedAt: Date; now: Date }) =>
  update(
    'moved_days',
    articles,
    { scheduledAt: instantOfDay(changed), updatedAt: savedAt },
    {
      from: [changed],
      where: sql`${and(isWaiting(changed, now), isNotNull(articles.scheduledDay))}
        and ${articles.scheduledAt} is distinct from ${instantOfDay(changed)}`,
    },
  )

/** Counts the articles of an instant that read otherwise by the project's new clock. */
export const readOtherwise = (changed: Changed, now: Date): SQL =>
  sql`(select count(*)::int from ${articles}, ${changed.rows}, ${projects} as clock_before
    where ${isWaiting(changed, now)} and ${isNull(articles.scheduledDay)} and clock_before.id = ${changed.c.id}
      and (${articles.scheduledAt} at time zone ${changed.c.timezone}) <> (${articles.scheduledAt} at time zone clock_before.timezone))`

import { and, type Column, eq, gt, inArray, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import { socialPosts } from '../../../schema/social.ts'
import type { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import { at } from '../../platform/db/instant.ts'
import type { Part } from '../../platform/db/part.ts'
import { update } from '../../platform/db/write-parts.ts'

/** Statuses in which a date waits. */
const DATED: (typeof ARTICLE_STATUSES)[number][] = ['Planned', 'Draft']

type Changed = Part<'id' | 'timezone' | 'publishTime'>

/** Articles whose date waits: not public, in nobody's hands, and not due yet. */
const isWaitingArticle = (changed: Changed, now: Date): SQL =>
  sql`${and(
    eq(articles.projectId, changed.c.id),
    inArray(articles.status, DATED),
    ne(articles.publishState, 'publishing'),
    gt(articles.scheduledAt, sql`${at(now)}`),
  )}`

/** Posts whose date waits: no attempt has one, and it is not due yet. */
const isWaitingPost = (changed: Changed, now: Date): SQL =>
  sql`${and(
    eq(socialPosts.projectId, changed.c.id),
    eq(socialPosts.status, 'scheduled'),
    gt(socialPosts.scheduledFor, sql`${at(now)}`),
  )}`

/** The instant of a day at the project's time of day: the first of two where the clock shows it twice. */
const instantOfDay = ({ c }: Changed, day: SQL | Column): SQL => {
  const wall = sql`(${day} + ${c.publishTime}::time)`
  const later = sql`(${wall} at time zone ${c.timezone})`
  const before = (gap: string) =>
    sql`when ((${later} - interval '${sql.raw(gap)}') at time zone ${c.timezone}) = ${wall} then ${later} - interval '${sql.raw(gap)}'`
  return sql`(case ${before('1 hour')} ${before('30 minutes')} else ${later} end)`
}

type Times = { savedAt: Date; now: Date }

/** A part that moves articles of a day to the project's new time of day there. */
export const moveArticles = (changed: Changed, { savedAt, now }: Times) => {
  const step = sql`make_interval(mins => ${articles.scheduledStep})`
  const scheduledAt = instantOfDay(changed, sql`${articles.scheduledDay} + ${step}`)
  return update(
    'moved_articles',
    articles,
    { scheduledAt, updatedAt: savedAt },
    {
      from: [changed],
      where: sql`${and(isWaitingArticle(changed, now), isNotNull(articles.scheduledDay))}
        and ${articles.scheduledAt} is distinct from ${scheduledAt}`,
    },
  )
}

/** A part that moves posts of a day to the project's new time of day there. */
export const movePosts = (changed: Changed, { savedAt, now }: Times) => {
  const scheduledFor = instantOfDay(changed, socialPosts.scheduledDay)
  return update(
    'moved_posts',
    socialPosts,
    { scheduledFor, updatedAt: savedAt },
    {
      from: [changed],
      where: sql`${and(isWaitingPost(changed, now), isNotNull(socialPosts.scheduledDay))}
        and ${socialPosts.scheduledFor} is distinct from ${scheduledFor}`,
      returning: { id: socialPosts.id, scheduledFor: socialPosts.scheduledFor },
    },
  )
}

/** Counts the rows of an instant that read otherwise by the project's new clock. */
const otherwise = (
  changed: Changed,
  isOfInstant: SQL,
  table: typeof articles | typeof socialPosts,
  date: Column,
): SQL =>
  sql`(select count(*)::int from ${table}, ${changed.rows}, ${projects} as clock_before
    where ${isOfInstant} and clock_before.id = ${changed.c.id}
      and (${date} at time zone ${changed.c.timezone}) <> (${date} at time zone clock_before.timezone))`

/** Counts the planned articles of an instant that read otherwise by the project's new clock. */
export const articlesReadOtherwise = (changed: Changed, now: Date): SQL =>
  otherwise(
    changed,
    sql`${and(isWaitingArticle(changed, now), isNull(articles.scheduledDay))}`,
    articles,
    articles.scheduledAt,
  )

/** Counts the planned posts of an instant that read otherwise by the project's new clock. */
export const postsReadOtherwise = (changed: Changed, now: Date): SQL =>
  otherwise(
    changed,
    sql`${and(isWaitingPost(changed, now), isNull(socialPosts.scheduledDay))}`,
    socialPosts,
    socialPosts.scheduledFor,
  )

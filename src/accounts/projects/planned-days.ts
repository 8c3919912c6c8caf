import { and, type Column, eq, gt, inArray, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import { socialPosts } from '../../../schema/social.ts'
import type { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { postJob } from './jobs.ts'

/** Change of a project's time zone or publish time. The statements below must run before the project's row is changed. */
export type NewClock = {
  accountId: number
  projectId: number
  /** New time zone and publish time; undefined if unchanged. */
  timezone: string | undefined
  publishTime: string | undefined
  savedAt: Date
  now: Date
  if: SQL
}

/** Statuses of articles that wait for their date, also while the writer has them. */
const DATED: (typeof ARTICLE_STATUSES)[number][] = ['Planned', 'Draft', 'Generating']

/** Condition: the article waits for a future date, and is not being published. */
const isWaitingArticle = ({ projectId, now }: NewClock) =>
  and(
    eq(articles.projectId, projectId),
    inArray(articles.status, DATED),
    ne(articles.publishState, 'publishing'),
    gt(articles.scheduledAt, sql`${at(now)}`),
  )

/** Condition: the post is scheduled for a future date. */
const isWaitingPost = ({ projectId, now }: NewClock) =>
  and(
    eq(socialPosts.projectId, projectId),
    eq(socialPosts.status, 'scheduled'),
    gt(socialPosts.scheduledFor, sql`${at(now)}`),
  )

const zoneOf = ({ timezone }: NewClock): SQL => (timezone ? sql`${timezone}::text` : sql`${projects.timezone}`)

/** Returns the instant of a day at the new publish time and zone. If the clock shows that time twice, the first one counts. */
const instantOfDay = (clock: NewClock, day: SQL | Column): SQL => {
  const zone = zoneOf(clock)
  const time = clock.publishTime ? sql`${clock.publishTime}::time` : sql`${projects.publishTime}::time`
  const wall = sql`(${day} + ${time})`
  const later = sql`(${wall} at time zone ${zone})`
  const before = (gap: string) =>
    sql`when ((${later} - interval '${sql.raw(gap)}') at time zone ${zone}) = ${wall} then ${later} - interval '${sql.raw(gap)}'`
  return sql`(case ${before('1 hour')} ${before('30 minutes')} else ${later} end)`
}

/** Moves articles planned for a day, not for an instant, to the project's new publish time. Returns a row for each. */
export const moveArticles = (db: Db, clock: NewClock) => {
  const step = sql`make_interval(mins => ${articles.scheduledStep})`
  const scheduledAt = instantOfDay(clock, sql`${articles.scheduledDay} + ${step}`)
  return db
    .update(articles)
    .set({ scheduledAt, updatedAt: clock.savedAt })
    .from(projects)
    .where(
      and(
        eq(projects.id, articles.projectId),
        isWaitingArticle(clock),
        isNotNull(articles.scheduledDay),
        sql`${articles.scheduledAt} is distinct from ${scheduledAt}`,
        clock.if,
      ),
    )
    .returning({ id: articles.id })
}

/** Moves posts planned for a day, with their jobs, to the new publish time. The second statement returns a row for each post. */
export const movePosts = (db: Db, clock: NewClock) => {
  const scheduledFor = instantOfDay(clock, socialPosts.scheduledDay)
  const isMoved = and(
    eq(projects.id, socialPosts.projectId),
    isWaitingPost(clock),
    isNotNull(socialPosts.scheduledDay),
    sql`${socialPosts.scheduledFor} is distinct from ${scheduledFor}`,
    clock.if,
  )
  return [
    enqueue(
      postJob,
      { post_id: sql`${socialPosts.id}` },
      {
        account: clock.accountId,
        runAt: scheduledFor,
        open: 'move',
        from: sql`${socialPosts}, ${projects}`,
        if: sql`${isMoved}`,
      },
    ),
    db
      .update(socialPosts)
      .set({ scheduledFor, updatedAt: clock.savedAt })
      .from(projects)
      .where(isMoved)
      .returning({ id: socialPosts.id }),
  ] as const
}

/** Counts articles and posts planned for an instant that has another local time in the project's new zone. */
export const countMovedDates = (db: Db, clock: NewClock) => {
  const differs = (date: Column) =>
    sql`(${date} at time zone ${projects.timezone}) <> (${date} at time zone ${zoneOf(clock)})`
  const isArticle = and(isWaitingArticle(clock), isNull(articles.scheduledDay), differs(articles.scheduledAt))
  const isPost = and(isWaitingPost(clock), isNull(socialPosts.scheduledDay), differs(socialPosts.scheduledFor))
  return db
    .select({
      articles: sql<number>`(select count(*)::int from ${articles} where ${isArticle})`,
      posts: sql<number>`(select count(*)::int from ${socialPosts} where ${isPost})`,
    })
    .from(projects)
    .where(and(eq(projects.id, clock.projectId), clock.if))
}

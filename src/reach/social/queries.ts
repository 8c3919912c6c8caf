import { and, asc, eq, gt, isNotNull, notExists, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { projects } from '../../../schema/projects.ts'
import { socialAccounts, socialPosts, socialProfiles } from '../../../schema/social.ts'
import { POST_STATUSES } from '../../../schema/values/social.ts'
import type { Owner } from '../../platform/accounts/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { newestPage, ownedBy, type Paging } from '../../platform/db/paging.ts'
import type { ListPostsInput } from './operations.ts'

/** Returns the profile a project has at the provider; no row if it has none. */
export const profileOf = (db: Db, projectId: number | SQL) =>
  db
    .select({ remoteId: socialProfiles.remoteId })
    .from(socialProfiles)
    .where(eq(socialProfiles.projectId, sql`${projectId}`))

const isActive = eq(socialAccounts.status, 'Active')

/** Returns the direct accounts of a project, oldest first, without their secrets. */
export const directAccountsOf = (db: Db, projectId: number | SQL) =>
  db
    .select({
      id: socialAccounts.id,
      platform: socialAccounts.platform,
      name: socialAccounts.name,
      username: socialAccounts.username,
      remoteId: socialAccounts.remoteId,
      createdAt: socialAccounts.createdAt,
    })
    .from(socialAccounts)
    .where(and(eq(socialAccounts.projectId, sql`${projectId}`), isActive))
    .orderBy(asc(socialAccounts.id))

const another = alias(socialAccounts, 'another_account')

/** Returns accounts of a project that their networks ended, oldest first, unless the same one was connected again. */
export const lapsedAccountsOf = (db: Db, projectId: number | SQL) =>
  db
    .select({
      id: socialAccounts.id,
      platform: socialAccounts.platform,
      name: socialAccounts.name,
      username: socialAccounts.username,
      reason: socialAccounts.lapsedReason,
      createdAt: socialAccounts.createdAt,
    })
    .from(socialAccounts)
    .where(
      and(
        sql`${socialAccounts.accountId} = (select account_id from projects where id = ${projectId})`,
        eq(socialAccounts.projectId, sql`${projectId}`),
        isNotNull(socialAccounts.lapsedReason),
        notExists(
          db
            .select({ id: another.id })
            .from(another)
            .where(
              and(
                eq(another.accountId, socialAccounts.accountId),
                eq(another.projectId, socialAccounts.projectId),
                eq(another.platform, socialAccounts.platform),
                eq(another.remoteId, socialAccounts.remoteId),
                gt(another.id, socialAccounts.id),
              ),
            ),
        ),
      ),
    )
    .orderBy(asc(socialAccounts.id))
    .limit(100)

/** Returns a direct account with its sealed secrets, if it is connected to the project. */
export const directAccountToUse = (db: Db, projectId: number, id: number) =>
  db
    .select({
      id: socialAccounts.id,
      accountId: socialAccounts.accountId,
      remoteId: socialAccounts.remoteId,
      username: socialAccounts.username,
      url: socialAccounts.url,
      sealedSecrets: socialAccounts.sealedSecrets,
      sealedSession: socialAccounts.sealedSession,
    })
    .from(socialAccounts)
    .where(and(eq(socialAccounts.id, id), eq(socialAccounts.projectId, projectId), isActive))

/** Returns a direct account by id, of any account of this service. */
export const directAccountById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      id: socialAccounts.id,
      platform: socialAccounts.platform,
      sealedSecrets: socialAccounts.sealedSecrets,
      /** True if another connection of this service uses the same grant. */
      isShared: sql<boolean>`coalesce(exists (
        select 1 from social_accounts other where other.grant_sub = social_accounts.grant_sub and other.status = 'Active'
          and other.id <> social_accounts.id)
        or exists (select 1 from search_connections search where search.google_sub = social_accounts.grant_sub), false)`,
      mine: sql<boolean>`coalesce(${socialAccounts.accountId} = ${owner}, false)`,
    })
    .from(socialAccounts)
    .where(eq(socialAccounts.id, id))

/** Returns the direct accounts of an owner that have a grant. */
export const grantedAccountsOf = (db: Db, { account, project }: Owner) =>
  db
    .select({ id: socialAccounts.id })
    .from(socialAccounts)
    .where(
      and(
        eq(socialAccounts.accountId, account),
        project === undefined ? undefined : eq(socialAccounts.projectId, project),
        sql`${socialAccounts.grantSub} is not null`,
        isActive,
      ),
    )
    .limit(1_000)

/** Draws the next id of a social account. */
export const nextAccountId = (db: Db) => db.execute<{ id: string }>(sql`select nextval('social_accounts_id_seq') as id`)

/** States of posts that went out or will. */
const SENT = POST_STATUSES.filter((status) => status !== 'draft' && status !== 'failed')

/** Time within which two posts with the same words count as one that was sent twice. */
const SAME_WITHIN = sql`interval '10 minutes'`
/** Number of a project's newest posts that are searched. No project makes more within that time. */
const NEWEST = sql.raw('1000')

/** Fields that make two posts the same. */
export type SamePost = Pick<
  typeof socialPosts.$inferInsert,
  'platform' | 'socialAccountId' | 'content' | 'link' | 'mediaFiles'
>

/** Returns a query for the first post that equals one of these, was made in the last minutes, and goes out at a similar time. */
export const samePost = (projectId: number, posts: readonly SamePost[], goesOut: Date, now: Date): SQL => {
  const isSame = posts.map(
    ({ platform, socialAccountId, content, link, mediaFiles }) =>
      sql`(p.platform = ${platform} and p.social_account_id = ${socialAccountId} and p.content = ${content}
        and p.link is not distinct from ${link ?? null}::text and p.media_files = ${JSON.stringify(mediaFiles)}::jsonb)`,
  )
  return sql`select p.id, p.platform from (select * from social_posts where project_id = ${projectId}::int order by id desc limit ${NEWEST}) p
    where p.status = any(${sql.param([...SENT])}::text[]) and p.created_at > ${at(now)} - ${SAME_WITHIN}
      and coalesce(p.scheduled_for, p.created_at) between ${at(goesOut)} - ${SAME_WITHIN} and ${at(goesOut)} + ${SAME_WITHIN}
      and (${sql.join(isSame, sql` or `)}) order by p.id limit 1`
}

/** Returns ids for new posts, in order. */
export const nextPostIds = (db: Db, count: number) =>
  db.execute<{ id: string }>(sql`select nextval('social_posts_id_seq') as id from generate_series(1, ${count}::int)`)

const shown = {
  id: socialPosts.id,
  projectId: socialPosts.projectId,
  articleId: socialPosts.articleId,
  platform: socialPosts.platform,
  socialAccountId: socialPosts.socialAccountId,
  content: socialPosts.content,
  link: socialPosts.link,
  mediaFiles: socialPosts.mediaFiles,
  status: socialPosts.status,
  scheduledFor: socialPosts.scheduledFor,
  publishedAt: socialPosts.publishedAt,
  url: socialPosts.url,
  error: socialPosts.error,
  guide: socialPosts.guide,
  guideStatus: socialPosts.guideStatus,
  guideError: socialPosts.guideError,
  createdAt: socialPosts.createdAt,
  updatedAt: socialPosts.updatedAt,
}

/** Returns the caller's posts, newest first, one more than the page shows. */
export const listPostRows = (db: Db, owner: SQL, input: ListPostsInput, paging: Paging) => {
  const { where, order } = newestPage(
    socialPosts,
    ownedBy(socialPosts, owner, input.project_id),
    {
      filters: [input.platform === undefined ? undefined : eq(socialPosts.platform, input.platform)],
      // Posts of one network have an index by their state.
      kinds: (input.status ?? (input.platform ? POST_STATUSES : [])).map((one) => oneOf(socialPosts.status, [one])),
    },
    paging,
  )
  return db.select(shown).from(socialPosts).where(where).orderBy(order)
}

/** Returns a post by id, of any account, with the fields that decide if it may change. */
export const postById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      ...shown,
      route: socialPosts.route,
      maybeSent: socialPosts.maybeSent,
      remoteId: socialPosts.remoteId,
      networkId: socialPosts.networkId,
      scheduledDay: socialPosts.scheduledDay,
      timezone: projects.timezone,
      publishTime: projects.publishTime,
      projectStatus: projects.status,
      mine: sql<boolean>`coalesce(${socialPosts.accountId} = ${owner}, false)`,
    })
    .from(socialPosts)
    .innerJoin(projects, eq(projects.id, socialPosts.projectId))
    .where(eq(socialPosts.id, id))

/** Returns a post with the fields that its jobs need. */
export const postToSend = (db: Db, id: number) =>
  db
    .select({
      ...shown,
      accountId: socialPosts.accountId,
      route: socialPosts.route,
      options: socialPosts.options,
      sendKey: socialPosts.sendKey,
      remoteId: socialPosts.remoteId,
      networkId: socialPosts.networkId,
      maybeSent: socialPosts.maybeSent,
      attempts: socialPosts.attempts,
      lookups: socialPosts.lookups,
      leaseUntil: socialPosts.leaseUntil,
      guideRemoteId: socialPosts.guideRemoteId,
      projectStatus: projects.status,
      profileId: socialProfiles.remoteId,
    })
    .from(socialPosts)
    .innerJoin(projects, eq(projects.id, socialPosts.projectId))
    .leftJoin(socialProfiles, eq(socialProfiles.projectId, socialPosts.projectId))
    .where(eq(socialPosts.id, id))

/** Selects the fields of an article for posts about it, and the project's settings for such posts. */
export const articleForPost = (db: Db, id: number) =>
  db
    .select({
      accountId: articles.accountId,
      projectId: articles.projectId,
      status: articles.status,
      title: articles.title,
      content: articles.content,
      language: projects.language,
      metaDescription: articles.metaDescription,
      featureImage: articles.featureImage,
      altText: articles.altText,
      url: articles.url,
      projectStatus: projects.status,
      instructions: projects.socialMediaAiInstructions,
      publishing: projects.socialMediaPublishingStatus,
    })
    .from(articles)
    .innerJoin(projects, eq(projects.id, articles.projectId))
    .where(eq(articles.id, id))

export type PostToSend = Awaited<ReturnType<typeof postToSend>>[number]
export type PostRow = Awaited<ReturnType<typeof listPostRows>>[number]
export type OwnedPost = Awaited<ReturnType<typeof postById>>[number]

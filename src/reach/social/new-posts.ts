import { and, asc, type Column, eq, exists, inArray, type SQL, sql } from 'drizzle-orm'
import { socialPosts } from '../../../schema/social.ts'
import type { GuideConfig } from '../../../schema/values/social.ts'
import { approvalOf, policyAllows, ruleOf } from '../../accounts/policy/parts.ts'
import type { Obstacle } from '../../accounts/policy/rules.ts'
import { postJob } from '../../accounts/projects/jobs.ts'
import { audit, insertWhere, listed } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { samePost } from './queries.ts'

const COLUMNS = {
  platform: socialPosts.platform,
  route: socialPosts.route,
  socialAccountId: socialPosts.socialAccountId,
  content: socialPosts.content,
  link: socialPosts.link,
  mediaFiles: socialPosts.mediaFiles,
  options: socialPosts.options,
  sendKey: socialPosts.sendKey,
}
const OF_CALL = { id: socialPosts.id, ...COLUMNS, guide: socialPosts.guide, guideStatus: socialPosts.guideStatus }

/** Returns the columns of listed rows as values of an insert. */
const valuesOf = <C extends Record<string, Column>>(columns: C) =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, sql`listed.${sql.identifier(name)}`])) as {
    [Name in keyof C]: SQL
  }

type NewPost = Required<
  Pick<
    typeof socialPosts.$inferInsert,
    'platform' | 'route' | 'socialAccountId' | 'content' | 'link' | 'mediaFiles' | 'options' | 'sendKey'
  >
>
type CalledPost = NewPost & { id: number; guide: GuideConfig | null; guideStatus: 'scheduled' | 'disabled' | null }

/** First state of a post. */
export type NewStatus = 'draft' | 'scheduled' | 'publishing'

const NEW_ACTIONS = { draft: 'social.draft', scheduled: 'social.schedule', publishing: 'social.publish' } as const

/** Returns the status of a post that will go out, now or on its date. */
export const statusOf = (scheduledFor: Date | null): 'scheduled' | 'publishing' =>
  scheduledFor === null ? 'publishing' : 'scheduled'

/** Selects posts in order, as a row source named `made`. */
const made = ({ db }: Ctx, which: SQL | undefined): SQL => {
  const { id, platform, socialAccountId } = socialPosts
  return sql`${db.select({ id, platform, socialAccountId }).from(socialPosts).where(which).orderBy(asc(id))} made`
}

const MADE = sql`made.id`

/** Queues the publication of each post of a row source. */
const bringOut = (from: SQL, account: number, runAt: Date) =>
  enqueue(postJob, { post_id: MADE }, { if: 'always', from, account, runAt, open: 'keep' })

/** First key of the advisory lock that lets a project's new posts be saved one after the other. */
const NEW_POSTS_OF_PROJECT = sql.raw('1014')

type NewPosts = {
  accountId: number
  projectId: number
  scheduledFor: Date | null
  scheduledDay: string | null
  status: NewStatus
  posts: readonly CalledPost[]
  /** True if the same post may go out twice. */
  allowsSame: boolean
}

/**
 * Saves posts and queues their publication, now or on their date. Drafts wait for a call that publishes them.
 *
 * Saves none if a rule of the policy forbids them now.
 *
 * Also saves none if one of them was published already, unless the call has an Idempotency-Key, which marks it as a new one.
 */
export const savePosts = async (
  ctx: Ctx,
  { accountId, projectId, scheduledFor, scheduledDay, status, posts, allowsSame }: NewPosts,
  answer: object,
): Promise<{ isSaved: boolean; rule: Obstacle | null }> => {
  const now = ctx.now()
  const runAt = scheduledFor ?? now
  const isDraft = status === 'draft'
  // For a later date, a person approves the post now, and the other rules are checked on that date.
  const call = {
    activity: 'social_post',
    now,
    target: posts.map(({ platform }) => platform),
    isLater: status === 'scheduled',
    ...approvalOf(ctx, now),
  } as const
  const ours = inArray(
    socialPosts.id,
    posts.map(({ id }) => id),
  )
  const from = made(ctx, ours)
  const kept = ctx.keepAnswer(answer)(exists(ctx.db.select({ id: socialPosts.id }).from(socialPosts).where(ours)))
  const isChecked = !isDraft && !allowsSame && kept === undefined
  const { policy, saved } = await ctx.batch({
    // The statements after the lock see the posts of earlier calls.
    turn: sql`select pg_advisory_xact_lock(${NEW_POSTS_OF_PROJECT}, ${projectId}::int)`,
    policy: !isDraft && ruleOf(projectId, call),
    saved: insertWhere(
      socialPosts,
      {
        ...valuesOf(OF_CALL),
        accountId,
        projectId,
        status,
        scheduledFor,
        scheduledDay,
        approvalId: ctx.approval ?? null,
        createdAt: now,
        updatedAt: now,
      },
      {
        from: listed(OF_CALL, posts),
        if: sql`${and(
          isDraft ? sql`true` : policyAllows(projectId, call),
          isChecked ? sql`not exists (${samePost(projectId, posts, runAt, now)})` : undefined,
        )}`,
      },
    ),
    bringOut: !isDraft && bringOut(from, accountId, runAt),
    audit: audit(ctx, {
      account: accountId,
      action: NEW_ACTIONS[status],
      on: ['social_post', MADE],
      detail: sql`jsonb_build_object('platform', made.platform, 'account', made.social_account_id)`,
      from,
      if: 'always',
    }),
    kept,
  })
  return { isSaved: saved.length > 0, rule: policy?.[0]?.rule ?? null }
}

type Drafts = {
  accountId: number
  projectId: number
  articleId: number
  goesOut: boolean
  posts: readonly NewPost[]
}

/** Saves posts about an article that do not exist yet, and queues those that go out at once. */
export const saveDrafts = async (
  ctx: Ctx,
  { accountId, projectId, articleId, goesOut, posts }: Drafts,
): Promise<void> => {
  const now = ctx.now()
  // The keys are new, so they match exactly the posts that were added.
  const keys = posts.map(({ sendKey }) => sendKey)
  const from = made(ctx, and(eq(socialPosts.articleId, articleId), inArray(socialPosts.sendKey, keys)))
  await ctx.batch({
    socialPosts: insertWhere(
      socialPosts,
      {
        ...valuesOf(COLUMNS),
        accountId,
        projectId,
        articleId,
        status: goesOut ? 'publishing' : 'draft',
        createdAt: now,
        updatedAt: now,
      },
      {
        from: listed(COLUMNS, posts),
        if: 'always',
        orderBy: sql`listed.n`,
        onConflict: sql`(article_id, social_account_id) do nothing`,
      },
    ),
    bringOut: goesOut && bringOut(from, accountId, now),
    audit: audit(ctx, {
      account: accountId,
      action: goesOut ? 'social.publish' : 'social.draft',
      on: ['social_post', MADE],
      detail: { article_id: articleId },
      from,
      if: 'always',
    }),
  })
}

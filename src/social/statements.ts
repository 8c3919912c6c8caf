import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { socialAccounts, socialPosts, socialProfiles } from '../../schema/social.ts'
import type { GuideConfig, GuideStatus, PostStatus, SocialPlatform } from '../../schema/values/social.ts'
import { audit } from '../db/audit.ts'
import type { AnyPart } from '../db/part.ts'
import { select } from '../db/read-parts.ts'
import type { Parts } from '../db/statement.ts'
import { ONE_ROW, statement } from '../db/statement.ts'
import { type Changes, insert, type NewRow, remove, update } from '../db/write-parts.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { guideJob, postJob } from './job.ts'

type NewAccount = {
  id: number
  accountId: number
  projectId: number
  platform: SocialPlatform
  remoteId: string
  name: string
  username: string
  url: string
  sealedSecrets: string
  sealedSession: string | null
}

/** Saves an account that is called directly, in place of the same one from before. */
export const saveAccount = (ctx: Ctx, account: NewAccount, answer: object): SQL => {
  const now = ctx.now()
  const before = update(
    'before',
    socialAccounts,
    { status: 'Disconnected', sealedSecrets: '', sealedSession: null, updatedAt: now },
    {
      where: sql`${and(
        eq(socialAccounts.projectId, account.projectId),
        eq(socialAccounts.platform, account.platform),
        eq(socialAccounts.remoteId, account.remoteId),
        eq(socialAccounts.status, 'Active'),
      )}`,
      returning: { id: socialAccounts.id },
    },
  )
  // Counted, so that the one before is disconnected before the new one is inserted.
  const ready = select('ready', { before: sql`count(*)` }, sql`from ${before.rows}`, { materialized: true })
  const made = insert(
    'made',
    socialAccounts,
    { ...account, createdAt: now, updatedAt: now },
    {
      from: [ready],
      returning: { id: socialAccounts.id },
    },
  )
  return statement({
    parts: [before, ready, made, ctx.keep.answer([made], answer)],
    audit: audit(ctx, {
      of: made,
      account: account.accountId,
      action: 'social.connect',
      on: ['social_account', made.c.id],
      detail: { platform: account.platform, username: account.username },
    }),
    answer: { id: made.c.id },
  })
}

/** Disconnects an account and forgets its secrets. */
export const forgetAccount = (ctx: Ctx, accountId: number, id: number): SQL => {
  const gone = update(
    'gone',
    socialAccounts,
    { status: 'Disconnected', sealedSecrets: '', sealedSession: null, updatedAt: ctx.now() },
    {
      where: sql`${and(eq(socialAccounts.id, id), eq(socialAccounts.accountId, accountId), eq(socialAccounts.status, 'Active'))}`,
      returning: { id: socialAccounts.id },
    },
  )
  return statement({
    parts: [gone],
    audit: audit(ctx, { of: gone, account: accountId, action: 'social.disconnect', on: ['social_account', gone.c.id] }),
    answer: { id: gone.c.id },
  })
}

/** Keeps the tokens a network gave in place of those that were read; no row when others came meanwhile. */
export const saveSession = (id: number, read: string | null, sealed: string): SQL => {
  const saved = update(
    'saved',
    socialAccounts,
    { sealedSession: sealed },
    {
      where: sql`${eq(socialAccounts.id, id)} and ${socialAccounts.sealedSession} is not distinct from ${read}::text`,
      returning: { id: socialAccounts.id },
    },
  )
  return statement({
    unaudited: 'tokens of the same account, as the network renews them',
    parts: [saved],
    answer: saved.c,
  })
}

/** Keeps the profile of a project; the one that is there already stays. */
export const saveProfile = (ctx: Ctx, profile: { accountId: number; projectId: number; remoteId: string }): SQL => {
  const saved = insert(
    'saved',
    socialProfiles,
    { ...profile, createdAt: ctx.now() },
    {
      onConflict: { columns: [socialProfiles.projectId] },
      returning: { id: socialProfiles.id },
    },
  )
  return statement({
    parts: [saved],
    audit: audit(ctx, {
      of: saved,
      account: profile.accountId,
      action: 'social.connect_begin',
      on: ['project', profile.projectId],
    }),
    answer: { id: saved.c.id },
  })
}

type NewPost = Pick<
  NewRow<typeof socialPosts>,
  'platform' | 'route' | 'socialAccountId' | 'content' | 'link' | 'mediaFiles' | 'options' | 'sendKey'
> & { id: number; guide: GuideConfig | null }

type NewPosts = { accountId: number; projectId: number; scheduledFor: Date | null; posts: readonly NewPost[] }

const statusOf = (scheduledFor: Date | null): PostStatus => (scheduledFor === null ? 'publishing' : 'scheduled')

/** Saves posts and has each brought out, now or on its date. */
export const savePosts = (ctx: Ctx, { accountId, projectId, scheduledFor, posts }: NewPosts, answer: object): SQL => {
  const now = ctx.now()
  const made = posts.map((post, n) => {
    const row = {
      ...post,
      accountId,
      projectId,
      status: statusOf(scheduledFor),
      scheduledFor,
      guideStatus: post.guide === null ? null : ('scheduled' as const),
      createdAt: now,
      updatedAt: now,
    }
    return insert(`made_${n}`, socialPosts, row, { returning: { id: socialPosts.id } })
  })
  const [first] = made
  if (!first) throw new Error('no post to save')
  const queued = made.map((of, n) =>
    postJob.enqueue({
      from: of,
      account: accountId,
      payload: { post_id: of.c.id },
      runAt: scheduledFor ?? now,
      open: 'keep',
      name: `queued_${n}`,
    }),
  )
  return statement({
    parts: [made, queued, ctx.keep.answer([first], answer)],
    audit: made.map((of, n) =>
      audit(ctx, {
        of,
        account: accountId,
        action: scheduledFor === null ? 'social.publish' : 'social.schedule',
        on: ['social_post', of.c.id],
        detail: { platform: posts[n]?.platform ?? '', account: posts[n]?.socialAccountId ?? '' },
        name: `audited_${n}`,
      }),
    ),
    answer: { id: first.c.id },
  })
}

type Drafts = {
  accountId: number
  projectId: number
  articleId: number
  goesOut: boolean
  posts: readonly Omit<NewPost, 'id' | 'guide'>[]
}

/** Saves posts about an article, those that are not there yet; where they go out at once, each is brought out. */
export const saveDrafts = (ctx: Ctx, { accountId, projectId, articleId, goesOut, posts }: Drafts): SQL => {
  const now = ctx.now()
  const made = posts.map((post, n) =>
    insert(
      `made_${n}`,
      socialPosts,
      {
        ...post,
        accountId,
        projectId,
        articleId,
        status: goesOut ? ('publishing' as const) : ('draft' as const),
        createdAt: now,
        updatedAt: now,
      },
      {
        onConflict: { columns: [socialPosts.articleId, socialPosts.socialAccountId] },
        returning: { id: socialPosts.id },
      },
    ),
  )
  const queued = made.map((of, n) =>
    postJob.enqueue({
      from: of,
      account: accountId,
      payload: { post_id: of.c.id },
      runAt: now,
      open: 'keep',
      name: `queued_${n}`,
    }),
  )
  return statement({
    parts: [made, goesOut && queued],
    audit: made.map((of, n) =>
      audit(ctx, {
        of,
        account: accountId,
        action: goesOut ? 'social.publish' : 'social.draft',
        on: ['social_post', of.c.id],
        detail: { article_id: articleId },
        name: `audited_${n}`,
      }),
    ),
    answer: { made: sql`1` },
    answerFrom: ONE_ROW,
  })
}

const ofAccount = (accountId: number, id: number, states: readonly PostStatus[]) =>
  and(eq(socialPosts.id, id), eq(socialPosts.accountId, accountId), inArray(socialPosts.status, [...states]))

/** States a post can be sent from by hand, and those it can be removed in: it is not out, and nothing is under way. */
export const SENDABLE: readonly PostStatus[] = ['draft', 'scheduled', 'failed']

type Sending = {
  accountId: number
  id: number
  content: string
  scheduledFor: Date | null
  /** Whether a request may have arrived before: it is looked up first. */
  maybeSent: boolean
}

/** Sends a post that waits, as if asked for now; no row when it moved on meanwhile. */
export const sendAgain = (
  ctx: Ctx,
  { accountId, id, content, scheduledFor, maybeSent }: Sending,
  answer: object,
): SQL => {
  const now = ctx.now()
  const sent = update(
    'sent',
    socialPosts,
    {
      content,
      scheduledFor,
      status: statusOf(scheduledFor),
      error: null,
      maybeSent,
      attempts: 0,
      lookups: 0,
      leaseUntil: null,
      updatedAt: now,
    },
    { where: sql`${ofAccount(accountId, id, SENDABLE)}`, returning: { id: socialPosts.id } },
  )
  const queued = postJob.enqueue({
    from: sent,
    account: accountId,
    payload: { post_id: sent.c.id },
    runAt: scheduledFor ?? now,
    open: 'move',
  })
  return statement({
    parts: [sent, queued, ctx.keep.answer([sent], answer)],
    audit: audit(ctx, {
      of: sent,
      account: accountId,
      action: scheduledFor === null ? 'social.publish' : 'social.schedule',
      on: ['social_post', sent.c.id],
    }),
    answer: { id: sent.c.id },
  })
}

/** Removes a post that is not out. A request whose outcome is not known keeps it. */
export const removePost = (ctx: Ctx, accountId: number, id: number): SQL => {
  const gone = remove('gone', socialPosts, {
    where: sql`${ofAccount(accountId, id, SENDABLE)} and not ${socialPosts.maybeSent}`,
    returning: { id: socialPosts.id },
  })
  return statement({
    parts: [gone, postJob.finish(gone, ctx.now())],
    audit: audit(ctx, { of: gone, account: accountId, action: 'social.delete', on: ['social_post', gone.c.id] }),
    answer: { id: gone.c.id },
  })
}

type Claim = { id: number; lease: Date; read: { attempts: number; lookups: number; maybeSent: boolean } }

/** Takes a post for one attempt; no row when another has it, or it is not as it was read. From now on it may have gone out. */
export const claimPost = (ctx: Ctx, { id, lease, read }: Claim): SQL => {
  const now = ctx.now()
  const claimed = update(
    'claimed',
    socialPosts,
    {
      status: 'publishing',
      leaseUntil: lease,
      maybeSent: true,
      updatedAt: now,
    },
    {
      where: sql`${and(
        eq(socialPosts.id, id),
        inArray(socialPosts.status, ['scheduled', 'publishing']),
        or(isNull(socialPosts.leaseUntil), lte(socialPosts.leaseUntil, now)),
        eq(socialPosts.attempts, read.attempts),
        eq(socialPosts.lookups, read.lookups),
        eq(socialPosts.maybeSent, read.maybeSent),
      )}`,
      returning: { id: socialPosts.id },
    },
  )
  return statement({
    unaudited: 'what an attempt did is written to the audit log when it ends',
    parts: [claimed],
    answer: { id: claimed.c.id },
  })
}

/** The post while the attempt of this lease has it. */
const held = (id: number, lease: Date): SQL => sql`${and(eq(socialPosts.id, id), eq(socialPosts.leaseUntil, lease))}`

type Ending = {
  id: number
  accountId: number
  lease: Date
  changes: Changes<typeof socialPosts>
  deed?: string
  detail?: Record<string, unknown>
}

/** Writes how an attempt ended; nothing when another took the post over. `after`: parts that follow from it. */
export const endAttempt = (
  ctx: Ctx,
  { id, accountId, lease, changes, deed, detail = {} }: Ending,
  after: (ended: AnyPart & { c: { id: SQL } }) => Parts = () => [],
): SQL => {
  const ended = update(
    'ended',
    socialPosts,
    { ...changes, leaseUntil: null, updatedAt: ctx.now() },
    { where: held(id, lease), returning: { id: socialPosts.id } },
  )
  const base = { parts: [ended, after(ended)], answer: { id: ended.c.id } }
  if (deed === undefined) return statement({ ...base, unaudited: 'nothing is out, and it is looked at again' })
  return statement({
    ...base,
    audit: audit(ctx, { of: ended, account: accountId, action: deed, on: ['social_post', ended.c.id], detail }),
  })
}

/** Ends a post that can never go out, unless an attempt is under way. */
export const failPost = (ctx: Ctx, id: number, reason: string): SQL => {
  const now = ctx.now()
  const failed = update(
    'failed',
    socialPosts,
    { status: 'failed', error: reason, leaseUntil: null, updatedAt: now },
    {
      where: sql`${and(
        eq(socialPosts.id, id),
        inArray(socialPosts.status, ['scheduled', 'publishing']),
        or(isNull(socialPosts.leaseUntil), lte(socialPosts.leaseUntil, now)),
      )}`,
      returning: { id: socialPosts.id, accountId: socialPosts.accountId },
    },
  )
  return statement({
    parts: [failed],
    audit: audit(ctx, {
      of: failed,
      account: failed.c.accountId,
      action: 'social.failed',
      on: ['social_post', failed.c.id],
      detail: { reason },
    }),
    answer: { id: failed.c.id },
  })
}

type GuideChange = { accountId: number; id: number; guide: GuideConfig; status: GuideStatus; wakes: boolean }

/** Sets what a post's commenters are to be answered; a job brings the rule to it where the post is out. */
export const changeGuide = (ctx: Ctx, { accountId, id, guide, status, wakes }: GuideChange): SQL => {
  const now = ctx.now()
  const changed = update(
    'changed',
    socialPosts,
    { guide, guideStatus: status, guideError: null, updatedAt: now },
    {
      where: sql`${and(eq(socialPosts.id, id), eq(socialPosts.accountId, accountId))}`,
      returning: { id: socialPosts.id },
    },
  )
  return statement({
    parts: [changed, wakes && wakeGuide(changed, accountId, now)],
    audit: audit(ctx, {
      of: changed,
      account: accountId,
      action: 'social.comment_for_guide',
      on: ['social_post', changed.c.id],
      detail: { status },
    }),
    answer: { id: changed.c.id },
  })
}

/** A part that has the rule of posts brought to what is asked for. */
export const wakeGuide = (of: AnyPart & { c: { id: SQL } }, accountId: number, now: Date) =>
  guideJob.enqueue({ from: of, account: accountId, payload: { post_id: of.c.id }, runAt: now, open: 'move' })

type GuideEnd = { id: number; read: GuideConfig; status: GuideStatus; error: string | null; remoteId: string | null }

/** Writes how the rule stands, if what is asked for is still what was read. */
export const endGuide = (ctx: Ctx, { id, read, status, error, remoteId }: GuideEnd): SQL => {
  const ended = update(
    'ended',
    socialPosts,
    { guideStatus: status, guideError: error, guideRemoteId: remoteId, updatedAt: ctx.now() },
    {
      where: sql`${eq(socialPosts.id, id)} and ${socialPosts.guide} = ${JSON.stringify(read)}::jsonb`,
      returning: { id: socialPosts.id },
    },
  )
  return statement({ unaudited: 'asking for the rule was audited', parts: [ended], answer: ended.c })
}

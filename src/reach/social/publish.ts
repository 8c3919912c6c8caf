import type { SQL } from 'drizzle-orm'
import type { GuideConfig, MediaFile, SocialPlatform } from '../../../schema/values/social.ts'
import { refusalOrQuestion } from '../../accounts/policy/read.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { rowsOf } from '../../platform/db/client.ts'
import { ApiError, type FieldError, invalidInput } from '../../platform/lib/errors.ts'
import { strippedOfMarks } from '../../platform/lib/model-marks.ts'
import { dayIn, instantOf } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { accountsReachableFrom, howToConnect, type Reachable } from './accounts.ts'
import { guideMisfit, guideOfInput, mediaOf, requirePublicFiles } from './input-rules.ts'
import { type NewStatus, savePosts, statusOf } from './new-posts.ts'
import type { PublishPostsInput } from './operations.ts'
import type { Social } from './port.ts'
import { dateInWords, passed, pendingPostsText, proposedPosts } from './present.ts'
import { directAccountsOf, nextPostIds, profileOf, samePost } from './queries.ts'
import { mediaMisfit, misfit, NETWORKS, networkOf } from './rules.ts'

/** A post that a call wants on one network. */
type Wanted = {
  platform: SocialPlatform
  accountId: string | undefined
  field: string
  /** Field that names the account. */
  accountField: string
  content: string
  /** Parts removed from the caller's text. */
  removed: readonly string[]
  link: string | null
  media: MediaFile[]
  options: Record<string, unknown>
}

type Overrides = Partial<
  Record<SocialPlatform, { given: NonNullable<PublishPostsInput['platform_overrides']>[string]; field: string }>
>

const overridesOf = (input: PublishPostsInput, asked: ReadonlySet<SocialPlatform>): Overrides => {
  const overrides: Overrides = {}
  const wrong: FieldError[] = []
  for (const [name, given] of Object.entries(input.platform_overrides ?? {})) {
    const platform = networkOf(name)
    const field = `platform_overrides.${name.slice(0, 50)}`
    if (platform && overrides[platform])
      wrong.push({ field, message: `names ${NETWORKS[platform].name} again, after ${overrides[platform].field}` })
    else if (platform && asked.has(platform)) overrides[platform] = { given, field }
    else wrong.push({ field, message: 'is not one of platforms', allowed: [...asked] })
  }
  if (wrong.length > 0) throw invalidInput(wrong)
  return overrides
}

/** A call that names its networks. */
type Named = PublishPostsInput & Required<Pick<PublishPostsInput, 'platforms'>>

/** Returns the posts of the call, one for each network. Throws 400 if a network is named twice, or a post does not fit. */
const wantedOf = (input: Named): Wanted[] => {
  const targets = input.platforms.map((target) => (typeof target === 'string' ? { platform: target } : target))
  const asked = new Set(targets.map(({ platform }) => platform))
  const overrides = overridesOf(input, asked)
  const wrong: FieldError[] = []
  const wanted = targets.map((target, n): Wanted => {
    const { platform } = target
    const field = `platforms.${n}`
    if (targets.findIndex((other) => other.platform === platform) < n)
      wrong.push({
        field,
        message: `names ${NETWORKS[platform].name} again: a post goes out from one account on each network`,
      })
    const own = overrides[platform]?.given
    const accountId = 'account_id' in target ? target.account_id : undefined
    const { text, removed } = strippedOfMarks(own?.content ?? input.content ?? '')
    return {
      platform,
      field,
      accountField: accountId === undefined ? 'account_id' : `${field}.account_id`,
      accountId: accountId ?? (targets.length === 1 ? input.account_id : undefined),
      content: text,
      removed,
      link: own?.link === undefined ? (input.link ?? null) : own.link,
      media: mediaOf(own?.media_files ?? input.media_files ?? []),
      options: own?.options ?? {},
    }
  })
  if (targets.length > 1 && input.account_id !== undefined)
    wrong.push({
      field: 'account_id',
      message: 'is for one network; with several, send one for each: {platform, account_id}',
    })
  for (const { platform, content, link, media } of wanted) {
    const own = overrides[platform]
    const text = misfit(platform, { content, link, media })
    if (text)
      wrong.push({ field: own?.given.content === undefined ? 'content' : `${own.field}.content`, message: text })
    const files = mediaMisfit(platform, media)
    if (files)
      wrong.push({
        field: own?.given.media_files === undefined ? 'media_files' : `${own.field}.media_files`,
        message: files,
      })
  }
  if (wrong.length > 0) throw invalidInput(wrong)
  return wanted
}

type Checked = { wanted: Wanted[]; guide: GuideConfig | null }

const check = (input: Named): Checked => {
  const wanted = wantedOf(input)
  const guide = guideOfInput(input)
  if (guide === null) return { wanted, guide }
  const wrong = wanted.flatMap(({ platform }) => guideMisfit(platform, guide) ?? [])
  if (wrong.length > 0) throw invalidInput(wrong)
  return { wanted, guide }
}

/** Returns the accounts to choose from: the direct ones if there are any, else all. */
const preferred = (accounts: readonly Reachable[]): readonly Reachable[] => {
  const direct = accounts.filter(({ route }) => route === 'direct')
  return direct.length > 0 ? direct : accounts
}

/** Returns the account a post goes out from. Throws 400 if there is none, or if there are several and none was named. */
const accountFor = (
  { platform, accountId, field, accountField }: Wanted,
  all: readonly Reachable[],
  projectId: number,
): Reachable => {
  const { name } = NETWORKS[platform]
  const fitting = all.filter((account) => account.platform === platform)
  const named = accountId === undefined ? undefined : fitting.find(({ id }) => id === accountId)
  const usable = preferred(fitting.filter((account) => account.usable))
  if (accountId !== undefined && !named)
    throw invalidInput([
      {
        field: accountField,
        message: `belongs to no ${name} account of this project`,
        allowed: usable.map(({ id }) => id),
      },
    ])
  if (named && !named.usable)
    throw invalidInput([
      { field: accountField, message: `must be connected again: ${name} no longer accepts its access` },
    ])
  const found = named ?? usable[0]
  if (!found)
    throw new ApiError('no_social_account', `No ${name} account is connected to the project.`, {
      details: [
        { field, message: `no ${name} account is connected`, allowed: [...new Set(all.map((one) => one.platform))] },
      ],
      next_calls: [
        {
          method: 'POST',
          path: '/social/accounts',
          body: { project_id: projectId, platform },
          why: `Creates a link at which a person connects an account of ${name}.`,
        },
      ],
      instructions_for_agent: howToConnect(projectId, name, all.length > 0),
    })
  if (!named && usable.length > 1)
    throw invalidInput([
      {
        field,
        message: `the project has several ${name} accounts: choose one with {platform, account_id}`,
        allowed: usable.map(({ id }) => id),
      },
    ])
  return found
}

const checkDirect = (social: Social, wanted: Wanted, account: Reachable): void => {
  const reason = account.route === 'direct' ? social.direct[wanted.platform]?.misfit?.(wanted) : undefined
  if (reason) throw invalidInput([{ field: 'media_files', message: reason }])
}

const isNamed = (input: PublishPostsInput): input is Named => input.platforms !== undefined

/** Returns the call with the network of the account it names. Throws 400 if the project does not have the account. */
const withNetwork = (input: PublishPostsInput, all: readonly Reachable[]): Named => {
  const account = all.find(({ id }) => id === input.account_id)
  if (account) return { ...input, platforms: [account.platform] }
  throw invalidInput([
    { field: 'account_id', message: 'is not an account of this project', allowed: all.map(({ id }) => id) },
  ])
}

/** Answer for the posts that a call made. */
type Made = {
  posts: {
    post_id: number
    platform: SocialPlatform
    account_id: string
    status: NewStatus
    url: null
    error: null
  }[]
  status: NewStatus
  scheduled: boolean
  message: string
  removed?: readonly string[]
}

const messageOf = (made: Pick<Made, 'posts' | 'status'>, projectId: number, date: Date | null): string => {
  const ids = made.posts.map(({ post_id }) => post_id)
  if (made.status === 'publishing') return `${passed(date)}${pendingPostsText(projectId, ids)}`
  if (made.status === 'scheduled')
    return `The ${ids.length === 1 ? 'post goes' : 'posts go'} out at ${date?.toISOString()}.`
  return ids.length === 1
    ? `The post is a draft. POST /social/posts/${ids[0]}/publish sends it, now or at a time.`
    : 'The posts are drafts. POST /social/posts/:post_id/publish sends each, now or at a time.'
}

/** Returns the error for a post that was sent already, with the id of that one. */
const duplicate = async (ctx: Ctx, projectId: number, same: SQL): Promise<ApiError> => {
  const [first] = await rowsOf<{ id: number; platform: SocialPlatform }>(ctx.db, same)
  const where = first ? ` on ${NETWORKS[first.platform].name} as post ${first.id}` : ''
  return new ApiError(
    'duplicate_post',
    `The same post was sent${where} within the last ten minutes. Nothing was sent. Send "allow_duplicate": true to publish it twice.`,
    {
      ...(first ? { post_id: first.id } : {}),
      next_calls: [
        first
          ? { method: 'GET', path: `/social/posts/${first.id}`, why: 'Shows the state of the first one.' }
          : { method: 'GET', path: `/social/posts?project_id=${projectId}`, why: 'Lists the posts of the project.' },
      ],
    },
  )
}

/**
 * Saves a post for each network and publishes them, now or on their date; a date in the past means now. Drafts are only saved.
 *
 * Throws 400 for a post that does not fit its network, 404, 403 also if the policy forbids it, 409 if it was published already.
 *
 * Throws 503 if the provider cannot list the accounts.
 */
export const publishPosts = (ctx: Ctx, social: Social, input: PublishPostsInput): Promise<Made> =>
  makePosts(ctx, social, input, { answerOf: (made) => made, pinned: (body) => body })

type Shape<A> = {
  answerOf: (made: Made) => A
  /** Returns the caller's body with the accounts of this call, so that an approved call goes to no other account. */
  pinned: (body: Named) => unknown
}

type Sent = { platform: SocialPlatform; socialAccountId: string }

/** Returns the call with the accounts that its posts go out from. */
const withAccounts = ({ account_id: _, ...input }: PublishPostsInput, posts: readonly Sent[]): Named => ({
  ...input,
  platforms: posts.map(({ platform, socialAccountId }) => ({ platform, account_id: socialAccountId })),
})

/** Publishes posts like `publishPosts`, with an answer in a form of the caller. */
export const makePosts = async <A extends object>(
  ctx: Ctx,
  social: Social,
  input: PublishPostsInput,
  { answerOf, pinned }: Shape<A>,
): Promise<A> => {
  requirePublicFiles(input, ctx.settings)
  const early = isNamed(input) ? check(input) : undefined
  const { project_id: projectId } = input
  const {
    project,
    results: { profiles, direct, ids },
  } = await readWithProject(ctx, projectId, {
    profiles: profileOf(ctx.db, projectId),
    direct: directAccountsOf(ctx.db, projectId),
    ids: nextPostIds(ctx.db, early?.wanted.length ?? 1),
  })
  const date = input.scheduled_for ? instantOf(input.scheduled_for, project.timezone, project.publishTime) : null
  const scheduledFor = date && date > ctx.now() ? date : null
  const scheduledDay = input.scheduled_for && scheduledFor ? dayIn(input.scheduled_for) : null
  const status: NewStatus = input.draft ? 'draft' : statusOf(scheduledFor)
  const all = await accountsReachableFrom(social, direct, profiles[0]?.remoteId)
  const guideStatus = input.comment_for_guide_config?.is_active === false ? 'disabled' : 'scheduled'
  const { wanted, guide } = early ?? check(withNetwork(input, all))
  const accounts = wanted.map((one) => accountFor(one, all, projectId))
  const posts = wanted.map((one, n) => {
    const account = accounts[n] as Reachable
    checkDirect(social, one, account)
    return {
      id: Number(ids.rows[n]?.id),
      platform: one.platform,
      route: account.route,
      socialAccountId: account.id,
      content: one.content,
      link: one.link,
      mediaFiles: one.media,
      options: one.options,
      sendKey: ctx.newId(),
      guide,
      guideStatus: guide && guideStatus,
    } as const
  })
  const made = {
    posts: posts.map(({ id, platform, socialAccountId }) => ({
      post_id: id,
      platform,
      account_id: socialAccountId,
      status,
      url: null,
      error: null,
    })),
    status,
    scheduled: status === 'scheduled',
  }
  const removed = [...new Set(wanted.flatMap((one) => one.removed))]
  const answer = answerOf({
    ...made,
    message: messageOf(made, projectId, date),
    ...(removed.length > 0 ? { removed } : {}),
  })
  const account = await ctx.account()
  const allowsSame = input.allow_duplicate === true
  const saved = { accountId: account.id, projectId, scheduledFor, scheduledDay, status, posts, allowsSame }
  const { isSaved, rule } = await savePosts(ctx, saved, answer)
  if (!isSaved && rule !== null)
    throw await refusalOrQuestion(ctx, projectId, rule, 'social_post', () => ({
      kind: 'social_post',
      projectId,
      ...proposedPosts(
        posts.map((post, n) => ({
          ...post,
          account: accounts[n]?.username || accounts[n]?.name || post.socialAccountId,
        })),
        dateInWords(scheduledFor, project.timezone),
      ),
      body: pinned(withAccounts(input, posts)),
    }))
  if (!isSaved) throw await duplicate(ctx, projectId, samePost(projectId, posts, scheduledFor ?? ctx.now(), ctx.now()))
  if (status !== 'draft') ctx.defer(ctx.wakeQueue())
  return answer
}

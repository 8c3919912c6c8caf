import * as z from 'zod/mini'
import { POST_STATUSES, SOCIAL_PLATFORMS } from '../../../schema/values/social.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { httpUrl, id, intParam, isoTime, label, labels, rawText, text } from '../../platform/lib/fields.ts'
import { networkOf } from './rules.ts'

/** Returns the schema of a network's name, or its other name, in any case. */
const network = () =>
  z.pipe(
    z.string().check(
      z.refine((given) => networkOf(given) !== undefined, {
        error: `must be one of: ${SOCIAL_PLATFORMS.join(', ')}`,
        params: { allowed: SOCIAL_PLATFORMS },
      }),
    ),
    z.transform((given) => networkOf(given) as (typeof SOCIAL_PLATFORMS)[number]),
  )

const accountId = () => text(100, 1)

/** Returns the schema of a text, up to the longest that any network accepts. */
const content = () => rawText(63_206)

const MediaObject = z.object({
  type: label(['image', 'video']),
  url: httpUrl(),
  size: z.optional(z.int().check(z.gte(0))),
  width: z.optional(z.nullable(z.int().check(z.gte(1)))),
  height: z.optional(z.nullable(z.int().check(z.gte(1)))),
  alt_text: z.optional(text(1_000)),
})

/** Returns the schema of a post's files: media objects as `POST /social/media` answers them, or addresses. */
const mediaFiles = () => z.array(z.union([httpUrl(), MediaObject])).check(z.maxLength(35))

const MAX_OPTIONS = 4_000

/** Escape of JSON text for a character that no field may have. */
const ESCAPED = /(?<!\\)(?:\\\\)*\\u/

const options = () =>
  z.record(z.string(), z.unknown()).check(
    z.refine((value) => JSON.stringify(value).length <= MAX_OPTIONS, {
      error: `must be at most ${MAX_OPTIONS} characters of JSON`,
    }),
    z.refine((value) => !ESCAPED.test(JSON.stringify(value)), {
      error: 'must not contain control characters or lone surrogates',
    }),
  )

const Override = z.object({
  content: z.optional(content()),
  link: z.optional(z.nullable(httpUrl())),
  media_files: z.optional(mediaFiles()),
  options: z.optional(options()),
})

/** Returns the schema of a delivery method. `reply` is another name of `public_reply`. */
const deliveryMethod = () =>
  z.pipe(
    label(['dm', 'public_reply', 'reply']),
    z.transform((given) => (given === 'reply' ? 'public_reply' : given)),
  )

const guideFields = () => ({
  match_mode: z.optional(label(['keyword', 'all'])),
  trigger_keyword: z.optional(z.nullable(text(100))),
  delivery_method: z.optional(deliveryMethod()),
  custom_message: z.optional(text(640)),
  is_active: z.optional(z.boolean()),
})

const NewGuide = z.object({ ...guideFields(), delivery_url: httpUrl() })
const GuideChange = z.object({ ...guideFields(), delivery_url: z.optional(httpUrl()) })

const Target = z.union([network(), z.object({ platform: network(), account_id: z.optional(accountId()) })])

/** Body of `POST /social/publish`. An `account_id` alone also determines the network. */
const PublishPosts = z
  .object({
    project_id: id(),
    content: z.optional(content()),
    platforms: z.optional(z.array(Target).check(z.minLength(1), z.maxLength(20))),
    account_id: z.optional(accountId()),
    link: z.optional(z.nullable(httpUrl())),
    media_files: z.optional(mediaFiles()),
    platform_overrides: z.optional(z.record(z.string(), Override)),
    scheduled_for: z.optional(z.nullable(isoTime())),
    draft: z.optional(z.boolean()),
    allow_duplicate: z.optional(z.boolean()),
    is_comment_for_guide: z.optional(z.boolean()),
    comment_for_guide_config: z.optional(NewGuide),
  })
  .check(
    z.refine(({ draft, scheduled_for }) => !draft || !scheduled_for, {
      path: ['scheduled_for'],
      error: 'cannot be combined with draft: send the date to POST /social/posts/:post_id/publish',
    }),
    z.refine(({ platforms, account_id }) => (platforms ?? account_id) !== undefined, {
      path: ['platforms'],
      error: 'is required, or account_id',
      // Also checked if other fields are missing, so that the error names all of them at once.
      when: () => true,
    }),
  )

/** Body of `POST /social/posts/:post_id/publish`. */
export const PublishPost = z.object({
  content: z.optional(content()),
  scheduled_for: z.optional(z.nullable(isoTime())),
})

/** Body of `PUT /social/posts/:post_id/comment-for-guide`. */
const ChangeGuide = z.object({
  is_comment_for_guide: z.optional(z.boolean()),
  comment_for_guide_config: z.optional(GuideChange),
})

const AccountsQuery = z.object({ project_id: intParam(1) })

/** Body of `POST /social/accounts`; each network's own fields are checked by its adapter. */
export const ConnectAccount = z.looseObject({ project_id: id(), platform: network() })

/** Id of a direct account, as callers know it. */
const DirectAccountId = z.pipe(
  z.string().check(
    z.refine((given) => /^acc_[1-9]\d{0,8}$/.test(given), {
      error: 'must be the id of an account that was connected directly, such as acc_12',
    }),
  ),
  z.transform((given) => Number(given.slice(4))),
)

const ListPosts = z.object({
  ...pagingParams(),
  project_id: z.optional(intParam(1)),
  status: z.optional(labels(POST_STATUSES)),
  platform: z.optional(network()),
})

export type PublishPostsInput = z.infer<typeof PublishPosts>
export type PublishPostInput = z.infer<typeof PublishPost>
export type ChangeGuideInput = z.infer<typeof ChangeGuide>
export type ConnectAccountInput = z.infer<typeof ConnectAccount>
export type ListPostsInput = z.infer<typeof ListPosts>
export type GivenMedia = NonNullable<PublishPostsInput['media_files']>
export type GivenGuide = NonNullable<ChangeGuideInput['comment_for_guide_config']>

/** Endpoints of social publishing. */
export const socialOperations = {
  accounts: {
    id: 'social.accounts',
    method: 'GET',
    path: '/social/accounts',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists the social accounts that a project can post from, and those that a person has to connect again.',
    query: AccountsQuery,
    errors: ['not_found', 'forbidden', 'social_account_rejected', 'provider_unavailable'],
  },
  connect: {
    id: 'social.connect',
    method: 'POST',
    path: '/social/accounts',
    perMinute: 10,
    scope: 'write',
    summary:
      'Connects a social account. Bluesky (`identifier`, `app_password`, `service_url`) and Telegram (`bot_token`, `chat_id`) connect directly. For other networks, and without these fields, it returns a URL at which a person connects the account.',
    success: [201],
    json: ConnectAccount,
    errors: [
      'forbidden_url',
      'not_found',
      'forbidden',
      'unsupported_platform',
      'social_account_rejected',
      'provider_unavailable',
      'edit_conflict',
    ],
  },
  disconnect: {
    id: 'social.disconnect',
    method: 'DELETE',
    path: '/social/accounts/:account_id',
    perMinute: 10,
    scope: 'write',
    summary: 'Disconnects a directly connected account and deletes its secrets.',
    params: { account_id: DirectAccountId },
    errors: ['not_found', 'forbidden'],
  },
  publish: {
    id: 'social.publish',
    method: 'POST',
    path: '/social/publish',
    perMinute: 10,
    typicalSeconds: 10,
    isShared: true,
    scope: 'draft',
    wider: { scope: 'write', when: 'A post that is not a draft', needs: ({ draft }) => draft !== true },
    summary:
      'Publishes a post on one or more networks, now or at a set time, once on each network. Or saves it as a draft.',
    success: [201, 202],
    json: PublishPosts,
    errors: [
      'policy',
      'duplicate_post',
      'forbidden_url',
      'not_found',
      'forbidden',
      'no_social_account',
      'social_account_rejected',
      'provider_unavailable',
    ],
  },
  posts: {
    id: 'social.posts',
    method: 'GET',
    path: '/social/posts',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists posts, newest first.',
    query: ListPosts,
    errors: ['not_found', 'forbidden'],
  },
  post: {
    id: 'social.post',
    method: 'GET',
    path: '/social/posts/:post_id',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns a post and its status.',
    errors: ['not_found', 'forbidden'],
  },
  publishPost: {
    id: 'social.publish_post',
    method: 'POST',
    path: '/social/posts/:post_id/publish',
    perMinute: 5,
    typicalSeconds: 10,
    scope: 'write',
    summary:
      'Publishes a draft or retries a failed post, now or at a set time. If the post may already be published, the service checks first.',
    success: [200, 202],
    json: PublishPost,
    bodyOptional: true,
    errors: ['not_found', 'forbidden', 'invalid_transition', 'policy', 'project_archived'],
  },
  deletePost: {
    id: 'social.delete_post',
    method: 'DELETE',
    path: '/social/posts/:post_id',
    perMinute: 10,
    scope: 'write',
    scopeReason: 'a deletion cannot be undone',
    summary: 'Deletes a post that is not published: a draft, scheduled or failed post.',
    errors: ['not_found', 'forbidden', 'invalid_transition'],
  },
  guide: {
    id: 'social.comment_for_guide',
    method: 'PUT',
    path: '/social/posts/:post_id/comment-for-guide',
    perMinute: 10,
    scope: 'write',
    summary: 'Sets, changes or stops the rule that answers commenters on a post with a link.',
    success: [200, 202],
    json: ChangeGuide,
    errors: ['not_found', 'forbidden', 'invalid_transition', 'policy'],
  },
} as const satisfies Operations

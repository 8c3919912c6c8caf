import * as z from 'zod/mini'
import { POST_STATUSES } from '../../../schema/values/social.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { httpUrl, id, intParam, isoTime, labels, means } from '../../platform/lib/fields.ts'
import { accountId, content, GuideChange, mediaFiles, NewGuide, network, Override, Target } from './post-fields.ts'

/** Body of `POST /social/publish`. An `account_id` alone also determines the network. */
export const PublishPosts = z
  .object({
    project_id: means('ID of the project, as listed by `GET /projects`.', id()),
    content: means(
      'Text of the post. Each network has its own length limit.',
      z.optional(content()),
      'none, if the network accepts posts without text',
    ),
    platforms: means(
      'Networks, one account on each: names or objects.',
      z.optional(z.array(Target).check(z.minLength(1), z.maxLength(20))),
      'the network of `account_id`',
    ),
    account_id: means(
      'ID of the account, if you name one network.',
      z.optional(accountId()),
      'the only connected account',
    ),
    link: means('URL to add after the text.', z.optional(z.nullable(httpUrl())), 'none'),
    media_files: means(
      'Images and videos: URLs, or media objects as returned by `POST /social/media`.',
      z.optional(mediaFiles()),
      'none',
    ),
    platform_overrides: means(
      'Other values per network: `content`, `link`, `media_files` or `options` (at most 4,000 characters of JSON).',
      z.optional(z.record(z.string(), Override)),
      'none',
    ),
    scheduled_for: means(
      'Publication time. Without an offset: local time in the project’s time zone. A date alone: that day at `publish_time`.',
      z.optional(z.nullable(isoTime())),
      'now',
    ),
    draft: means(
      'True: only saves the post. Send it with `POST /social/posts/:post_id/publish`.',
      z.optional(z.boolean()),
      '`false`',
    ),
    allow_duplicate: means(
      'True: sends the post even if the same post was sent in the last ten minutes.',
      z.optional(z.boolean()),
      '`false`',
    ),
    is_comment_for_guide: means(
      'True: commenters get an answer with a link.',
      z.optional(z.boolean()),
      '`true` with `comment_for_guide_config`, otherwise `false`',
    ),
    comment_for_guide_config: means('Commenters who get an answer, and its content.', z.optional(NewGuide)),
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
  content: means('New text of the post.', z.optional(content()), 'the saved text'),
  scheduled_for: means(
    'Publication time. Without an offset: local time in the project’s time zone. A date alone: that day at `publish_time`.',
    z.optional(z.nullable(isoTime())),
    'now',
  ),
})

/** Body of `PUT /social/posts/:post_id/comment-for-guide`. */
const ChangeGuide = z.object({
  is_comment_for_guide: means('True: commenters get an answer with a link.', z.optional(z.boolean()), '`true`'),
  comment_for_guide_config: means('Commenters who get an answer, and its content.', z.optional(GuideChange)),
})

const AccountsQuery = z.object({ project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)) })

/** Body of `POST /social/accounts`; each network's own fields are checked by its adapter. */
export const ConnectAccount = z.looseObject({
  project_id: means('ID of the project, as listed by `GET /projects`.', id()),
  platform: means(
    'Social network. Bluesky takes `identifier`, `app_password` and `service_url`. Telegram takes `bot_token` and `chat_id`. Without them, and for all other networks, the response has a URL at which a person connects the account.',
    network(),
  ),
})

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
  project_id: means('Returns only posts of this project.', z.optional(intParam(1)), 'all projects of the account'),
  status: means(
    'Returns only posts with these statuses, separated by commas.',
    z.optional(labels(POST_STATUSES)),
    'all',
  ),
  platform: means('Returns only posts on this network.', z.optional(network()), 'all'),
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

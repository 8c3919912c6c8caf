import * as z from 'zod/mini'
import { POST_STATUSES, SOCIAL_PLATFORMS } from '../../../schema/values/social.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import { httpUrl, id, intParam, isoTime, label, labels, rawText, text } from '../../platform/lib/fields.ts'
import { networkOf } from './rules.ts'

/** Returns a network by its name or its other name, without regard to case. */
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

/** Returns the longest text any network takes. */
const content = () => rawText(63_206)

const MediaObject = z.object({
  type: label(['image', 'video']),
  url: httpUrl(),
  size: z.optional(z.int().check(z.gte(0))),
  width: z.optional(z.nullable(z.int().check(z.gte(1)))),
  height: z.optional(z.nullable(z.int().check(z.gte(1)))),
  alt_text: z.optional(text(1_000)),
})

/** Files of a post: media objects as POST /social/media answers them, or addresses of pictures. */
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

/** `reply` is another name of `public_reply`. */
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

/** Body of `POST /social/publish`. An `account_id` alone names its network, too. */
export const PublishPosts = z
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
      error: 'does not go with draft: give the date to POST /social/posts/:post_id/publish',
    }),
    z.refine(({ platforms, account_id }) => (platforms ?? account_id) !== undefined, {
      path: ['platforms'],
      error: 'is required, or account_id',
      // Also beside what else is missing, so that all of it is named at once.
      when: () => true,
    }),
  )

/** Body of `POST /social/posts/:post_id/publish`. */
export const PublishPost = z.object({
  content: z.optional(content()),
  scheduled_for: z.optional(z.nullable(isoTime())),
})

/** Body of `PUT /social/posts/:post_id/comment-for-guide`. */
export const ChangeGuide = z.object({
  is_comment_for_guide: z.optional(z.boolean()),
  comment_for_guide_config: z.optional(GuideChange),
})

export const AccountsQuery = z.object({ project_id: intParam(1) })

/** Body of `POST /social/accounts`; each network's own fields are checked by its adapter. */
export const ConnectAccount = z.looseObject({ project_id: id(), platform: network() })

/** An account that is called directly, as callers name it. */
export const DirectAccountId = z.pipe(
  z.string().check(
    z.refine((given) => /^acc_[1-9]\d{0,8}$/.test(given), {
      error: 'must be the id of an account that was connected directly, such as acc_12',
    }),
  ),
  z.transform((given) => Number(given.slice(4))),
)

export const ListPosts = z.object({
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

import * as z from 'zod/mini'
import { GUIDE_STATUSES, POST_STATUSES, SOCIAL_PLATFORMS } from '../../../schema/values/social.ts'
import { awaitingAnswer } from '../../accounts/approvals/answers.ts'
import { type AnswersOf, body, count, id, instant, page } from '../../platform/http/answers.ts'
import type { socialOperations } from './operations.ts'

const platform = z.enum(SOCIAL_PLATFORMS)

const account = z.strictObject({
  platform,
  account_id: z.string(),
  account_name: z.string(),
  username: z.string(),
})

const media = z.strictObject({
  type: z.enum(['image', 'video']),
  url: z.string(),
  size: z.optional(count()),
  width: z.optional(id()),
  height: z.optional(id()),
  alt_text: z.optional(z.string()),
})

const guide = z.strictObject({
  enabled: z.boolean(),
  config: z.nullable(
    z.strictObject({
      match_mode: z.enum(['keyword', 'all']),
      trigger_keyword: z.nullable(z.string()),
      delivery_method: z.enum(['dm', 'public_reply']),
      delivery_url: z.string(),
      custom_message: z.string(),
    }),
  ),
  automation: z.nullable(z.strictObject({ status: z.enum(GUIDE_STATUSES), error: z.nullable(z.string()) })),
})

const post = {
  post_id: id(),
  project_id: id(),
  article_id: z.nullable(id()),
  platform,
  account_id: z.string(),
  content: z.string(),
  link: z.nullable(z.string()),
  media_files: z.array(media),
  status: z.enum(POST_STATUSES),
  scheduled_for: z.nullable(instant()),
  published_at: z.nullable(instant()),
  url: z.nullable(z.string()),
  error: z.nullable(z.string()),
  comment_for_guide: guide,
  created_at: instant(),
  updated_at: instant(),
}

const made = z.strictObject({
  post_id: id(),
  platform,
  account_id: z.string(),
  status: z.enum(POST_STATUSES),
  url: z.nullable(z.string()),
  error: z.nullable(z.string()),
})

/** Answers of the operations of social publishing. */
export const socialAnswers = {
  accounts: {
    200: body({
      connected: z.boolean(),
      accounts: z.array(account),
      lapsed_accounts: z.optional(
        z.array(z.strictObject({ ...account.shape, status: z.literal('lapsed'), error: z.string() })),
      ),
      instructions_for_agent: z.optional(z.string()),
    }),
  },
  connect: {
    201: body({
      status: z.enum(['connected', 'waiting_for_user']),
      account: z.optional(account),
      connect_url: z.optional(z.string()),
      message: z.string(),
      instructions_for_agent: z.optional(z.string()),
    }),
  },
  disconnect: { 200: body({ account_id: z.string(), deleted: z.literal(true), message: z.string() }) },
  publish: {
    201: body({
      posts: z.array(made),
      status: z.enum(['draft', 'scheduled', 'publishing']),
      scheduled: z.boolean(),
      message: z.string(),
      removed: z.optional(z.array(z.string())),
    }),
    202: body(awaitingAnswer),
  },
  posts: { 200: page({ posts: z.array(z.strictObject(post)) }) },
  post: { 200: body({ post: z.strictObject(post) }) },
  publishPost: {
    200: body({ post: z.strictObject(post), message: z.string(), removed: z.optional(z.array(z.string())) }),
    202: body(awaitingAnswer),
  },
  deletePost: { 200: body({ post_id: id(), deleted: z.literal(true), message: z.string() }) },
  guide: { 200: body({ post: z.strictObject(post), message: z.string() }), 202: body(awaitingAnswer) },
} satisfies AnswersOf<typeof socialOperations>

import * as z from 'zod/mini'
import { GUIDE_STATUSES, POST_STATUSES, SOCIAL_PLATFORMS } from '../../../schema/values/social.ts'
import { awaitingAnswer } from '../../accounts/approvals/answers.ts'
import {
  type AnswersOf,
  body,
  count,
  id,
  instant,
  means,
  message,
  page,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import type { socialOperations } from './operations.ts'

/** Marks that were removed from a post’s text. */
export const removed = means(
  'Marks that were removed from the text: `citation marks of a model`. Absent if there were none.',
  z.optional(z.array(z.string())),
)

const platform = z.enum(SOCIAL_PLATFORMS)

const account = z.strictObject({
  platform: means('Social network.', platform),
  account_id: means(
    'ID of the account, the `account_id` of calls that post. `acc_` and a number if this service connects directly, otherwise the provider’s ID.',
    z.string(),
  ),
  account_name: means('Display name of the account.', z.string()),
  username: means('Name of the account at the network. For a Telegram chat without a name: its number.', z.string()),
})

const media = z.strictObject({
  type: selfExplanatory(z.enum(['image', 'video'])),
  url: means('Public URL of the file.', z.string()),
  size: means('Size in bytes.', z.optional(count())),
  width: means('Width in pixels.', z.optional(id())),
  height: means('Height in pixels.', z.optional(id())),
  alt_text: means('Alternative text.', z.optional(z.string())),
})

const guide = z.strictObject({
  enabled: means('True if there is a rule that was not stopped. See `automation` for whether it works.', z.boolean()),
  config: means(
    'Commenters who get an answer, and its content. Kept after the rule is stopped. Null if there was none.',
    z.nullable(
      z.strictObject({
        match_mode: means(
          '`keyword`: commenters who write `trigger_keyword`. `all`: everyone.',
          z.enum(['keyword', 'all']),
        ),
        trigger_keyword: means(
          'Keyword in the comment. Null if none was sent, which only `all` allows.',
          z.nullable(z.string()),
        ),
        delivery_method: means(
          '`dm`: private message (Instagram only). `public_reply`: public answer.',
          z.enum(['dm', 'public_reply']),
        ),
        delivery_url: means('Link in the answer.', z.string()),
        custom_message: means('Text of the answer. `{url}` marks the position of the link.', z.string()),
      }),
    ),
  ),
  automation: means(
    'State of the rule. Null if there was none.',
    z.nullable(
      z.strictObject({
        status: means(
          '`scheduled`: waits for the post. `pending`: being set up. `active`: confirmed by the provider. `unverified`: set up, but the provider did not return it or returned another rule. `failed`: see `error`. `disabled`: stopped here or at the provider.',
          z.enum(GUIDE_STATUSES),
        ),
        error: means(
          'Reason why the rule does not work or was not confirmed. Null if there was no problem.',
          z.nullable(z.string()),
        ),
      }),
    ),
  ),
})

const post = {
  post_id: means('ID of the post, for `GET /social/posts/:post_id` and the paths below it.', id()),
  project_id: projectId(),
  article_id: means(
    'ID of the article of the post. Null if the post was not drafted for an article.',
    z.nullable(id()),
  ),
  platform: means('Social network.', platform),
  account_id: means('ID of the posting account, as listed by `GET /social/accounts`.', z.string()),
  content: means('Text of the post.', z.string()),
  link: means('URL after the text. Null if there is none.', z.nullable(z.string())),
  media_files: means('Images and videos. Properties that were not sent are absent.', z.array(media)),
  status: means(
    '`draft`: saved until it is published. `scheduled`: goes out at `scheduled_for`. `publishing`: being sent. `published`: visible to readers. `failed`: not published, or unknown whether it was.',
    z.enum(POST_STATUSES),
  ),
  scheduled_for: means('Planned publication time. Null if none was set.', z.nullable(instant())),
  published_at: means('Time of publication. Null until then.', z.nullable(instant())),
  url: means(
    'Public URL of the post. Null until it is published, or if the network returns none.',
    z.nullable(z.string()),
  ),
  error: means(
    'Reason why it is not published yet or why it failed, and whether it may still be published. Null if there was no problem.',
    z.nullable(z.string()),
  ),
  comment_for_guide: means('Rule that answers commenters with a link.', guide),
  created_at: selfExplanatory(instant()),
  updated_at: selfExplanatory(instant()),
}

const made = z.strictObject({
  post_id: means('ID of the post, for `GET /social/posts/:post_id` and the paths below it.', id()),
  platform: means('Social network.', platform),
  account_id: means('ID of the posting account, as listed by `GET /social/accounts`.', z.string()),
  status: means(
    '`draft`, `scheduled` or `publishing`. Follow it with `GET /social/posts/:post_id`.',
    z.enum(POST_STATUSES),
  ),
  url: means('Null: it is not published yet.', z.nullable(z.string())),
  error: means('Null: there is no problem yet.', z.nullable(z.string())),
})

/** Answers of the operations of social publishing. */
export const socialAnswers = {
  accounts: {
    200: body({
      connected: means('True if there is an account to post from.', z.boolean()),
      accounts: means('Accounts to post from: direct connections first, then those of the provider.', z.array(account)),
      lapsed_accounts: means(
        'Accounts that the network or the provider no longer accepts. A person has to connect them again. Absent if there are none.',
        z.optional(
          z.array(
            z.strictObject({
              ...account.shape,
              status: selfExplanatory(z.literal('lapsed')),
              error: means('Reason why no post goes out from the account.', z.string()),
            }),
          ),
        ),
      ),
      instructions_for_agent: means(
        'Steps to connect an account, or to connect it again. Absent if neither is needed.',
        z.optional(z.string()),
      ),
    }),
  },
  connect: {
    201: body({
      status: means(
        '`connected`: it can post now. `waiting_for_user`: a person has to open `connect_url` and agree.',
        z.enum(['connected', 'waiting_for_user']),
      ),
      account: means(
        'Connected account. Absent with `waiting_for_user`; `GET /social/accounts` lists it after the person agreed.',
        z.optional(account),
      ),
      connect_url: means(
        'URL at which a person connects the account. Absent with `connected`.',
        z.optional(z.string()),
      ),
      message: message(),
      instructions_for_agent: means('Message for the user. Absent with `connected`.', z.optional(z.string())),
    }),
  },
  disconnect: {
    200: body({
      account_id: means('ID of the disconnected account. It is no longer valid.', z.string()),
      deleted: selfExplanatory(z.literal(true)),
      message: message(),
    }),
  },
  publish: {
    201: body({
      posts: means('Posts, one for each network, in the order of `platforms`.', z.array(made)),
      status: means(
        '`draft`, `scheduled` or `publishing`. Follow it with `GET /social/posts/:post_id`.',
        z.enum(['draft', 'scheduled', 'publishing']),
      ),
      scheduled: means('True: the posts wait for `scheduled_for`. False: they go out now.', z.boolean()),
      message: message(),
      removed,
    }),
    202: body(awaitingAnswer),
  },
  posts: { 200: page({ posts: means('Posts, newest first.', z.array(z.strictObject(post))) }) },
  post: { 200: body({ post: selfExplanatory(z.strictObject(post)) }) },
  publishPost: {
    200: body({
      post: selfExplanatory(z.strictObject(post)),
      message: message(),
      removed,
    }),
    202: body(awaitingAnswer),
  },
  deletePost: {
    200: body({
      post_id: means('ID of the deleted post.', id()),
      deleted: selfExplanatory(z.literal(true)),
      message: message(),
    }),
  },
  guide: {
    200: body({
      post: selfExplanatory(z.strictObject(post)),
      message: message(),
    }),
    202: body(awaitingAnswer),
  },
} satisfies AnswersOf<typeof socialOperations>

import * as z from 'zod/mini'
import { SOCIAL_PLATFORMS } from '../../../schema/values/social.ts'
import { httpUrl, label, means, rawText, text } from '../../platform/lib/fields.ts'
import { networkOf } from './rules.ts'

/** Returns the schema of a network's name, or its other name, in any case. */
export const network = () =>
  z.pipe(
    z.string().check(
      z.refine((given) => networkOf(given) !== undefined, {
        error: `must be one of: ${SOCIAL_PLATFORMS.join(', ')}`,
        params: { allowed: SOCIAL_PLATFORMS },
      }),
    ),
    z.transform((given) => networkOf(given) as (typeof SOCIAL_PLATFORMS)[number]),
  )

/** Returns the schema of an account id. */
export const accountId = () => text(100, 1)

/** Returns the schema of a text, up to the longest that any network accepts. */
export const content = () => rawText(63_206)

const MediaObject = z.object({
  type: means('Type of the file.', label(['image', 'video'])),
  url: means('Public URL of the file.', httpUrl()),
  size: means('Size in bytes.', z.optional(z.int().check(z.gte(0)))),
  width: means('Width in pixels.', z.optional(z.nullable(z.int().check(z.gte(1))))),
  height: means('Height in pixels.', z.optional(z.nullable(z.int().check(z.gte(1))))),
  alt_text: means('Alternative text.', z.optional(text(1_000))),
})

/** Returns the schema of a post's files: media objects as `POST /social/media` answers them, or addresses. */
export const mediaFiles = () => z.array(z.union([httpUrl(), MediaObject])).check(z.maxLength(35))

const MAX_OPTIONS = 4_000

/** Escape of JSON text for a character that no field may have. */
const ESCAPED = /(?<!\\)(?:\\\\)*\\u/

/** Returns the schema of a network's own options. */
const options = () =>
  z.record(z.string(), z.unknown()).check(
    z.refine((value) => JSON.stringify(value).length <= MAX_OPTIONS, {
      error: `must be at most ${MAX_OPTIONS} characters of JSON`,
    }),
    z.refine((value) => !ESCAPED.test(JSON.stringify(value)), {
      error: 'must not contain control characters or lone surrogates',
    }),
  )

/** Fields of a post that differ on one network. */
export const Override = z.object({
  content: means('Text of the post.', z.optional(content())),
  link: means('URL of the link.', z.optional(z.nullable(httpUrl()))),
  media_files: means('Images and videos.', z.optional(mediaFiles())),
  options: means('Options of the network.', z.optional(options())),
})

/** Returns the schema of a delivery method. `reply` is another name of `public_reply`. */
const deliveryMethod = () =>
  z.pipe(
    label(['dm', 'public_reply', 'reply']),
    z.transform((given) => (given === 'reply' ? 'public_reply' : given)),
  )

const guideFields = () => ({
  match_mode: means(
    '`keyword`: commenters who write `trigger_keyword`. `all`: everyone.',
    z.optional(label(['keyword', 'all'])),
    '`keyword`',
  ),
  trigger_keyword: means('Keyword in the comment. Required with `keyword`.', z.optional(z.nullable(text(100)))),
  delivery_method: means(
    '`dm`: private message (Instagram only). `public_reply` or `reply`: public answer.',
    z.optional(deliveryMethod()),
    '`dm`',
  ),
  custom_message: means(
    'Text of the answer. `{url}` marks the position of the link.',
    z.optional(text(640)),
    'a sentence with the link',
  ),
  is_active: means('False: saves the rule without enabling it.', z.optional(z.boolean()), '`true`'),
})

/** Rule that answers commenters. */
export const NewGuide = z.object({ ...guideFields(), delivery_url: means('Link in the answer.', httpUrl()) })

/** Changed fields of a rule that answers commenters. */
export const GuideChange = z.object({
  ...guideFields(),
  delivery_url: means('Link in the answer.', z.optional(httpUrl()), 'the current link of the rule'),
})

/** Network and account that a post is sent to. */
export const Target = z.union([
  network(),
  z.object({
    platform: means('Social network.', network()),
    account_id: means('ID of the account.', z.optional(accountId()), 'the only connected account'),
  }),
])

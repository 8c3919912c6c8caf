import { ApiError, type FieldError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { makePosts } from '../social/publish.ts'
import { needsProfile, type ProfileDeps, SEVERAL_PROFILES } from './connected.ts'
import { isDraft, type ProfilePostInput } from './operations.ts'

/** Returns the field of a profile post for each field of the social post, as the caller named it. */
const fieldsOf = (input: ProfilePostInput): Readonly<Record<string, keyof ProfilePostInput>> => ({
  content: input.text === undefined ? 'summary' : 'text',
  media_files: input.image_url ? 'image_url' : 'media_url',
  platform_overrides: input.link ? 'link' : 'call_to_action',
  scheduled_for: 'scheduled_date',
})

const ownDetail = (detail: FieldError, input: ProfilePostInput): FieldError => {
  const field = fieldsOf(input)[detail.field.split('.')[0] ?? '']
  if (field) return { ...detail, field }
  const isOpen = detail.field === 'platforms.0'
  return { ...detail, field: 'account_id', ...(isOpen ? { message: SEVERAL_PROFILES } : {}) }
}

/** Returns the error of a social post with the field names of a profile post. */
const ownRefusal = (error: ApiError, input: ProfilePostInput): ApiError => {
  if (error.code === 'no_social_account') return needsProfile(input.project_id)
  const { details } = error.extras
  if (details === undefined) return error
  const own = details.map((detail) => ownDetail(detail, input))
  return error.code === 'invalid_input'
    ? invalidInput(own)
    : new ApiError(error.code, `${own[0]?.field} ${own[0]?.message}.`, { ...error.extras, details: own })
}

/**
 * Publishes a post on the profile, as a social post: now or on its date.
 *
 * A post that is sent as `text` without a date is only saved, and another call publishes it. Throws 400, 404 if no profile is
 * connected, 403, 503.
 */
export const publishProfilePost = async (ctx: Ctx, { social }: ProfileDeps, input: ProfilePostInput) => {
  const { project_id, account_id, summary, text, scheduled_date: date, link } = input
  const picture = input.media_url ?? input.image_url
  const call = input.call_to_action ?? (link ? { type: 'LEARN_MORE', url: link } : undefined)
  const options = call ? { callToAction: { type: call.type, url: call.url } } : {}
  try {
    const wanted = {
      project_id,
      content: summary ?? text,
      platforms: ['googlebusiness' as const],
      account_id,
      media_files: picture ? [picture] : [],
      platform_overrides: { googlebusiness: { options } },
      scheduled_for: date,
      draft: isDraft(input),
      allow_duplicate: input.allow_duplicate,
    }
    return await makePosts(ctx, social, wanted, {
      answerOf: ({ posts: [post], message, removed }) => ({
        post_id: post?.post_id,
        account_id: post?.account_id,
        status: post?.status,
        message,
        ...(removed ? { removed } : {}),
      }),
      pinned: ({ platforms: [to] }) => ({ ...input, ...(typeof to === 'object' ? { account_id: to.account_id } : {}) }),
    })
  } catch (error) {
    throw error instanceof ApiError ? ownRefusal(error, input) : error
  }
}

import { ApiError, type FieldError, invalidInput } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { makePosts } from '../social/publish.ts'
import { needsProfile, type ProfileMeans, SEVERAL_PROFILES } from './connected.ts'
import type { ProfilePostInput } from './schemas.ts'

/** The fields of a post on a profile by those of the social post that it is. */
const FIELDS: Readonly<Record<string, keyof ProfilePostInput>> = {
  content: 'summary',
  media_files: 'media_url',
  platform_overrides: 'call_to_action',
}

const ownDetail = (detail: FieldError): FieldError => {
  const field = FIELDS[detail.field.split('.')[0] ?? '']
  if (field) return { ...detail, field }
  const isOpen = detail.field === 'platforms.0'
  return { ...detail, field: 'account_id', ...(isOpen ? { message: SEVERAL_PROFILES } : {}) }
}

/** The refusal of a social post in the words of a call that makes one on a profile. */
const ownRefusal = (error: ApiError, projectId: number): ApiError => {
  if (error.code === 'no_social_account') return needsProfile(projectId)
  const { details } = error.extras
  if (details === undefined) return error
  const own = details.map(ownDetail)
  return error.code === 'invalid_input'
    ? invalidInput(own)
    : new ApiError(error.code, `${own[0]?.field} ${own[0]?.message}.`, { ...error.extras, details: own })
}

/** Publishes a post on the profile, as a social post. Throws 400, 404 where no profile is connected, 403, 503. */
export const publishProfilePost = async (ctx: Ctx, { social }: ProfileMeans, input: ProfilePostInput) => {
  const { project_id, account_id, summary, media_url, call_to_action: call } = input
  const options = call ? { callToAction: { type: call.type, url: call.url } } : {}
  try {
    const wanted = {
      project_id,
      content: summary,
      platforms: ['googlebusiness' as const],
      account_id,
      media_files: media_url === undefined ? [] : [media_url],
      platform_overrides: { googlebusiness: { options } },
    }
    return await makePosts(ctx, social, wanted, ({ posts: [post], message }) => ({
      post_id: post?.post_id,
      account_id: post?.account_id,
      status: post?.status,
      message,
    }))
  } catch (error) {
    throw error instanceof ApiError ? ownRefusal(error, project_id) : error
  }
}

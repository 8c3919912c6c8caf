import { ApiError } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { makePosts } from '../social/publish.ts'
import { needsProfile, type ProfileMeans } from './connected.ts'
import type { ProfilePostInput } from './schemas.ts'

/** Publishes a post on the profile, as a social post. Throws 400, 404 where no profile is connected, 403, 503. */
export const publishProfilePost = async (ctx: Ctx, { social }: ProfileMeans, input: ProfilePostInput) => {
  const { project_id, account_id, summary, media_url, call_to_action: call } = input
  const options = call ? { callToAction: { type: call.type, url: call.url } } : {}
  try {
    const wanted = {
      project_id,
      content: summary,
      platforms: [{ platform: 'googlebusiness' as const, account_id }],
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
    if (error instanceof ApiError && error.code === 'no_social_account') throw needsProfile(project_id)
    throw error
  }
}

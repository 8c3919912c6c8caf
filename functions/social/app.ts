import type { HttpDeps } from '../../src/http/deps.ts'
import { groupApp } from '../../src/http/group.ts'
import { routes } from '../../src/http/route.ts'
import { fromEither } from '../../src/lib/required.ts'
import type { ProfileMeans } from '../../src/profile/connected.ts'
import { profileOperations } from '../../src/profile/operations.ts'
import { publishProfilePost } from '../../src/profile/post.ts'
import { profileAnalytics, profileStatus } from '../../src/profile/read.ts'
import { removeReply, replyToReview } from '../../src/profile/reply.ts'
import { listReviews } from '../../src/profile/reviews.ts'
import { listAccounts } from '../../src/social/accounts.ts'
import { connectAccount } from '../../src/social/connect.ts'
import { disconnectAccount } from '../../src/social/disconnect.ts'
import { setGuide } from '../../src/social/guide.ts'
import { socialOperations } from '../../src/social/operations.ts'
import type { Social } from '../../src/social/port.ts'
import { deletePost, listPosts, loadPost, publishPost } from '../../src/social/posts.ts'
import { postShown } from '../../src/social/present.ts'
import { publishPosts } from '../../src/social/publish.ts'

const profile = (means: ProfileMeans) =>
  routes(profileOperations, {
    status: (ctx, { query }) => profileStatus(ctx, means, query),
    reviews: (ctx, { query }) => listReviews(ctx, means, query),
    reply: (ctx, { body }) => replyToReview(ctx, means, body),
    removeReply: (ctx, { query, body }) => removeReply(ctx, means, fromEither(query, body)),
    post: (ctx, { body }) => publishProfilePost(ctx, means, body),
    analytics: (ctx, { query }) => profileAnalytics(ctx, means, query),
  })

const social = (means: Social) =>
  routes(socialOperations, {
    accounts: (ctx, { query }) => listAccounts(ctx, means, query.project_id),
    connect: (ctx, { body }) => connectAccount(ctx, means, body),
    disconnect: (ctx, { params }) => disconnectAccount(ctx, means, params.account_id),
    publish: (ctx, { body }) => publishPosts(ctx, means, body),
    posts: async (ctx, { query }) => {
      const { rows, page } = await listPosts(ctx, query)
      return { posts: rows.map(postShown), ...page }
    },
    post: async (ctx, { params }) => ({ post: postShown(await loadPost(ctx, params.post_id)) }),
    publishPost: (ctx, { params, body }) => publishPost(ctx, means, params.post_id, body),
    deletePost: (ctx, { params }) => deletePost(ctx, params.post_id),
    guide: (ctx, { params, body }) => setGuide(ctx, params.post_id, body),
  })

export const socialApp = (deps: HttpDeps, means: ProfileMeans) => groupApp(deps, social(means.social), profile(means))

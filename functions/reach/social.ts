import { routes } from '../../src/platform/http/route.ts'
import { mergedInput } from '../../src/platform/lib/issues.ts'
import type { ProfileDeps } from '../../src/reach/profile/connected.ts'
import { profileOperations } from '../../src/reach/profile/operations.ts'
import { publishProfilePost } from '../../src/reach/profile/post.ts'
import { listReviews, profileAnalytics, profileStatus } from '../../src/reach/profile/read.ts'
import { removeReply, replyToReview } from '../../src/reach/profile/reply.ts'
import { disconnectAccount, listAccounts } from '../../src/reach/social/accounts.ts'
import { connectAccount } from '../../src/reach/social/connect.ts'
import { setGuide } from '../../src/reach/social/guide.ts'
import { socialOperations } from '../../src/reach/social/operations.ts'
import type { Social } from '../../src/reach/social/port.ts'
import { deletePost, listPosts, loadPost, publishPost } from '../../src/reach/social/posts.ts'
import { postShown } from '../../src/reach/social/present.ts'
import { publishPosts } from '../../src/reach/social/publish.ts'

const profile = (ports: ProfileDeps) =>
  routes(profileOperations, {
    status: (ctx, { query }) => profileStatus(ctx, ports, query),
    reviews: (ctx, { query }) => listReviews(ctx, ports, query),
    reply: (ctx, { body }) => replyToReview(ctx, ports, body),
    removeReply: (ctx, { query, body }) => removeReply(ctx, ports, mergedInput(query, body)),
    post: (ctx, { body }) => publishProfilePost(ctx, ports, body),
    analytics: (ctx, { query }) => profileAnalytics(ctx, ports, query),
  })

const social = (ports: Social) =>
  routes(socialOperations, {
    accounts: (ctx, { query }) => listAccounts(ctx, ports, query.project_id),
    connect: (ctx, { body }) => connectAccount(ctx, ports, body),
    disconnect: (ctx, { params }) => disconnectAccount(ctx, ports, params.account_id),
    publish: (ctx, { body }) => publishPosts(ctx, ports, body),
    posts: async (ctx, { query }) => {
      const { rows, page } = await listPosts(ctx, query)
      return { posts: rows.map(postShown), ...page }
    },
    post: async (ctx, { params }) => ({ post: postShown(await loadPost(ctx, params.post_id)) }),
    publishPost: (ctx, { params, body }) => publishPost(ctx, ports, params.post_id, body),
    deletePost: (ctx, { params }) => deletePost(ctx, params.post_id),
    guide: (ctx, { params, body }) => setGuide(ctx, params.post_id, body),
  })

/** Returns the operations of social posts and the business profile. */
export const socialRoutes = (ports: ProfileDeps) => [...social(ports.social), ...profile(ports)]

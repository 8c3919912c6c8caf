import { readSpend } from '../../src/crowdwork/budget.ts'
import { createCampaign } from '../../src/crowdwork/create.ts'
import { crowdworkOperations } from '../../src/crowdwork/operations.ts'
import type { Crowdwork } from '../../src/crowdwork/port.ts'
import { exportProofs } from '../../src/crowdwork/proofs.ts'
import { rateSlot } from '../../src/crowdwork/rate.ts'
import { listCampaigns, readCampaign } from '../../src/crowdwork/read.ts'
import { registerCampaign } from '../../src/crowdwork/register.ts'
import { listSlots } from '../../src/crowdwork/slots.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { groupApp } from '../../src/http/group.ts'
import { routes } from '../../src/http/route.ts'
import { readEntitlement } from '../../src/outreach/entitlement.ts'
import { erasePerson } from '../../src/outreach/erase.ts'
import { exportMirror } from '../../src/outreach/export.ts'
import { outreachOperations } from '../../src/outreach/operations.ts'
import { syncMirror } from '../../src/outreach/sync.ts'
import type { ProfileMeans } from '../../src/profile/connected.ts'
import { profileOperations } from '../../src/profile/operations.ts'
import { publishProfilePost } from '../../src/profile/post.ts'
import { profileAnalytics, profileStatus } from '../../src/profile/read.ts'
import { removeReply, replyToReview } from '../../src/profile/reply.ts'
import { listReviews } from '../../src/profile/reviews.ts'
import { listAccounts } from '../../src/social/accounts.ts'
import { connectAccount, disconnectAccount } from '../../src/social/connect.ts'
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
    removeReply: (ctx, { body }) => removeReply(ctx, means, body),
    post: (ctx, { body }) => publishProfilePost(ctx, means, body),
    analytics: (ctx, { query }) => profileAnalytics(ctx, means, query),
  })

const outreach = routes(outreachOperations, {
  entitlement: (ctx) => readEntitlement(ctx),
  sync: (ctx, { body }) => syncMirror(ctx, body),
  export: (ctx) => exportMirror(ctx),
  erase: (ctx, { body }) => erasePerson(ctx, body),
})

const social = (means: Social) =>
  routes(socialOperations, {
    accounts: (ctx, { query }) => listAccounts(ctx, means, query.project_id),
    connect: (ctx, { body }) => connectAccount(ctx, means, body),
    disconnect: (ctx, { params }) => disconnectAccount(ctx, params.account_id),
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

const crowdwork = (crowd: Crowdwork) =>
  routes(crowdworkOperations, {
    list: (ctx, { query }) => listCampaigns(ctx, query),
    create: (ctx, { body }) => createCampaign(ctx, crowd, body),
    register: (ctx, { body }) => registerCampaign(ctx, crowd, body),
    get: (ctx, { params }) => readCampaign(ctx, crowd, params.campaign_id),
    slots: (ctx, { params, query }) => listSlots(ctx, crowd, params.campaign_id, query),
    proofs: (ctx, { params }) => exportProofs(ctx, crowd, params.campaign_id),
    rate: (ctx, { params, body }) => rateSlot(ctx, crowd, params.slot_id, body),
    spend: (ctx, { query }) => readSpend(ctx, query),
  })

export const reachApp = (deps: HttpDeps, means: ProfileMeans & { crowd: Crowdwork }) =>
  groupApp(deps, outreach, social(means.social), profile(means), crowdwork(means.crowd))

import type { Hono } from 'hono'
import type { PagesEnv } from '../../src/pages/front.tsx'
import { reportPages } from '../../src/pages/report.tsx'
import { approvalsPages } from '../../src/pages/site/approvals/pages.tsx'
import { reviewPages } from '../../src/pages/site/approvals/review.tsx'
import { bulkPages } from '../../src/pages/site/bulk/pages.tsx'
import { carePages } from '../../src/pages/site/care.tsx'
import { changesPages } from '../../src/pages/site/changes.tsx'
import { csvPages } from '../../src/pages/site/csv/pages.tsx'
import { movePages } from '../../src/pages/site/move.tsx'
import { policyPages } from '../../src/pages/site/policy.tsx'
import { postsPages } from '../../src/pages/site/posts/pages.tsx'
import { campaignPages } from '../../src/pages/site/reach/campaign.tsx'
import { crowdworkPages } from '../../src/pages/site/reach/crowdwork.tsx'
import type { ReachFront } from '../../src/pages/site/reach/front.ts'
import { newPostPages } from '../../src/pages/site/reach/new-post.tsx'
import { reviewsPages } from '../../src/pages/site/reach/reviews.tsx'
import { socialPostsPages } from '../../src/pages/site/reach/social.tsx'
import { receiverPages } from '../../src/pages/site/receiver.tsx'
import { siteReportsPages } from '../../src/pages/site/reports.tsx'
import { searchEnginesPages } from '../../src/pages/site/search-engines.tsx'
import { siteSettingsPages } from '../../src/pages/site/settings/pages.tsx'
import { statementsPages } from '../../src/pages/site/statements.tsx'

/** Registers the pages on which people set the rules of a site, decide what waits for them, and act on many articles. */
export const rulesOf = (app: Hono<PagesEnv>, front: ReachFront): void => {
  approvalsPages(app, front)
  reviewPages(app, front)
  policyPages(app, front)
  bulkPages(app, front)
  csvPages(app, front)
  postsPages(app, front)
  carePages(app, front)
  changesPages(app, front)
  movePages(app, front)
  statementsPages(app, front)
  siteSettingsPages(app, front)
  searchEnginesPages(app, front)
  siteReportsPages(app, front)
  reportPages(app, front)
  newPostPages(app, front)
  socialPostsPages(app, front)
  reviewsPages(app, front)
  crowdworkPages(app, front)
  campaignPages(app, front)
  receiverPages(app, front)
}

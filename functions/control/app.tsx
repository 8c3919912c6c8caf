import { frontApp } from '../../src/pages/front.tsx'
import { approvalsPages } from '../../src/pages/site/approvals/pages.tsx'
import { reviewPages } from '../../src/pages/site/approvals/review.tsx'
import { bulkPages } from '../../src/pages/site/bulk/pages.tsx'
import type { SiteFront } from '../../src/pages/site/front.ts'
import { policyPages } from '../../src/pages/site/policy.tsx'
import { siteSettingsPages } from '../../src/pages/site/settings/pages.tsx'

/** Returns the Worker of the pages on which people set the rules of a site, decide what waits for them, and act on many articles. */
export const controlApp = (front: SiteFront) => {
  const app = frontApp(front)
  approvalsPages(app, front)
  reviewPages(app, front)
  policyPages(app, front)
  bulkPages(app, front)
  siteSettingsPages(app, front)
  return app
}

import { frontApp } from '../../src/pages/front.tsx'
import { approvalsPages } from '../../src/pages/site/approvals/pages.tsx'
import { reviewPages } from '../../src/pages/site/approvals/review.tsx'
import type { SiteFront } from '../../src/pages/site/front.ts'
import { policyPages } from '../../src/pages/site/policy.tsx'

/** Returns the Worker of the pages on which people set the rules of a site and decide what waits for them. */
export const controlApp = (front: SiteFront) => {
  const app = frontApp(front)
  approvalsPages(app, front)
  reviewPages(app, front)
  policyPages(app, front)
  return app
}

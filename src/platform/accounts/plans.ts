import type { Plan } from '../../../schema/values/accounts.ts'

/** Features of a plan. `articleCredits`: filled up every month, per project. */
type Included = {
  /** `POST /articles/generate`, onboarding research and the writer of planned articles. */
  writer: boolean
  /** The service's own keyword data. Without it, the account's own provider keys are used. */
  keywords: boolean
  /** True if the rewrite of a suggestion can be made again. */
  regenerate: boolean
  articleCredits: number
  /** Links that the exchange may bring a project per month; null: no limit. */
  backlinksReceived: number | null
  /** AI-visibility scans that a caller may start per project and day (UTC). */
  manualScans: number
}

/** Price of each plan, dollars a month. */
export const PLAN_PRICES: Record<Plan, number> = { agentic_free: 0, agentic: 49, pro: 97, accelerator: 297 }

export const PLAN_INCLUDES: Record<Plan, Included> = {
  agentic_free: {
    writer: false,
    keywords: false,
    regenerate: false,
    articleCredits: 0,
    backlinksReceived: 1,
    manualScans: 1,
  },
  agentic: {
    writer: false,
    keywords: true,
    regenerate: true,
    articleCredits: 0,
    backlinksReceived: null,
    manualScans: 2,
  },
  pro: { writer: true, keywords: true, regenerate: true, articleCredits: 30, backlinksReceived: null, manualScans: 2 },
  accelerator: {
    writer: true,
    keywords: true,
    regenerate: true,
    articleCredits: 90,
    backlinksReceived: null,
    manualScans: 5,
  },
}

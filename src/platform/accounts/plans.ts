import type { Plan } from '../../../schema/values/accounts.ts'

/** Features that a plan includes. `articleCredits` are filled up every month, per project. */
type Included = {
  /** `POST /articles/generate`, onboarding research and the writer of planned articles. */
  writer: boolean
  /** The service's own keyword data; without it the account's own provider keys are used. */
  keywords: boolean
  /** Having the rewrite of a suggestion made again. */
  regenerate: boolean
  articleCredits: number
  /** Links the exchange may bring a project in a month; null: no limit. */
  backlinksReceived: number | null
  /** AI-visibility scans a caller may start, a project and day (UTC). */
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

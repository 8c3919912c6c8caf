import type { Plan } from '../../schema/values/accounts.ts'

/** What an account's plan includes. `articleCredits` are filled up every month, per project. */
type Included = {
  /** `POST /articles/generate`, onboarding research and the writer of planned articles. */
  writer: boolean
  articleCredits: number
  /** Links the exchange may bring a project in a month; null: no limit. */
  backlinksReceived: number | null
}

export const PLAN_INCLUDES: Record<Plan, Included> = {
  agentic_free: { writer: false, articleCredits: 0, backlinksReceived: 1 },
  agentic: { writer: false, articleCredits: 0, backlinksReceived: null },
  pro: { writer: true, articleCredits: 30, backlinksReceived: null },
  accelerator: { writer: true, articleCredits: 90, backlinksReceived: null },
}

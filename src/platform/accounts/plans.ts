import { eq, lt, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import type { Plan } from '../../../schema/values/accounts.ts'
import { type Db, rowsOf } from '../db/client.ts'
import { withAudit } from '../db/writes.ts'
import { monthStart } from '../lib/time.ts'

/** Features of a plan. `articleCredits`: filled up every month, per project. */
type Included = {
  /** `POST /articles/generate`, onboarding research and the writer of planned articles. */
  writer: boolean
  /** The service's own keyword data. Without it, the account's own provider keys are used. */
  keywords: boolean
  /** True if the rewrite of a suggestion can be made again. */
  regenerate: boolean
  articleCredits: number
  /** Most articles of a project that were made of posts which its site already had. */
  adoptedArticles: number
  /** Links that the exchange may bring a project per month; null: no limit. */
  backlinksReceived: number | null
  /** Dollars a month and slot that the service's own providers may charge: AI scans and keyword data. */
  providerDollars: number
  /** AI-visibility scans that a caller may start per project and day (UTC), each of one sample. */
  manualScans: number
}

/** Price of each plan, dollars a month. */
export const PLAN_PRICES: Record<Plan, number> = { agentic_free: 0, agentic: 49, pro: 97, accelerator: 297 }

/** Features of each plan. */
export const PLAN_INCLUDES: Record<Plan, Included> = {
  agentic_free: {
    writer: false,
    keywords: false,
    regenerate: false,
    articleCredits: 0,
    adoptedArticles: 500,
    backlinksReceived: 1,
    providerDollars: 5,
    manualScans: 1,
  },
  agentic: {
    writer: false,
    keywords: true,
    regenerate: true,
    articleCredits: 0,
    adoptedArticles: 500,
    backlinksReceived: null,
    providerDollars: 25,
    manualScans: 2,
  },
  pro: {
    writer: true,
    keywords: true,
    regenerate: true,
    articleCredits: 30,
    adoptedArticles: 2_000,
    backlinksReceived: null,
    providerDollars: 50,
    manualScans: 2,
  },
  accelerator: {
    writer: true,
    keywords: true,
    regenerate: true,
    articleCredits: 90,
    adoptedArticles: 10_000,
    backlinksReceived: null,
    providerDollars: 150,
    manualScans: 5,
  },
}

/** Returns the article credits that a plan includes per month and project, as an expression over a plan's column. */
export const includedCredits = (plan: SQL): SQL => {
  const cases = Object.entries(PLAN_INCLUDES).map(
    ([name, { articleCredits }]) => `when '${name}' then ${articleCredits}`,
  )
  return sql`(case ${plan} ${sql.raw(cases.join(' '))} else 0 end)`
}

/** The plans that include the writer, as a list for `in`. */
export const PLANS_WITH_WRITER: SQL = sql.raw(
  Object.entries(PLAN_INCLUDES)
    .filter(([, { writer }]) => writer)
    .map(([plan]) => `'${plan}'`)
    .join(', '),
)

const BATCH = 500

/** Fills up the article credits of accounts for this month, one batch per call. Returns how many accounts. No account loses credits. */
export const fillUpCredits = async ({ db, now }: { db: Db; now: () => Date }): Promise<number> => {
  const due = db
    .select({ id: accounts.id, before: accounts.articleCredits })
    .from(accounts)
    .where(lt(accounts.creditsFilledAt, monthStart(now())))
    .orderBy(accounts.id)
    .limit(BATCH)
    .for('no key update', { skipLocked: true })
    .as('due')
  const each = includedCredits(sql`${accounts.plan}`)
  const filled = db
    .update(accounts)
    .set({
      articleCredits: sql`greatest(${accounts.articleCredits}, ${each} * ${accounts.activeProjects})`,
      creditsFilledAt: now(),
      creditsFilledTo: each,
    })
    .from(due)
    .where(eq(accounts.id, due.id))
    .returning({
      id: accounts.id,
      credits: sql`${accounts.articleCredits}`.as('credits'),
      before: sql`${due.before}`.as('before'),
    })
  const entry = {
    account: sql`made.id`,
    action: 'credits.filled_up',
    on: ['account', sql`made.id`],
    detail: sql`jsonb_build_object('before', made.before, 'after', made.credits)`,
    if: sql`made.credits > made.before`,
  } as const
  return (await rowsOf(db, withAudit({ actor: () => 'cron:minute', now }, filled, entry))).length
}

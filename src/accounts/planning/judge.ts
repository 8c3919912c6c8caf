import type { Plan, Scope } from '../../../schema/values/accounts.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import type { BudgetUnit, budgetsShown } from '../../platform/accounts/key-budget.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { toCents } from '../../platform/accounts/provider-dollars.ts'
import { includesScope, widestOf } from '../../platform/accounts/scopes.ts'
import type { Cost } from '../../platform/http/operation.ts'
import { CHANGING_OUTGOING } from '../policy/rules.ts'
import { type MatchedCall, scopeOf } from './match.ts'

/** Reasons for which a call may be refused, in the order of the checks. */
export const REFUSERS = ['access', 'scope', 'policy', 'limits', 'credits'] as const
type Refuser = (typeof REFUSERS)[number]

/** State of a call's project and of its daily quota. */
export type CallState = {
  projectId: number | null
  /** True if the call names a project, or a resource of one. */
  isNamed: boolean
  mine: boolean
  /** Rule of the policy that refuses the call by itself. */
  rule: PolicyRule | null
  articleId: number | null
  /** True if the call changes the text of an article that is on its way out, which needs the scope `write`. */
  changesOutgoing: boolean
  /** True if the call counts toward the daily maximum of publications. */
  takesPlace: boolean
  maxPublicationsPerDay: number | null
  /** Publications of today, without the article's own. */
  publications: number
  monthlyCredits: number | null
  creditsUsed: number
  monthlyCents: number | null
  centsUsed: number
  /** Part of the operation's daily quota that is used. */
  usedToday: number
  /** Most that the service's own providers charge for the call, dollars. */
  usd: number
}

/** State of the account's limits, and the rights of its key. */
export type AccountState = {
  scopes: readonly Scope[]
  plan: Plan
  articleCredits: number
  slotsLeft: number
  budgets: ReturnType<typeof budgetsShown>
  /** Dollars that the service's own providers charged for the account this month, and its ceiling. */
  dollars: { used: number; limit: number }
  /** Calls to each operation that are left in this minute. */
  callsLeft: ReadonlyMap<string, number>
}

const ASKED = 'A person must approve it: the call returns 202, and its content is sent after the approval.'

type Refusal = { refused_by: Refuser; rule?: PolicyRule; reason: string }

/** Returns an amount of dollars in cents. */
export const centsOf = (dollars: number | null | undefined): number => Math.round((dollars ?? 0) * 100)

type CallCost = Omit<Cost, 'amountOf'>

const costsOf = ({ op, body }: MatchedCall): CallCost[] =>
  (op.costs ?? []).map(({ unit, amount, note, amountOf }) => ({ unit, amount: amountOf?.(body) ?? amount, note }))

const amountIn = (costs: readonly CallCost[], unit: Cost['unit']): number =>
  costs.find((cost) => cost.unit === unit)?.amount ?? 0

/** Operations that spend a key's budget, with the unit that each spends. */
const SPENT_BY: Readonly<Record<string, BudgetUnit>> = {
  'articles.generate': 'article_credits',
  'visibility.scan': 'scans',
  'crowdwork.create': 'dollars',
}

/** Returns a function that judges calls in order, each as if the allowed ones before it had been made in the same minute. */
const judgeOneByOne = (account: AccountState) => {
  const counts = new Map<string, number>()
  const count = (name: string): number => counts.get(name) ?? 0
  const add = (name: string, by = 1): void => void counts.set(name, count(name) + by)
  /** Things that count once, even if several calls name them. */
  const things = new Map<string, Set<string>>()
  const thingsOf = (name: string): Set<string> => things.get(name) ?? new Set()
  const addThing = (name: string, thing: string): void => void things.set(name, thingsOf(name).add(thing))

  const byRate = ({ op }: MatchedCall): Refusal | undefined => {
    const left = account.callsLeft.get(op.id) ?? op.perMinute
    if (count(`rate ${op.id}`) < left) return undefined
    const used = left < op.perMinute ? ` ${left} of them are left now.` : ''
    const reason = `${op.id} allows ${op.perMinute} calls a minute.${used} Send this one after the minute.`
    return { refused_by: 'limits', reason }
  }

  const quotaOf = ({ op, body }: MatchedCall, { projectId }: CallState) => {
    const name = `quota ${op.id} ${op.daily?.per === 'project' ? projectId : ''}`
    return { name, thing: op.daily?.thing?.(body), amount: op.daily?.amountOf?.(body) ?? 1 }
  }

  const byQuota = (call: MatchedCall, state: CallState): Refusal | undefined => {
    const { daily } = call.op
    if (!daily) return undefined
    const { name, thing, amount } = quotaOf(call, state)
    const most = daily.most(account.plan)
    if (thing !== undefined && thingsOf(name).has(thing)) return undefined
    if (state.usedToday + count(name) + amount <= most) return undefined
    const counts = amount === 1 ? '' : ` This call counts as ${amount}.`
    return {
      refused_by: 'limits',
      reason: `${most} ${daily.what} are allowed a day (UTC); ${state.usedToday} are used.${counts}`,
    }
  }

  const againstPolicy = ({ projectId }: CallState, rule: PolicyRule): Refusal => {
    const reason = `The policy of project ${projectId} does not allow it now (${rule}). GET /projects/${projectId}/policy shows the policy.`
    return { refused_by: 'policy', rule, reason }
  }

  const isFull = (used: number, wanted: number, most: number | null) => most !== null && used + wanted > most

  const byPolicy = (costs: readonly CallCost[], state: CallState): Refusal | undefined => {
    const { projectId, rule } = state
    // The budget and the daily maximum come before the rules named here in the order of `POLICY_RULES`.
    const cents = centsOf(amountIn(costs, 'dollars'))
    if (cents > 0 && (rule === null || rule === 'quiet_hours' || rule === 'needs_approval'))
      if (isFull(state.centsUsed + count(`cents ${projectId}`), cents, state.monthlyCents))
        return againstPolicy(state, 'monthly_budget')
    const others = thingsOf(`publications ${projectId}`)
    const before = others.size - (others.has(String(state.articleId)) ? 1 : 0)
    if (state.takesPlace && (rule === null || rule === 'needs_approval'))
      if (isFull(state.publications + before, 1, state.maxPublicationsPerDay))
        return againstPolicy(state, 'max_publications_per_day')
    return rule === null || rule === 'needs_approval' ? undefined : againstPolicy(state, rule)
  }

  const byCredits = ({ op }: MatchedCall, costs: readonly CallCost[], state: CallState): Refusal | undefined => {
    const credits = amountIn(costs, 'article_credits')
    if (credits > 0 && !PLAN_INCLUDES[account.plan].writer)
      return { refused_by: 'credits', reason: `The plan ${account.plan} does not include the writer.` }
    const unit = SPENT_BY[op.id]
    if (unit !== undefined) {
      const { used, limit } = account.budgets[unit]
      const [spent, wanted] = [used + count(`key ${unit}`), amountIn(costs, unit)]
      if (limit !== null && centsOf(spent + wanted) > centsOf(limit))
        return {
          refused_by: 'credits',
          reason: `The limit of this API key for ${unit} is ${limit} a month (UTC); with the calls before this one, ${spent} are used.`,
        }
    }
    const usd = Number(state.usd)
    if (usd > 0 && account.dollars.used + count('usd') + usd > account.dollars.limit)
      return {
        refused_by: 'credits',
        reason: `The providers of this service may charge $${account.dollars.limit} a month (UTC) for the account; with the calls before this one, $${(account.dollars.used + count('usd')).toFixed(2)} are used.`,
      }
    if (credits > account.articleCredits - count('article_credits'))
      return {
        refused_by: 'credits',
        reason: `The account has ${account.articleCredits} article credits; the calls before this one take ${count('article_credits')}.`,
      }
    if (credits > 0 && isFull(state.creditsUsed + count(`credits ${state.projectId}`), credits, state.monthlyCredits))
      return againstPolicy(state, 'monthly_budget')
    if (amountIn(costs, 'project_slots') > account.slotsLeft - count('project_slots'))
      return { refused_by: 'credits', reason: `The account has ${account.slotsLeft} project slots left.` }
    return undefined
  }

  const note = (call: MatchedCall, costs: readonly CallCost[], state: CallState): void => {
    const { projectId, articleId, takesPlace, rule } = state
    const { name, thing, amount } = quotaOf(call, state)
    if (call.op.daily && (thing === undefined || !thingsOf(name).has(thing))) add(name, amount)
    if (thing !== undefined) addThing(name, thing)
    add('usd', Number(state.usd))
    // A call that waits for a person does not count toward the daily maximum before it is approved.
    if (takesPlace && rule === null) addThing(`publications ${projectId}`, String(articleId))
    const unit = SPENT_BY[call.op.id]
    if (unit !== undefined) add(`key ${unit}`, amountIn(costs, unit))
    add(`cents ${projectId}`, centsOf(amountIn(costs, 'dollars')))
    add(`credits ${projectId}`, amountIn(costs, 'article_credits'))
    for (const { unit: of, amount } of costs) add(of, amount ?? 0)
  }

  return (call: MatchedCall, state: CallState) => {
    const { op, path } = call
    const costs = costsOf(call)
    const { scope, what = 'This call' } = state.changesOutgoing
      ? ({ scope: 'write', what: CHANGING_OUTGOING } as const)
      : scopeOf(call)
    const absent: Refusal = {
      refused_by: 'access',
      reason: 'A thing that the call names does not exist, or belongs to another account.',
    }
    const narrow: Refusal = {
      refused_by: 'scope',
      reason: `The key has the scope "${widestOf(account.scopes)}". ${what} needs the scope "${scope}".`,
    }
    const tooMany = byRate(call)
    if (!tooMany) add(`rate ${op.id}`)
    const refusal =
      (state.isNamed && !state.mine ? absent : undefined) ??
      tooMany ??
      (includesScope(account.scopes, scope) ? undefined : narrow) ??
      byQuota(call, state) ??
      byPolicy(costs, state) ??
      byCredits(call, costs, state)
    if (!refusal) note(call, costs, state)
    const isAsked = !refusal && state.rule === 'needs_approval'
    const waiting = isAsked ? { rule: 'needs_approval' as const, reason: ASKED } : {}
    return {
      operation: op.id,
      method: op.method,
      path,
      allowed: !refusal,
      refused_by: null,
      reason: null,
      ...waiting,
      ...refusal,
      costs,
      cost_usd: toCents(Number(state.usd)),
      seconds: op.typicalSeconds ?? 1,
    }
  }
}

/** Returns a judgement of each call, and the totals of the allowed calls. `states` must be in the order of the calls. */
export const judgeCalls = (calls: readonly MatchedCall[], account: AccountState, states: readonly CallState[]) => {
  const judge = judgeOneByOne(account)
  const judged = calls.flatMap((call, n) => {
    const state = states[n]
    return state ? [judge(call, state)] : []
  })
  const allowed = judged.filter((call) => call.allowed)
  const units = [...new Set(allowed.flatMap(({ costs }) => costs.map(({ unit }) => unit)))]
  const costs = units.map((unit) => {
    const amounts = allowed
      .flatMap((call) => call.costs.filter((cost) => cost.unit === unit))
      .map(({ amount }) => amount)
    return {
      unit,
      amount: amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0),
      is_minimum: amounts.includes(null),
    }
  })
  return {
    allowed: allowed.length === judged.length,
    calls: judged,
    costs,
    cost_usd: toCents(allowed.reduce((sum, { cost_usd }) => sum + cost_usd, 0)),
    seconds: allowed.reduce((sum, { seconds }) => sum + seconds, 0),
  }
}

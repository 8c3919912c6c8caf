import type { Plan, Scope } from '../../../schema/values/accounts.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { includesScope, widestOf } from '../../platform/accounts/scopes.ts'
import type { Cost } from '../../platform/http/operation.ts'
import { type MatchedCall, scopeOf } from './match.ts'

/** Reasons for which a call may be refused, in the order of the checks. */
export const REFUSERS = ['access', 'scope', 'policy', 'limits', 'credits'] as const
type Refuser = (typeof REFUSERS)[number]

/** A project that a call is for. */
export type ProjectState = {
  projectId: number
  mine: boolean
  /** Rule of the policy that refuses the call by itself. */
  rule: PolicyRule | null
  maxPublicationsPerDay: number | null
  publications: number
  monthlyCredits: number | null
  creditsUsed: number
}

/** State of the account's limits, and the rights of its key. */
export type AccountState = {
  scopes: readonly Scope[]
  plan: Plan
  articleCredits: number
  slotsLeft: number
}

type Refusal = { refused_by: Refuser; rule?: PolicyRule; reason: string }

const costsOf = ({ op, body }: MatchedCall) =>
  (op.costs ?? []).map(({ unit, amount, note, amountOf }) => ({ unit, amount: amountOf?.(body) ?? amount, note }))

/** Judges calls one after the other, each as if those before it that are allowed had been made in the same minute. */
const judgeOneByOne = (account: AccountState) => {
  const counts = new Map<string, number>()
  const count = (name: string): number => counts.get(name) ?? 0
  const add = (name: string, by = 1): void => void counts.set(name, count(name) + by)

  const byPolicy = (call: MatchedCall, project: ProjectState): Refusal | undefined => {
    const { projectId, rule } = project
    const { id } = call.op
    const isFull = (used: number, most: number | null) => most !== null && used + count(`${id} ${projectId}`) >= most
    const now =
      rule ??
      (id === 'articles.publish' && isFull(project.publications, project.maxPublicationsPerDay)
        ? 'max_publications_per_day'
        : undefined) ??
      (id === 'articles.generate' && isFull(project.creditsUsed, project.monthlyCredits) ? 'monthly_budget' : undefined)
    if (now === undefined) return undefined
    const reason = `The policy of project ${projectId} does not allow it now (${now}). GET /projects/${projectId}/policy says what the policy is.`
    return { refused_by: 'policy', rule: now, reason }
  }

  const byLimits = ({ op, projectId }: MatchedCall): Refusal | undefined => {
    if (count(op.id) >= op.perMinute)
      return {
        refused_by: 'limits',
        reason: `${op.id} takes ${op.perMinute} calls a minute. Send this one after the minute.`,
      }
    const scans = PLAN_INCLUDES[account.plan].manualScans
    if (op.id === 'visibility.scan' && count(`${op.id} ${projectId}`) >= scans)
      return { refused_by: 'limits', reason: `The plan includes ${scans} scans a project and day (UTC).` }
    return undefined
  }

  const byCredits = (costs: readonly Omit<Cost, 'amountOf'>[]): Refusal | undefined => {
    const take = (unit: Cost['unit']) => costs.find((cost) => cost.unit === unit)?.amount ?? 0
    if (take('article_credits') > 0 && !PLAN_INCLUDES[account.plan].writer)
      return { refused_by: 'credits', reason: `The plan ${account.plan} does not include the writer.` }
    if (take('article_credits') > account.articleCredits - count('article_credits'))
      return {
        refused_by: 'credits',
        reason: `The account has ${account.articleCredits} article credits; the calls before this one take ${count('article_credits')}.`,
      }
    if (take('project_slots') > account.slotsLeft - count('project_slots'))
      return { refused_by: 'credits', reason: `The account has ${account.slotsLeft} project slots left.` }
    return undefined
  }

  return (call: MatchedCall, project: ProjectState | undefined) => {
    const { op, path, projectId } = call
    const costs = costsOf(call)
    const { scope, what = 'This call' } = scopeOf(call)
    const absent: Refusal = {
      refused_by: 'access',
      reason: 'What the call names does not exist, or is another account’s.',
    }
    const narrow: Refusal = {
      refused_by: 'scope',
      reason: `The key has the scope "${widestOf(account.scopes)}". ${what} needs the scope "${scope}".`,
    }
    const refusal =
      (project && !project.mine ? absent : undefined) ??
      (includesScope(account.scopes, scope) ? undefined : narrow) ??
      (project && byPolicy(call, project)) ??
      byLimits(call) ??
      byCredits(costs)
    if (!refusal) {
      add(op.id)
      add(`${op.id} ${project?.projectId ?? projectId}`)
      for (const { unit, amount } of costs) add(unit, amount ?? 0)
    }
    const answer = { refused_by: null, reason: null, ...refusal }
    return {
      operation: op.id,
      method: op.method,
      path,
      allowed: !refusal,
      ...answer,
      costs,
      seconds: op.typicalSeconds ?? 1,
    }
  }
}

/** Returns the judgement of each call, and the sums of those that are allowed. `projectOf`: the project of the call at that place. */
export const judgeCalls = (
  calls: readonly MatchedCall[],
  account: AccountState,
  projectOf: (n: number) => ProjectState | undefined,
) => {
  const judge = judgeOneByOne(account)
  const judged = calls.map((call, n) => judge(call, projectOf(n)))
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
    seconds: allowed.reduce((sum, { seconds }) => sum + seconds, 0),
  }
}

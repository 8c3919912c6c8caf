import * as z from 'zod/mini'
import type { Account } from './account.ts'
import { Refusal } from './answer.ts'

const type = z.enum(['string', 'number', 'boolean'])
const combination = z.optional(z.enum(['and', 'or', 'AND', 'OR']))

const OPERATIONS = [
  'includes',
  'not_includes',
  'starts_with',
  'ends_with',
  'regex',
  'exists',
  'is_null',
  'in',
  'not_in',
]
  .concat(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', '=', '!=', '>', '>=', '<', '<='])
  .concat(['INCLUDES', 'DOES_NOT_INCLUDE', 'MATCH_REGEX', 'EXISTS', 'DOES_NOT_EXIST', 'IN', 'NOT_IN'])
  .concat(['STARTS_WITH', 'ENDS_WITH'])

const filter = z.object({
  kind: z.optional(z.literal('filter')),
  key: z.string(),
  operation: z.enum(OPERATIONS),
  type,
  // Lists are one text with commas: an array is refused.
  value: z.optional(z.union([z.string(), z.number(), z.boolean()])),
})

/**
 * Body of a telemetry query, with the fields that counting uses.
 *
 * https://developers.cloudflare.com/api/resources/workers/subresources/observability/subresources/telemetry/methods/query
 */
const Query = z.object({
  queryId: z.string(),
  timeframe: z
    .object({ from: z.number(), to: z.number() })
    .check(z.refine(({ from, to }) => from < to, 'from is not before to')),
  view: z.optional(z.enum(['traces', 'events', 'calculations', 'invocations', 'requests', 'agents'])),
  dry: z.optional(z.boolean()),
  ignoreSeries: z.optional(z.boolean()),
  limit: z.optional(z.number().check(z.gte(0), z.lte(2_000))),
  parameters: z.object({
    datasets: z.optional(z.array(z.string())),
    filterCombination: combination,
    filters: z.optional(z.array(filter)),
    calculations: z.optional(
      z.array(
        z.object({
          operator: z.enum(['count', 'COUNT']),
          alias: z.optional(z.string()),
          key: z.optional(z.string()),
          keyType: z.optional(type),
        }),
      ),
    ),
    groupBys: z.optional(z.array(z.object({ type, value: z.string() }))),
    orderBy: z.optional(z.object({ value: z.string(), order: z.optional(z.enum(['asc', 'desc'])) })),
    limit: z.optional(z.int().check(z.gte(0), z.lte(2_000))),
  }),
})
type Query = z.infer<typeof Query>
type Line = Account['logLines'][number]

/** Number of groups that are returned if the query sets no limit. */
const FEW = 10

/** Returns a field of a line: one that the platform adds, or one of the line itself. */
const fieldOf = ({ service, level, event, step }: Line, key: string): string | undefined => {
  const values: Record<string, string> = {
    '$metadata.service': service,
    '$metadata.level': level,
    // A line that is not JSON has no fields of its own.
    ...(event === undefined ? {} : { level, event }),
    ...(step === undefined ? {} : { step }),
  }
  return values[key]
}

const passes = (line: Line, { key, operation, value }: z.infer<typeof filter>): boolean => {
  if (operation !== 'in') throw new Refusal(501, 10001, `this stand-in does not judge filters with ${operation}`)
  const found = fieldOf(line, key)
  return found !== undefined && String(value).split(',').includes(found)
}

const parsed = (body: unknown): Query => {
  const query = Query.safeParse(body)
  if (!query.success) {
    const [issue] = query.error.issues
    throw new Refusal(400, 10001, `Invalid request: ${issue?.path.join('.')}: ${issue?.message}`)
  }
  const { calculations = [], orderBy } = query.data.parameters
  if (orderBy && !calculations.some(({ alias, operator }) => [alias, operator].includes(orderBy.value)))
    throw new Refusal(400, 10001, `Invalid request: parameters.orderBy.value: ${orderBy.value} is no calculation`)
  return query.data
}

/**
 * Answers a telemetry query that counts lines in groups by fields. Throws a Refusal for a query that the API refuses.
 */
export const countLines = (account: Account, body: unknown) => {
  const { timeframe, view, limit, dry = false, parameters } = parsed(body)
  const { filters = [], groupBys = [], calculations = [] } = parameters
  const statistics = { elapsed: 0.01, rows_read: account.logLines.length, bytes_read: 0 }
  const run = { id: 'run', accountId: account.id, dry, granularity: 0, status: 'COMPLETED', timeframe, userId: 'user' }
  if (view !== 'calculations' || calculations.length === 0) return { run, statistics }
  const isIn = ({ timestamp = timeframe.to }: Line) => timestamp >= timeframe.from && timestamp <= timeframe.to
  const counts = new Map<string, number>()
  for (const line of account.logLines.filter((one) => isIn(one) && filters.every((rule) => passes(one, rule)))) {
    const name = JSON.stringify(groupBys.map(({ value }) => fieldOf(line, value) ?? ''))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const aggregates = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, parameters.limit ?? limit ?? FEW)
    .map(([name, count]) => ({
      count,
      value: count,
      interval: 1,
      sampleInterval: 1,
      groups: groupBys.map(({ value: key }, at) => ({ key, value: (JSON.parse(name) as string[])[at] })),
    }))
  const [{ alias, operator } = { alias: undefined, operator: 'count' }] = calculations
  return { run, statistics, calculations: [{ alias, calculation: operator, aggregates, series: [] }] }
}

import * as z from 'zod/mini'
import type { ProviderFailure } from '../../../accounts/provider-keys/port.ts'
import {
  comparable,
  type KeywordProvider,
  type KeywordRow,
  type KeywordsFound,
  type Market,
  seedFirst,
} from '../../../insights/keywords/market.ts'
import { foreignJson, retryAfterOf } from '../../../platform/lib/foreign-answers.ts'
import { clip, storableText } from '../../../platform/lib/text.ts'
import { type Outbound, unsentReason } from '../../../platform/runtime/outbound.ts'

const metric = () => z.catch(z.nullable(z.number()), null)

const Row = z.looseObject({
  keyword: z.string().check(z.minLength(1)),
  volume: z.optional(metric()),
  difficulty: z.optional(metric()),
})
const Answer = z.looseObject({ keywords: z.array(z.unknown()) })

const whole = (value: number | null | undefined): number | null =>
  value === null || value === undefined || !Number.isFinite(value) || value < 0 ? null : Math.round(value)

/** Returns the rows of a Keywords Explorer answer; undefined if the answer has another form. */
export const keywordRows = (json: unknown): KeywordRow[] | undefined => {
  const read = Answer.safeParse(json)
  if (!read.success) return undefined
  return read.data.keywords.flatMap((entry) => {
    const row = Row.safeParse(entry)
    if (!row.success) return []
    const { keyword, volume, difficulty } = row.data
    return [
      {
        keyword: keyword.trim().replace(/\s+/g, ' '),
        searchVolume: whole(volume),
        difficulty: whole(difficulty),
        intent: null,
      },
    ]
  })
}

const Usage = z.looseObject({
  limits_and_usage: z.looseObject({
    units_limit_workspace: z.nullish(z.number()),
    units_usage_workspace: z.nullish(z.number()),
    units_limit_api_key: z.nullish(z.number()),
    units_usage_api_key: z.nullish(z.number()),
  }),
})

/** True if a workspace or its key has used all its units. */
const isUsedUp = (json: unknown): boolean => {
  const read = Usage.safeParse(json)
  if (!read.success) return false
  const usage = read.data.limits_and_usage
  const isFull = (limit: number | null | undefined, used: number | null | undefined) =>
    limit !== null && limit !== undefined && (used ?? 0) >= limit
  return (
    isFull(usage.units_limit_workspace, usage.units_usage_workspace) ||
    isFull(usage.units_limit_api_key, usage.units_usage_api_key)
  )
}

/** Address of Ahrefs and the key. */
type AhrefsAccount = { baseUrl: string; apiKey: string }
type AhrefsDeps = { outbound: Outbound; now: () => Date }

const NAME = 'Ahrefs'
const MAX_BYTES = 4 * 1024 * 1024
const LEAST_MS = 1_000
/** Limits are per minute, and answers rarely have Retry-After. */
const NEXT_MINUTE_S = 60

const clean = (text: string): string =>
  clip(
    storableText(
      text
        .replace(/<[^<>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ),
    200,
  )

/** Returns the reason in an error body: `["Error","Unauthorized"]`, `{"error": …}`, `{"message": …}` or plain text. */
export const reasonIn = (body: string): string => {
  const json = foreignJson(body)
  if (Array.isArray(json)) return clean(json.filter((part) => typeof part === 'string' && part !== 'Error').join(' '))
  if (typeof json === 'object' && json !== null) {
    const { error, message } = json as { error?: unknown; message?: unknown }
    return clean(String((typeof error === 'string' ? error : undefined) ?? message ?? ''))
  }
  return clean(body)
}

/** Words of a 403 about used-up units or the plan. Any other 403 is about the key. */
const BILLING = /unit|limit|plan|subscription|upgrade|insufficient|quota/i

const kindOf = (status: number, reason: string): ProviderFailure['code'] => {
  if (status === 401) return 'auth'
  if (status === 403) return BILLING.test(reason) ? 'billing' : 'auth'
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'transient'
  return status === 400 ? 'invalid_input' : 'permanent'
}

const lost = (reason: string): ProviderFailure => ({ kind: 'failed', code: 'transient', reason })

type Call = { path: string; query: Record<string, string>; until: number }
type Got = { kind: 'got'; json: unknown }

/** Calls Ahrefs' API v3 once (https://docs.ahrefs.com/docs/api). Returns the JSON of the answer, or the failure. */
export const callAhrefs = async (
  deps: AhrefsDeps,
  { baseUrl, apiKey }: AhrefsAccount,
  { path, query, until }: Call,
): Promise<Got | ProviderFailure> => {
  const timeoutMs = until - deps.now().getTime()
  if (timeoutMs < LEAST_MS) return lost(`${NAME} did not answer in time.`)
  const answer = await deps.outbound({
    url: `${baseUrl}${path}?${new URLSearchParams(query)}`,
    method: 'GET',
    headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
    timeoutMs,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind === 'unsent') return lost(unsentReason(answer))
  if (answer.kind === 'forbidden') return { ...lost(`The address of ${NAME} is not a public one.`), code: 'permanent' }
  if (answer.kind === 'no_answer')
    return lost(answer.reason === 'timeout' ? `${NAME} did not answer in time.` : `The connection to ${NAME} failed.`)
  const { status, headers, body } = answer
  if (status === 200) {
    const json = foreignJson(body)
    return json === undefined ? lost(`${NAME} answered with something that is not its API.`) : { kind: 'got', json }
  }
  const words = reasonIn(body)
  const code = kindOf(status, words)
  return {
    kind: 'failed',
    code,
    reason: `${NAME} answered HTTP ${status}${words === '' ? '.' : `: ${words}`}`,
    status,
    ...(code === 'rate_limited' ? { retryAfterS: retryAfterOf(headers, deps.now()) ?? NEXT_MINUTE_S } : {}),
  }
}

/** Time limit for one search or check, ms. */
const PATIENCE_MS = 25_000
const EXPLORER = '/keywords-explorer'
/** Fields to read. Each costs units per row, so there are no more than are shown. */
const SELECT = 'keyword,volume,difficulty'
const ENOUGH = 0.5

type Rows = { kind: 'rows'; rows: KeywordRow[] } | ProviderFailure

/** Returns the keyword provider for Ahrefs' Keywords Explorer. It knows countries only; a call costs the account at least 50 units. */
export const ahrefs = (deps: AhrefsDeps, account: AhrefsAccount): KeywordProvider => {
  const untilOf = (): number => deps.now().getTime() + PATIENCE_MS

  const ask = async (name: string, query: Record<string, string>, until: number): Promise<Rows> => {
    const call = { path: `${EXPLORER}/${name}`, query: { ...query, select: SELECT }, until }
    const first = await callAhrefs(deps, account, call)
    const answer = first.kind === 'failed' && first.code === 'transient' ? await callAhrefs(deps, account, call) : first
    if (answer.kind === 'failed') return answer
    const rows = keywordRows(answer.json)
    return rows
      ? { kind: 'rows', rows }
      : { kind: 'failed', code: 'transient', reason: 'Ahrefs answered with something that is not its API.' }
  }

  const search = async (market: Market, seed: string, limit: number): Promise<KeywordsFound | ProviderFailure> => {
    const until = untilOf()
    // A comma would split the seed into two keywords.
    const keywords = seed.replace(/[,\s]+/g, ' ').trim()
    const base = { country: market.country.toLowerCase(), keywords }
    const list = { ...base, order_by: 'volume:desc', limit: String(limit) }
    const matching = await ask('matching-terms', list, until)
    if (matching.kind === 'failed') return matching
    const isKnown = matching.rows.some((row) => comparable(row.keyword) === comparable(keywords))
    const [own, related] = await Promise.all([
      isKnown ? undefined : ask('overview', base, until),
      matching.rows.length >= limit * ENOUGH ? undefined : ask('related-terms', { ...list, terms: 'all' }, until),
    ])
    const more = (answer: Rows | undefined): KeywordRow[] => (answer?.kind === 'rows' ? answer.rows : [])
    const rows = seedFirst(keywords, [...more(own), ...matching.rows, ...more(related)], limit)
    return { kind: 'found', rows, country: market.country, costUsd: 0 }
  }

  const probe: KeywordProvider['probe'] = async () => {
    const answer = await callAhrefs(deps, account, {
      path: '/subscription-info/limits-and-usage',
      query: {},
      until: untilOf(),
    })
    if (answer.kind === 'failed') return answer
    return isUsedUp(answer.json)
      ? {
          kind: 'accepted',
          note: 'The API units of this Ahrefs workspace or key are used up: searches will be refused until they are reset.',
        }
      : { kind: 'accepted' }
  }

  return { search, probe }
}

import type { ProviderFailure } from '../../../accounts/provider-keys/port.ts'
import type { Market } from '../../../insights/keywords/market.ts'
import type { KeywordProvider, KeywordRow, KeywordsFound } from '../../../insights/keywords/port.ts'
import { comparable, seedFirst } from '../../../insights/keywords/rules.ts'
import { type AhrefsAccount, type AhrefsDeps, callAhrefs } from './api.ts'
import { isUsedUp, keywordRows } from './transform.ts'

/** Time limit for one question, ms. */
const PATIENCE_MS = 25_000
const EXPLORER = '/keywords-explorer'
/** Each of them costs units a row: no more than is shown. */
const SELECT = 'keyword,volume,difficulty'
const ENOUGH = 0.5

type Rows = { kind: 'rows'; rows: KeywordRow[] } | ProviderFailure

/** Keywords by Ahrefs' Keywords Explorer. It knows countries only; a call costs the account 50 units or more. */
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
    // A comma would make two keywords of one.
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

import * as z from 'zod/mini'
import { INTENTS } from '../../../../schema/values/keywords.ts'
import type { ProviderFailure } from '../../../accounts/provider-keys/port.ts'
import {
  byVolume,
  type KeywordRow,
  type KeywordsFound,
  type Market,
  type MeasuringProvider,
  seedFirst,
} from '../../../insights/keywords/market.ts'
import { balanceOf, callDataForSeo, type DataForSeoAccount, type DataForSeoDeps, placeFor } from './api.ts'

const metric = () => z.catch(z.nullable(z.number()), null)

/** Data of one keyword. Any part may be null or missing. */
const KeywordData = z.looseObject({
  keyword: z.string().check(z.minLength(1)),
  keyword_info: z.nullish(z.looseObject({ search_volume: metric() })),
  keyword_properties: z.nullish(
    z.looseObject({ keyword_difficulty: metric(), is_another_language: z.nullish(z.boolean()) }),
  ),
  search_intent_info: z.nullish(z.looseObject({ main_intent: z.catch(z.nullable(z.enum(INTENTS)), null) })),
})

const whole = (value: number | null | undefined): number | null =>
  value === null || value === undefined || !Number.isFinite(value) || value < 0 ? null : Math.round(value)

/** Returns the row of one keyword; undefined if the entry is invalid or in another language than requested. */
const keywordRow = (entry: unknown): KeywordRow | undefined => {
  const read = KeywordData.safeParse(entry)
  if (!read.success || read.data.keyword_properties?.is_another_language === true) return undefined
  const { keyword, keyword_info: info, keyword_properties: properties, search_intent_info: intent } = read.data
  const difficulty = whole(properties?.keyword_difficulty)
  return {
    keyword: keyword.trim().replace(/\s+/g, ' '),
    searchVolume: whole(info?.search_volume),
    difficulty: difficulty === null ? null : Math.min(100, difficulty),
    intent: intent?.main_intent ?? null,
  }
}

const Suggestions = z.looseObject({
  seed_keyword_data: z.optional(z.unknown()),
  items: z.nullish(z.array(z.unknown())),
})
const Related = z.looseObject({ keyword_data: z.unknown() })

const rowsOf = (entries: readonly unknown[]): KeywordRow[] =>
  entries.flatMap((entry) => {
    const row = keywordRow(entry)
    return row ? [row] : []
  })

const itemsOf = (result: readonly unknown[]) => {
  const read = Suggestions.safeParse(result[0])
  return read.success ? read.data : { items: [] }
}

/** Returns the rows of `keyword_suggestions`, the seed's first if it is known. */
export const suggestionRows = (result: readonly unknown[]): KeywordRow[] => {
  const { seed_keyword_data: seed, items } = itemsOf(result)
  return rowsOf([seed, ...(items ?? [])])
}

/** Returns the rows of `keyword_overview`. */
const overviewRows = (result: readonly unknown[]): KeywordRow[] => rowsOf(itemsOf(result).items ?? [])

/** Returns the rows of `related_keywords`. */
export const relatedRows = (result: readonly unknown[]): KeywordRow[] =>
  (itemsOf(result).items ?? []).flatMap((entry) => {
    const read = Related.safeParse(entry)
    return read.success ? rowsOf([read.data.keyword_data]) : []
  })

/** Time limit for one search or check, ms. */
const PATIENCE_MS = 25_000
const LABS = '/dataforseo_labs/google'
/** If fewer keywords than this share of the limit contain the seed, related keywords are searched too. */
const ENOUGH = 0.5
/** A depth of 2 finds up to 72 related keywords. */
const RELATED_DEPTH = 2

type Rows = { kind: 'rows'; rows: KeywordRow[]; costUsd: number } | ProviderFailure

/**
 * Returns the keyword provider for DataForSEO Labs.
 *
 * A call with a transient failure is made again once. Related keywords are left out if they cannot be read.
 */
export const dataForSeo = (deps: DataForSeoDeps, account: DataForSeoAccount): MeasuringProvider => {
  const ask = async (
    name: string,
    task: Record<string, unknown>,
    until: number,
    read: (result: readonly unknown[]) => KeywordRow[],
  ): Promise<Rows> => {
    const call = { path: `${LABS}/${name}/live`, task, until }
    const first = await callDataForSeo(deps, account, call)
    const answer =
      first.kind === 'failed' && first.code === 'transient' ? await callDataForSeo(deps, account, call) : first
    return answer.kind === 'failed' ? answer : { kind: 'rows', rows: read(answer.result), costUsd: answer.costUsd }
  }

  const untilOf = (): number => deps.now().getTime() + PATIENCE_MS

  const where = (market: Market) => {
    const place = placeFor(market)
    // Without a country for the language, all countries are searched.
    return place
      ? { fields: { location_code: place.location, language_code: market.language }, country: place.country }
      : { fields: {}, country: null }
  }

  const search = async (market: Market, seed: string, limit: number): Promise<KeywordsFound | ProviderFailure> => {
    const until = untilOf()
    const { fields, country } = where(market)
    const order = { order_by: ['keyword_info.search_volume,desc'], limit }
    const suggested = await ask(
      'keyword_suggestions',
      { keyword: seed, ...fields, include_seed_keyword: true, ...order },
      until,
      suggestionRows,
    )
    if (suggested.kind === 'failed') return suggested
    const found = (rows: readonly KeywordRow[], costUsd: number): KeywordsFound => ({
      kind: 'found',
      rows: seedFirst(seed, rows, limit),
      country,
      costUsd,
    })
    if (country === null || suggested.rows.length >= limit * ENOUGH) return found(suggested.rows, suggested.costUsd)
    const related = await ask(
      'related_keywords',
      { keyword: seed, ...fields, depth: RELATED_DEPTH, include_seed_keyword: true, limit },
      until,
      relatedRows,
    )
    return related.kind === 'failed'
      ? found(suggested.rows, suggested.costUsd)
      : found([...suggested.rows, ...byVolume(related.rows)], suggested.costUsd + related.costUsd)
  }

  const measure = async (market: Market, keywords: readonly string[]): Promise<KeywordsFound | ProviderFailure> => {
    const { fields, country } = where(market)
    if (country === null || keywords.length === 0) return { kind: 'found', rows: [], country, costUsd: 0 }
    const answer = await ask('keyword_overview', { keywords, ...fields }, untilOf(), overviewRows)
    return answer.kind === 'failed' ? answer : { kind: 'found', rows: answer.rows, country, costUsd: answer.costUsd }
  }

  const probe: MeasuringProvider['probe'] = async () => {
    const answer = await callDataForSeo(deps, account, { path: '/appendix/user_data', until: untilOf() })
    if (answer.kind === 'failed') return answer
    const balance = balanceOf(answer.result)
    return balance !== undefined && balance <= 0
      ? {
          kind: 'accepted',
          note: 'The DataForSEO account has no balance left: searches will be refused until it is filled up.',
        }
      : { kind: 'accepted' }
  }

  return { search, measure, probe }
}

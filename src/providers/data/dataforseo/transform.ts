import * as z from 'zod/mini'
import { INTENTS } from '../../../../schema/values/keywords.ts'
import type { KeywordRow } from '../../../insights/keywords/port.ts'

const metric = () => z.catch(z.nullable(z.number()), null)

/** One keyword's data. Any of its parts may be null or missing. */
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

/** Returns one keyword; undefined where the entry is none, or is in another language than was asked for. */
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

/** Returns the rows of `keyword_suggestions`, those of the seed first where it is known. */
export const suggestionRows = (result: readonly unknown[]): KeywordRow[] => {
  const { seed_keyword_data: seed, items } = itemsOf(result)
  return rowsOf([seed, ...(items ?? [])])
}

/** Returns the rows of `keyword_overview`. */
export const overviewRows = (result: readonly unknown[]): KeywordRow[] => rowsOf(itemsOf(result).items ?? [])

/** Returns the rows of `related_keywords`. */
export const relatedRows = (result: readonly unknown[]): KeywordRow[] =>
  (itemsOf(result).items ?? []).flatMap((entry) => {
    const read = Related.safeParse(entry)
    return read.success ? rowsOf([read.data.keyword_data]) : []
  })

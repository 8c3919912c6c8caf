import { hasPlace } from '../../src/providers/data/dataforseo/api.ts'
import { type Measured, measured, suggested } from '../keyword-data.ts'
import { invalid, type Task, type TaskAnswer } from './envelope.ts'

const COST = 0.01
const COST_PER_ROW = 0.0001

/** Pattern of the keywords without numbers. */
const UNMEASURED = /^unmeasured\b/

type Asked = { language: string | undefined; location: number | undefined }

/** Returns one keyword in the form of Labs. The numbers of an unmeasured keyword are null. */
const keywordData = (row: Measured, { language, location }: Asked) => {
  const isKnown = !UNMEASURED.test(row.keyword)
  return {
    se_type: 'google',
    keyword: row.keyword.toLowerCase(),
    location_code: location ?? null,
    language_code: language ?? null,
    keyword_info: {
      se_type: 'google',
      last_updated_time: '2026-11-01 12:57:46 +00:00',
      competition: isKnown ? 0.4 : null,
      competition_level: isKnown ? 'MEDIUM' : null,
      cpc: isKnown ? row.cpcCents / 100 : null,
      search_volume: isKnown ? row.volume : null,
      categories: null,
      monthly_searches: null,
    },
    clickstream_keyword_info: null,
    keyword_properties: {
      se_type: 'google',
      core_keyword: null,
      keyword_difficulty: isKnown ? row.difficulty : null,
      detected_language: language ?? 'en',
      is_another_language: false,
      words_count: row.keyword.split(' ').length,
    },
    serp_info: null,
    avg_backlinks_info: null,
    search_intent_info: isKnown ? { se_type: 'google', main_intent: row.intent, foreign_intent: null } : null,
  }
}

const isWords = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 80 && value.split(' ').length <= 10

/** Returns the fault of a task, in the provider's words; undefined if there is none. */
const faultOf = (task: Task, { needsPlace }: { needsPlace: boolean }): TaskAnswer | undefined => {
  const { location_code: location, language_code: language, limit = 100 } = task
  if (needsPlace && location === undefined) return invalid('location_code')
  if (needsPlace && language === undefined) return invalid('language_code')
  if (typeof limit !== 'number' || limit < 1 || limit > 1_000) return invalid('limit')
  if (location === undefined && language === undefined) return undefined
  return hasPlace(location, language) ? undefined : invalid('language_code')
}

const askedOf = ({ location_code: location, language_code: language }: Task): Asked => ({
  location: location === undefined ? undefined : Number(location),
  language: language === undefined ? undefined : String(language),
})

const placeOf = ({ location, language }: Asked): string => `${location ?? 'all'} ${language ?? 'all'}`

const answered = (items: readonly unknown[], more: Record<string, unknown>): TaskAnswer => ({
  code: 20_000,
  message: 'Ok.',
  result: [{ se_type: 'google', ...more, total_count: items.length, items_count: items.length, offset: 0, items }],
  cost: COST + COST_PER_ROW * items.length,
})

const suggestions = (task: Task): TaskAnswer => {
  if (!isWords(task.keyword)) return invalid('keyword')
  const fault = faultOf(task, { needsPlace: false })
  if (fault) return fault
  const asked = askedOf(task)
  const seed = task.keyword.toLowerCase()
  // There are no variants of long questions.
  const rows = seed.split(' ').length > 4 ? [] : suggested(seed, asked.language ?? '', placeOf(asked))
  const own = measured(seed, placeOf(asked))
  const items = rows.slice(0, Number(task.limit ?? 100)).map((row) => keywordData(row, asked))
  return answered(items, {
    seed_keyword: seed,
    seed_keyword_data: task.include_seed_keyword === true ? keywordData(own, asked) : null,
  })
}

const related = (task: Task): TaskAnswer => {
  if (!isWords(task.keyword)) return invalid('keyword')
  const fault = faultOf(task, { needsPlace: true })
  if (fault) return fault
  const asked = askedOf(task)
  const head = task.keyword.toLowerCase().split(' ').slice(-2).join(' ')
  const items = suggested(head, asked.language ?? '', placeOf(asked))
    .slice(0, Math.min(8, Number(task.limit ?? 100)))
    .map((row) => ({ se_type: 'google', keyword_data: keywordData(row, asked), depth: 1, related_keywords: null }))
  return answered(items, { seed_keyword: task.keyword, seed_keyword_data: null })
}

const overview = (task: Task): TaskAnswer => {
  const { keywords } = task
  if (!Array.isArray(keywords) || keywords.length === 0 || keywords.length > 700 || !keywords.every(isWords))
    return invalid('keywords')
  const fault = faultOf(task, { needsPlace: true })
  if (fault) return fault
  const asked = askedOf(task)
  // Some keywords are unknown: the answer omits them.
  const known = keywords.filter((keyword) => measured(keyword.toLowerCase(), 'known').volume % 50 !== 0)
  return answered(
    known.map((keyword) => keywordData(measured(keyword.toLowerCase(), placeOf(asked)), asked)),
    {},
  )
}

/** Keyword endpoints of DataForSEO Labs, by path. */
export const keywordEndpoints = {
  'dataforseo_labs/google/keyword_suggestions': suggestions,
  'dataforseo_labs/google/related_keywords': related,
  'dataforseo_labs/google/keyword_overview': overview,
}

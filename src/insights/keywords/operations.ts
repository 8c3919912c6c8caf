import * as z from 'zod/mini'
import { KEYWORD_SOURCES } from '../../../schema/values/keywords.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { id, label, means, text } from '../../platform/lib/fields.ts'

const MAX_WORDS = 10

/** Body of `POST /keywords/search`. */
const SearchKeywords = z.object({
  keyword: means(
    'Keyword to look up, at most ten words.',
    text(80, 1).check(
      z.refine((value) => value.split(/\s+/).length <= MAX_WORDS, { error: `must have at most ${MAX_WORDS} words` }),
    ),
  ),
  project_id: means('ID of the project that sets language and region.', z.optional(id()), 'English (US), Worldwide'),
  // There is no upper limit here: a larger value is lowered to the maximum.
  limit: means(
    'Maximum number of keywords, including the requested one. Values above 50 are reduced to 50.',
    z.optional(z.number().check(z.gte(1), z.refine(Number.isInteger, { error: 'must be an integer' }))),
    '21',
  ),
  source: means(
    'Source of the data: the service, or the account’s own key.',
    z.optional(label(KEYWORD_SOURCES)),
    'the one that the plan includes',
  ),
})

export type SearchKeywordsInput = z.infer<typeof SearchKeywords>

/** Endpoints of keyword research. */
export const keywordOperations = {
  search: {
    id: 'keywords.search',
    method: 'POST',
    path: '/keywords/search',
    aliases: ['/keywords/research'],
    perMinute: 5,
    costs: [
      {
        unit: 'provider_dollars',
        amount: null,
        note: 'no credit; with the account’s own keys, the provider’s charges',
      },
    ],
    typicalSeconds: 5,
    isShared: true,
    scope: 'write',
    scopeReason: 'the provider of the keyword data charges for it',
    summary:
      'Returns a keyword and up to 20 related ones with monthly searches and difficulty, null if not measured. `limit` sets the total number, at most 50. `project_id` selects language and region. `source` selects the account’s own keys, if saved.',
    json: SearchKeywords,
    errors: [
      'not_found',
      'forbidden',
      'byo_keys_required',
      'byo_keys_invalid',
      'plan_required',
      'provider_budget_used',
      'provider_unavailable',
    ],
  },
} as const satisfies Operations

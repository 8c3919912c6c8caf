import type { Operations } from '../../platform/http/operation.ts'
import { SearchKeywords } from './schemas.ts'

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
        note: 'no credit; with the account’s own keys what their provider charges',
      },
    ],
    typicalSeconds: 5,
    isShared: true,
    scope: 'write',
    scopeReason: 'the provider of the keyword data charges for it',
    summary:
      'The keyword and up to 20 related ones (`limit` counts all, 50 at most) with searches a month and difficulty; null where nobody measured them. `project_id` picks language and region; `source` picks the account’s own keys where they are saved.',
    json: SearchKeywords,
    errors: [
      'not_found',
      'forbidden',
      'byo_keys_required',
      'byo_keys_invalid',
      'plan_required',
      'provider_unavailable',
    ],
  },
} as const satisfies Operations

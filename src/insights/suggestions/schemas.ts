import * as z from 'zod/mini'
import { CHANGE_KINDS } from '../../../schema/values/effects.ts'
import { OPPORTUNITY_TYPES, SUGGESTION_STATES } from '../../../schema/values/suggestions.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import { id, intParam, label, labels, text } from '../../platform/lib/fields.ts'

export const ListSuggestions = z.object({
  project_id: intParam(1),
  status: z.optional(labels(SUGGESTION_STATES)),
  type: z.optional(labels(OPPORTUNITY_TYPES)),
  ...pagingParams(),
})

export const ListEffects = z.object({
  project_id: intParam(1),
  kind: z.optional(label(CHANGE_KINDS)),
  ...pagingParams(),
})

export const RunSuggestions = z.object({ project_id: z.optional(id()) })
export const RunSuggestionsQuery = z.object({ project_id: z.optional(intParam(1)) })

const MAX_WORDS = 2_000

export const RejectSuggestion = z.object({ reason: z.optional(text(MAX_WORDS)) })
export const RegenerateSuggestion = z.object({ feedback: z.optional(text(MAX_WORDS)) })

export type ListEffectsInput = z.infer<typeof ListEffects>
export type ListSuggestionsInput = z.infer<typeof ListSuggestions>

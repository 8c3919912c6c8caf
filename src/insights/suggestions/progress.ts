import type { Making, SuggestionState } from '../../../schema/values/suggestions.ts'

/** Progress of a rewrite. */
type Progress = { step: number; of: number; percent: number; label: string }

const OF = 4

const at = (step: number, percent: number, label: string): Progress => ({ step, of: OF, percent, label })

/** Returns the progress of a rewrite, by the parts that are made; null if none is being made. */
export const progressOf = (status: SuggestionState, making: Making | null): Progress | null => {
  if (status === 'approved') return at(0, 0, 'Waiting for its turn')
  if (status !== 'rewriting') return null
  if (!making?.live) return at(1, 5, 'Reading the live page')
  const again = making.asked > 0
  if (making.html === undefined)
    return again
      ? at(2, 40, 'Rewriting the text once more: what came back was not sound')
      : at(2, 20, 'Rewriting the text')
  if (making.wording === undefined)
    return again
      ? at(3, 80, 'Wording title and description once more: what came back was not sound')
      : at(3, 70, 'Wording title and description')
  return at(OF, 90, 'Comparing with the article')
}

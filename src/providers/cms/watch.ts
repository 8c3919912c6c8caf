import type { CmsFailure, CmsResult } from '../../publishing/target/cms-adapter.ts'
import { type CallWatch, quotable } from './http.ts'

type Hide = (text: string) => string

/** Returns a result with a note on what the site printed around its answers. */
export const printedNotes = <T>(result: CmsResult<T>, platform: string, watch: CallWatch, hide: Hide): CmsResult<T> => {
  if (result.kind !== 'done' || watch.printed.size === 0) return result
  const notes = [...watch.printed].map((words) => `${platform} printed something around its answer: ${hide(words)}`)
  return { ...result, notes: [...(result.notes ?? []), ...notes] }
}

/**
 * Returns the failure of a call whose adapter threw. Before the first request that changes something, nothing can have been
 * made: the call is refused, and not retried, because the same input throws again.
 */
export const thrownFailure = (error: unknown, platform: string, watch: CallWatch, hide: Hide): CmsFailure => {
  const words = hide(quotable(error instanceof Error ? error.message : String(error)))
  return watch.hasWritten
    ? {
        kind: 'unknown',
        reason: `The work at ${platform} broke off (${words}). It is not known whether the change was made.`,
      }
    : {
        kind: 'refused',
        code: 'validation',
        reason: `The request to ${platform} could not be made (${words}). Nothing was changed there.`,
        retryable: false,
      }
}

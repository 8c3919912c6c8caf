import { ApiError } from '../lib/errors.ts'
import { requestIdHeader } from '../lib/request-scope.ts'
import type { Texts } from '../lib/text-work.ts'

const TIMEOUT_MS = 20_000

/** Calls the texts Worker, on the same machine. */
export const textsThrough =
  (binding: { fetch: typeof fetch } | undefined): Texts =>
  async (work, given) => {
    const response = await binding
      ?.fetch(`http://texts/${work.name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...requestIdHeader() },
        body: JSON.stringify(given),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      .catch(() => undefined)
    if (!response?.ok)
      throw new ApiError('unavailable', 'The text could not be read. Nothing was changed; repeat the call shortly.', {
        retry_after: 5,
      })
    return (await response.json()) as never
  }

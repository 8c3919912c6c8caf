import type * as z from 'zod/mini'
import { requestIdHeader } from '../../../platform/lib/request-scope.ts'

export type WriterBinding = { fetch: typeof fetch }

/** Time limit of one step, ms: below the lease of a job's run. */
const TIMEOUT_MS = 90_000

const passing = (reason: string) => ({ kind: 'refused', reason, retryable: true }) as const

/** Asks for a step of the writer in its own Worker. What it does not answer in time or as `what` may be tried again. */
export const askWriter = async <S extends z.ZodMiniType>(
  binding: WriterBinding,
  step: string,
  body: unknown,
  shape: S,
  what: 'article' | 'posts' | 'title',
): Promise<z.infer<S> | ReturnType<typeof passing>> => {
  try {
    const response = await binding.fetch(`http://writer/${step}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...requestIdHeader() },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) return passing('The writer did not answer.')
    const answer = shape.safeParse(await response.json())
    if (answer.success) return answer.data
    return passing(`The writer answered with something that is no ${what}.`)
  } catch {
    return passing('The writer did not answer in time.')
  }
}

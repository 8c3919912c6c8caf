import type * as z from 'zod/mini'
import type { CmsFailure, CmsFound } from '../../publishing/target/cms-adapter.ts'
import { type CmsAnswer, quotable } from './http.ts'

/** Value that a call returned, read, or its failure. */
export type Got<T> = { kind: 'got'; value: T } | CmsFailure

export const got = <T>(value: T): Got<T> => ({ kind: 'got', value })

/**
 * Returns the part of a successful answer that an adapter reads. An answer of another shape is a failure: `unknown` after a write,
 * which may have been done all the same.
 */
export const readAnswer = <T>(
  schema: z.ZodMiniType<T>,
  answer: CmsAnswer,
  { name, writes }: { name: string; writes: boolean },
): Got<T> => {
  const parsed = schema.safeParse(answer.json)
  if (parsed.success) return { kind: 'got', value: parsed.data }
  const reason = `${name} answered HTTP ${answer.status} with something else than its API does (${quotable(answer.json)}).`
  return writes
    ? { kind: 'unknown', reason, httpStatus: answer.status }
    : { kind: 'refused', code: 'unexpected_answer', reason, retryable: false, httpStatus: answer.status }
}

/** Returns the refusal of a connection whose settings do not fit the site. */
export const misfit = (reason: string): CmsFailure => ({
  kind: 'refused',
  code: 'validation',
  reason,
  retryable: false,
})

/** Result of the port's `find`. */
export type Found = CmsFound | null

import type * as z from 'zod/mini'
import type { Scope } from '../accounts/values.ts'
import type { ErrorCode } from '../lib/errors.ts'

/** The Workers behind the gateway. `later`: the path is in the contract, its Worker is not built yet. */
type Group = 'projects' | 'articles' | 'publishing' | 'research' | 'later'

/** One endpoint: what guards it, checks its input, documents it and tests it. */
export type Operation = {
  /** Names the operation in rate limits, logs and idempotency records. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below `/api/v1`, parameters as `:name`. */
  path: string
  /** The same handler under older names. */
  aliases?: readonly string[]
  perMinute: number
  scope: Scope
  group: Group
  summary: string
  params?: z.ZodMiniType
  query?: z.ZodMiniType
  json?: z.ZodMiniType
  /** Whether a body may be left out although `json` is given. */
  bodyOptional?: boolean
  /** Codes beyond those every operation can answer. */
  errors: readonly ErrorCode[]
}

import type { SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Plan, Scope } from '../../../schema/values/accounts.ts'
import type { ErrorCode } from '../lib/errors.ts'
import type { AttachmentField } from './attachment-body.ts'
import type { NoteOn } from './ignored.ts'
import type { UploadField } from './upload-body.ts'

type SuccessStatus = 200 | 201 | 202

/** Units that calls are paid with. `provider_dollars` are charged by a provider to keys of the account’s own. */
export const COST_UNITS = [
  'article_credits',
  'scans',
  'dollars',
  'project_slots',
  'screenshots',
  'provider_dollars',
] as const

/** Cost of one call in a unit; `amount` null if that depends on the call. */
export type Cost = {
  unit: (typeof COST_UNITS)[number]
  amount: number | null
  note: string
  /** Amount of a call, if its checked body tells it. */
  amountOf?: (body: Readonly<Record<string, unknown>>) => number
}

/** Number of calls that an account or a project has in a day (UTC), whichever key makes them. */
type DailyQuota = {
  per: 'account' | 'project'
  most: (plan: Plan) => number
  /** Number that the account or project used today. */
  used: (id: SQL, now: Date) => SQL
  /** Name of what is counted. */
  what: string
  /** Returns the thing that a call counts for: calls for the same count once. Each counts for itself if absent. */
  thing?: (body: Readonly<Record<string, unknown>>) => string
}

/** One endpoint: what admits its callers, checks its input, documents it and tests it. */
export type Operation = {
  /** Names the operation in rate limits, logs and idempotency records. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below `/api/v1`, parameters as `:name`. They are positive 32-bit integers unless `params` says otherwise. */
  path: string
  /** The same handler under older names. */
  aliases?: readonly string[]
  perMinute: number
  /** True if it publishes or costs money: all keys of an account together have three times its rate. */
  isShared?: boolean
  /** Quota of a day, beside the rate. */
  daily?: DailyQuota
  /** Costs of a call besides one of its rate; it costs no credit if absent. */
  costs?: readonly Cost[]
  /** Seconds that a call usually takes, with the work it begins; at most one if absent. */
  typicalSeconds?: number
  /** The narrowest scope of keys that may call it. */
  scope: Scope
  /** Reason for that scope, if the summary does not show it. */
  scopeReason?: string
  /** The wider scope that some calls need, judged by their body, and which those are. */
  wider?: { scope: Scope; when: string; needs: (body: Readonly<Record<string, unknown>>) => boolean }
  summary: string
  /** Statuses of success, the usual one first; 200 if none is given. */
  success?: readonly [SuccessStatus, ...SuccessStatus[]]
  /** Path parameters that are not integers. */
  params?: Readonly<Record<string, z.ZodMiniType>>
  query?: z.ZodMiniType
  json?: z.ZodMiniType
  /** The body may be larger than 1 MiB, for one field holds a file as base64 (`attachment(…)` in `json`). */
  attachment?: AttachmentField
  /** The body may also be a form with one file, which is taken in as it arrives (`upload(…)` in `json`). */
  upload?: UploadField
  /** True if a body may be left out although `json` is given. */
  bodyOptional?: boolean
  /** The type of an answer that is no JSON object: the handler returns `streamed(…)`, and the answer schema is that of a line. */
  produces?: 'application/x-ndjson' | 'text/csv; charset=utf-8'
  /** The answer carries the `ETag` of the version it shows or made. */
  etag?: boolean
  /** The call may name the versions it is meant for in `If-Match`; the verb compares with `ctx.ifMatch`. */
  ifMatch?: boolean
  /** Returns the operation's note on a name that it does not take although callers may expect it. */
  noteOn?: NoteOn
  /** Codes beyond those of every operation of its kind. */
  errors: readonly ErrorCode[]
}

/** Parts of an operation that callers plan with. `paths`: its own, and the older ones. */
export type CallableOperation = Pick<Operation, 'method' | 'perMinute' | 'scope'> & {
  operation: string
  paths: readonly string[]
  costs: readonly Cost[]
  seconds: number
}

/** The operations of a domain, by the name of their handler. */
export type Operations = Readonly<Record<string, Operation>>

/** The statuses an operation can succeed with. */
export type StatusOf<Op extends Operation> = Op extends { success: readonly (infer S extends SuccessStatus)[] }
  ? S
  : 200

/** Returns the status an operation succeeds with unless its handler says another. */
export const usualStatus = (operation: Operation): SuccessStatus => operation.success?.[0] ?? 200

/** Query parameter of every write that asks what would happen. */
export const DRY_RUN = 'dry_run'

/** True if the operation can be asked what it would do. */
export const acceptsDryRun = ({ method }: Operation): boolean => method !== 'GET'

/** Returns what a call costs as words that follow "costs". */
export const costWords = ({ costs }: Operation): string => costs?.map(({ note }) => note).join('; ') ?? 'no credit'

/** Returns the names of a path's parameters. */
export const paramNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')

/** Fixed paths before those with parameters, so that `/articles/generate` is no article id. */
export const bySpecificity = (a: string, b: string): number => a.split(':').length - b.split(':').length

import type { SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Plan, Scope } from '../../../schema/values/accounts.ts'
import type { ErrorCode } from '../../../schema/values/errors.ts'
import type { AttachmentField } from './attachment-body.ts'
import type { NoteOn } from './ignored.ts'
import type { UploadField } from './upload-body.ts'

type SuccessStatus = 200 | 201 | 202

/** Units of costs. A provider charges `provider_dollars` to the account's own keys there. */
export const COST_UNITS = [
  'article_credits',
  'scans',
  'dollars',
  'project_slots',
  'screenshots',
  'provider_dollars',
] as const

/** Cost of one call in a unit. `amount`: null if it depends on the call. */
export type Cost = {
  unit: (typeof COST_UNITS)[number]
  amount: number | null
  note: string
  /** Returns the amount of a call, if its checked body determines it. */
  amountOf?: (body: Readonly<Record<string, unknown>>) => number
}

/** Number of calls that an account or a project may make in a day (UTC), with all its keys together. */
type DailyQuota = {
  per: 'account' | 'project'
  most: (plan: Plan) => number
  /** Returns how much the account or project has used today, as an SQL expression. */
  used: (id: SQL, now: Date) => SQL
  /** Name of the counted things. */
  what: string
  /** Returns how many times a call counts. Absent: once. */
  amountOf?: (body: Readonly<Record<string, unknown>>) => number
  /** Returns the thing that a call counts for; calls for the same thing count once. Without it, each call counts. */
  thing?: (body: Readonly<Record<string, unknown>>) => string
}

/** Forms of a body and an answer as a file. `params`: the query parameters of a call with a file. */
type CsvForm = {
  params?: Readonly<Record<string, string>>
  /** Returns the body in JSON that a file with these parameters means. Throws 400. */
  body?: (text: string, params: Readonly<Record<string, string>>) => object
  /** Returns a file of an answer's body, for callers that accept `text/csv` but no JSON. */
  answer?: (body: object) => string
}

/** One endpoint: how its callers are admitted, its input checked, and how it is documented and tested. */
export type Operation = {
  /** Names the operation in rate limits, logs and idempotency records. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below `/api/v1`, with parameters as `:name`. They are positive 32-bit integers unless `params` defines them. */
  path: string
  /** Older paths of the same handler. */
  aliases?: readonly string[]
  perMinute: number
  /** True if it publishes or costs money. All keys of an account together are then limited to ACCOUNT_RATE_FACTOR times its rate. */
  isShared?: boolean
  /** Daily quota, in addition to the rate. */
  daily?: DailyQuota
  /** Costs of a call, in addition to one call of its rate. Absent: it costs no credit. */
  costs?: readonly Cost[]
  /** Returns the most that the service's own providers charge for a call, in dollars, as an SQL expression. Absent: nothing. */
  mostUsd?: (project: SQL, body: Readonly<Record<string, unknown>>) => SQL
  /** Seconds that a call usually takes, including the work it starts. Absent: at most one. */
  typicalSeconds?: number
  /** The narrowest scope of keys that may call it. */
  scope: Scope
  /** Reason for the scope, if the summary does not show it. */
  scopeReason?: string
  /** Wider scope that some calls need. `when` describes these calls, and `needs` finds them by their body. */
  wider?: { scope: Scope; when: string; needs: (body: Readonly<Record<string, unknown>>) => boolean }
  summary: string
  /** Statuses of success, the usual one first. Absent: 200. */
  success?: readonly [SuccessStatus, ...SuccessStatus[]]
  /** Path parameters that are not integers. */
  params?: Readonly<Record<string, z.ZodMiniType>>
  query?: z.ZodMiniType
  json?: z.ZodMiniType
  /** Most bytes of a JSON body, if it may have more than 1 MiB. */
  maxBytes?: number
  /** Set if the body may be larger than 1 MiB because one field has a file as base64 (`attachment(…)` in `json`). */
  attachment?: AttachmentField
  /** Set if the body may also be a form with one file, which is processed as it arrives (`upload(…)` in `json`). */
  upload?: UploadField
  /** True if a body may be left out although `json` is given. */
  bodyOptional?: boolean
  /** Media type of an answer that is no JSON object. The handler returns `streamed(…)`; the answer schema describes one line. */
  produces?: 'application/x-ndjson' | 'text/csv; charset=utf-8'
  /** The operation in CSV, beside JSON. */
  csv?: CsvForm
  /** True if the answer has the `ETag` of the version that it shows or made. */
  etag?: boolean
  /** True if the call accepts `If-Match`; the verb compares its versions with `ctx.ifMatch`. */
  ifMatch?: boolean
  /** Returns the operation's note on a name that callers may expect but it does not accept. */
  noteOn?: NoteOn
  /** Error codes in addition to those of every operation of its kind. */
  errors: readonly ErrorCode[]
}

/** Parts of an operation that callers plan with. `paths`: its own path, then the older ones. */
export type CallableOperation = Pick<Operation, 'method' | 'perMinute' | 'scope'> & {
  operation: string
  paths: readonly string[]
  costs: readonly Cost[]
  seconds: number
}

/** The operations of a domain, by the names of their handlers. */
export type Operations = Readonly<Record<string, Operation>>

/** The statuses an operation can succeed with. */
export type StatusOf<Op extends Operation> = Op extends { success: readonly (infer S extends SuccessStatus)[] }
  ? S
  : 200

/** Returns the status of success unless the handler chooses another. */
export const usualStatus = (operation: Operation): SuccessStatus => operation.success?.[0] ?? 200

/** Query parameter of a write that asks for a dry run. */
export const DRY_RUN = 'dry_run'

/** True if the operation can be called as a dry run. */
export const acceptsDryRun = ({ method }: Operation): boolean => method !== 'GET'

/** Returns the cost of a call, as words to follow "costs". */
export const costWords = ({ costs }: Operation): string => costs?.map(({ note }) => note).join('; ') ?? 'no credit'

/** Returns the first sentence of an operation's summary, without its full stop. */
export const headlineOf = ({ summary }: Operation): string => summary.replace(/(?<=[a-z)])[.:;].*$/s, '')

/** Returns the names of a path's parameters. */
export const paramNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')

/** Compares two paths so that fixed paths come before those with parameters. `/articles/generate` is then no article id. */
export const bySpecificity = (a: string, b: string): number => a.split(':').length - b.split(':').length

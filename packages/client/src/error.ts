import type { Refusal } from './api.generated.ts'

/** A call that helps after a refusal, to be sent below `/api/v1`. */
export type NextCall = NonNullable<Refusal['next_calls']>[number]

/** A field that was refused. */
export type Detail = NonNullable<Refusal['details']>[number]

/** Code of a refusal, from a closed list. `unreadable`: the answer was not the service's own. */
export type Code = Refusal['code'] | 'unreadable'

const isRefusal = (body: unknown): body is Refusal =>
  typeof body === 'object' && body !== null && 'code' in body && 'retryable' in body

/** A refused call: the reason, if the same call may succeed later, and the calls that help. Branch on `code`. */
export class GalleyError extends Error {
  /** HTTP status. */
  readonly status: number
  readonly code: Code
  /** True if the same call may succeed later. */
  readonly retryable: boolean
  /** Seconds to wait before the same call, if known. */
  readonly retryAfter: number | undefined
  readonly details: readonly Detail[]
  readonly nextCalls: readonly NextCall[]
  readonly docsUrl: string | undefined
  readonly requestId: string | undefined
  /** Instructions for an agent, if a person has to act. */
  readonly instructionsForAgent: string | undefined
  /** Complete answer. */
  readonly body: unknown

  constructor(status: number, body: unknown) {
    const refusal = isRefusal(body) ? body : undefined
    super(refusal ? (refusal.message ?? refusal.error) : `The service answered ${status}.`)
    this.name = 'GalleyError'
    this.status = status
    this.code = refusal?.code ?? 'unreadable'
    this.retryable = refusal?.retryable ?? false
    this.retryAfter = refusal?.retry_after
    this.details = refusal?.details ?? []
    this.nextCalls = refusal?.next_calls ?? []
    this.docsUrl = refusal?.docs_url
    this.requestId = refusal?.request_id
    this.instructionsForAgent = refusal?.instructions_for_agent
    this.body = body
  }
}

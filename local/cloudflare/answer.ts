/** An answer of Cloudflare's API: its envelope and status. */
export type Answer = { status: number; body: unknown }

/** A refusal with one of Cloudflare's codes. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Returns Cloudflare's envelope of a result. */
export const success = (result: unknown, extras: Record<string, unknown> = {}): Answer => ({
  status: 200,
  body: { success: true, errors: [], messages: [], result, ...extras },
})

/** Returns Cloudflare's envelope of an error. */
export const failure = (status: number, code: number, message: string): Answer => ({
  status,
  body: { success: false, errors: [{ code, message }], messages: [], result: null },
})

/** Returns Cloudflare's answer for a missing Worker. */
export const noScript = (): Refusal => new Refusal(404, 10007, 'This Worker does not exist on your account.')

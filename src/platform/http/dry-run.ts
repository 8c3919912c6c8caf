import type { Context } from 'hono'
import { ApiError, errorBody, invalidInput } from '../lib/errors.ts'
import { inDryRun, type OutsideCall } from '../runtime/dry-run.ts'
import { type AppEnv, completeJson } from './app.ts'
import type { HttpDeps } from './deps.ts'
import { acceptsDryRun, DRY_RUN, type Operation, usualStatus } from './operation.ts'

/** Spellings of `dry_run` that callers write. A write that ignored a wrong one as an unknown name would be carried out. */
const MISSPELT = /^dry[-_ ]?run(?:\[.*)?$/i

const refused = (field: string, message: string): ApiError =>
  invalidInput([{ field, message, allowed: ['true', 'false'] }])

/**
 * Checks the parameter for a dry run. Throws 400 for a value other than true or false, or if its name is misspelt.
 *
 * Also throws if it is in the body of an operation without such a field: the caller wants nothing to change.
 */
export const checkDryRun = (
  query: Readonly<Record<string, string[]>>,
  body: unknown,
  fields: readonly string[],
): void => {
  for (const [name, values] of Object.entries(query)) {
    if (!MISSPELT.test(name)) continue
    if (name !== DRY_RUN) throw refused(name, `is written ${DRY_RUN}`)
    if (values.length > 1) throw refused(name, 'was given several times; give it once')
    if (!/^(true|false)$/i.test(values[0] ?? '')) throw refused(name, 'must be true or false')
  }
  if (Object.hasOwn(query, DRY_RUN) || typeof body !== 'object' || body === null) return
  const name = Object.keys(body).find((one) => MISSPELT.test(one) && !fields.includes(one))
  if (name !== undefined) throw refused(name, `must be in the query: ?${DRY_RUN}=true`)
}

/** True if a call asks for a dry run. */
export const isDryRun = (op: Operation, c: Context): boolean => {
  const given = acceptsDryRun(op) ? (c.req.queries(DRY_RUN) ?? []) : []
  return given.length === 1 && given[0]?.toLowerCase() === 'true'
}

/** True for errors that are the dry run's own: the caller is not admitted, or the outcome of the call is unknown. */
const isOwn = (error: unknown, c: Context<AppEnv>): boolean =>
  !(error instanceof ApiError) ||
  (!c.get('gate')?.isAdmitted() && !error.code.startsWith('idempotency_')) ||
  error.code === 'key_may_not' ||
  error.code === 'unavailable'

const calling = ({ to, call, payload }: OutsideCall) => ({
  would_call: { to, call, ...(payload === undefined ? {} : { payload }) },
  message: `The call would ask ${to}, and its answer decides what follows. Nothing was sent.`,
})

/**
 * Answers with the answer that the real call would have, and undoes the call.
 *
 * Throws the errors of `isOwn`, such as a refused admission, as the real call does.
 */
export const answerDryRun = async (
  deps: HttpDeps,
  c: Context<AppEnv>,
  op: Operation,
  respond: () => Promise<Response>,
): Promise<Response> => {
  const told = (status: number, body: unknown): Response =>
    completeJson(c, { dry_run: true, would: { status, body } }, 200, undefined)
  try {
    const outcome = await inDryRun(respond)
    if ('call' in outcome) return told(usualStatus(op), calling(outcome.call))
    return told(outcome.value.status, await outcome.value.json())
  } catch (error) {
    if (isOwn(error, c)) throw error
    const refusal = error as ApiError
    return told(refusal.status, errorBody(refusal, c.get('requestId'), deps.settings.publicUrl))
  }
}

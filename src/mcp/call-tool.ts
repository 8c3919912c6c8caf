import type { Scope } from '../../schema/values/accounts.ts'
import { ApiError, errorBody, type FieldError, invalidInput } from '../platform/lib/errors.ts'
import { askedOf, FIND, findOperations } from './any-operation.ts'
import type { Api, ApiAnswer } from './api.ts'
import {
  ACTION_ARGUMENT,
  type Arguments,
  argumentNames,
  type Call,
  checkNames,
  KEY_ARGUMENT,
  OFFSET_ARGUMENT,
  REVISION_ARGUMENT,
  requestOf,
} from './call.ts'
import { rowsWithout, textFrom, truncateToFit } from './long-results.ts'
import { ONLY, operationAt, type ServedTool } from './served.ts'
import type { Follow, ToolSpec } from './tool-spec.ts'
import { inToolWords } from './translate.ts'

/** Sends a progress message to the client. */
export type Tell = (message: string) => Promise<void>

type Clock = { now: () => Date; wait: (ms: number) => Promise<void> }

/** Client that asked for the progress of a call. `isOver` is true once the call was aborted. */
type Following = Clock & { tell: Tell; isOver: () => boolean }

const TELL_EVERY_MS = 5_000
/** Limit for following work after a call, ms. Some clients time out after a minute even if they get progress. */
const FOLLOW_MS = 45_000
const LOOK_EVERY_MS = 3_000

/** Returns the answer of a call. Sends progress at the start and every five seconds. */
const underWay = async ({ tell, now }: Following, words: string, answer: Promise<ApiAnswer>): Promise<ApiAnswer> => {
  const startedAt = now().getTime()
  await tell(words)
  const timer = setInterval(
    () => void tell(`${words} (${Math.round((now().getTime() - startedAt) / 1000)} s)`),
    TELL_EVERY_MS,
  )
  try {
    return await answer
  } finally {
    clearInterval(timer)
  }
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value)

type Label = { label?: unknown; percent?: unknown }

/**
 * Follows work that a call started until it ends, for at most 45 s, and sends each change as progress.
 *
 * Returns the last seen status; undefined if none was seen.
 */
export const pollUntilEnded = async (
  api: Api,
  { call, id, status, going, progress }: Follow,
  begun: ApiAnswer['body'],
  { tell, now, wait, isOver }: Following,
): Promise<{ status: string } | undefined> => {
  const op = operationAt(call)
  const thing = at(begun, id)
  if (!op || thing === undefined) return undefined
  const until = now().getTime() + FOLLOW_MS
  let [current, sent] = ['', '']
  while (now().getTime() < until && !isOver()) {
    const answer = await api(op, {
      method: op.method,
      path: op.path.replace(':id', encodeURIComponent(String(thing))),
    })
    if (answer.status !== 200) break
    current = String(at(answer.body, status))
    const { label, percent } = (at(answer.body, progress) ?? {}) as Label
    const words = label === undefined ? current : `${current}: ${label}, ${percent} %`
    if (words !== sent) await tell(words)
    sent = words
    if (!going.includes(current)) break
    await wait(LOOK_EVERY_MS)
  }
  return current === '' ? undefined : { status: current }
}

/** Result of a tool in MCP's format. */
type ToolResult = {
  content: [{ type: 'text'; text: string }]
  structuredContent: Record<string, unknown>
  isError?: true
}

const resultOf = (body: Record<string, unknown>): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(body) }],
  structuredContent: body,
})

const failure = (body: Record<string, unknown>): ToolResult => ({ ...resultOf(body), isError: true })

const IN_HEADERS = { 'Idempotency-Key': KEY_ARGUMENT, 'If-Match': REVISION_ARGUMENT }

/** Returns an endpoint's error with the names of the tool's arguments instead of path parameters and headers. */
const withArgumentNames = ({ ids = {} }: Pick<ToolSpec, 'ids'>, body: ApiAnswer['body']): ApiAnswer['body'] => {
  const words: Record<string, Readonly<Record<string, string>>> = { invalid_id: ids, invalid_input: IN_HEADERS }
  const own = words[String(body.code)]
  if (!own) return body
  const inOwn = (name: string): string => own[name] ?? name
  const details = body.details as readonly FieldError[]
  return {
    ...body,
    error: String(body.error).replace(/^[^:]+(?=:)/, inOwn),
    details: details.map((detail) => ({ ...detail, field: inOwn(detail.field) })),
  }
}

const TOO_DEEP = invalidInput([{ field: 'arguments', message: 'are nested too deep' }])

const numberIn = (args: Arguments, name: string): number => {
  const value = Number(args[name] ?? 0)
  return Number.isInteger(value) && value > 0 ? value : 0
}

/** Returns the operation that a call is for. Throws 400 for an unknown action. */
const chosen = ({ operations }: ServedTool, args: Arguments) => {
  const only = operations.get(ONLY)
  if (only) return only
  const op = operations.get(String(args[ACTION_ARGUMENT]))
  if (op) return op
  const allowed = [...operations.keys()]
  throw invalidInput([{ field: ACTION_ARGUMENT, message: `must be one of: ${allowed.join(', ')}`, allowed }])
}

/** Returns the answer's body without long fields that the tool leaves out, cut to the maximum length. */
const fitting = (
  spec: Pick<ToolSpec, 'name' | 'leavesOut' | 'longText'>,
  op: Call,
  args: Arguments,
  body: ApiAnswer['body'],
) => {
  const given = spec.leavesOut ? rowsWithout(body, spec.leavesOut) : body
  const read = spec.longText ? textFrom(given, spec.longText, numberIn(args, OFFSET_ARGUMENT), spec.name) : given
  return truncateToFit(read, { tool: spec.name, taken: new Set(op.queryNames), args })
}

/** Calls the operation and follows the work it started, with progress for the client. */
const askAndTell = async (
  api: Api,
  spec: ToolSpec,
  args: Arguments,
  asked: Promise<ApiAnswer>,
  following: Following,
): Promise<ApiAnswer> => {
  const answer = spec.doing === undefined ? await asked : await underWay(following, spec.doing, asked)
  const { follow } = spec
  const begins = follow && (follow.actions?.includes(String(args[ACTION_ARGUMENT])) ?? true)
  if (!begins || answer.status >= 300) return answer
  const now = await pollUntilEnded(api, follow, answer.body, following)
  return now ? { ...answer, body: { ...answer.body, now } } : answer
}

/** Throws 400 for arguments that neither the tool nor its operation has. */
const checkArguments = ({ spec, operations }: ServedTool, op: Call, args: Arguments): void => {
  if (op.isOpen) return
  const own = [
    ...(operations.has(ONLY) ? [] : [ACTION_ARGUMENT]),
    ...(spec.longText === undefined ? [] : [OFFSET_ARGUMENT]),
  ]
  checkNames(args, [...own, ...argumentNames(op, spec.ids ?? {})], spec.name)
}

/** Request that a tool's call belongs to. */
type Told = { requestId: string; publicUrl: string }

/** Returns the result of a call; of a refusal, a tool error with the API's error body. */
const attempted = async ({ requestId, publicUrl }: Told, call: () => Promise<ToolResult>): Promise<ToolResult> => {
  try {
    return await call()
  } catch (error) {
    // Arguments that are nested too deeply overflow the stack when they are written as JSON.
    const refusal = error instanceof RangeError ? TOO_DEEP : error
    if (refusal instanceof ApiError) return failure(errorBody(refusal, requestId, publicUrl))
    throw error
  }
}

/**
 * Runs a tool by calling its operation's endpoint with the caller's key.
 *
 * An error of the endpoint is returned as a tool error with the API's error body, including `retry_after`. With
 * `following` the client gets progress.
 */
export const callTool = (
  api: Api,
  told: Told,
  tool: ServedTool,
  args: Arguments,
  following?: Following,
): Promise<ToolResult> =>
  attempted(told, async () => {
    const { spec } = tool
    const op = chosen(tool, args)
    checkArguments(tool, op, args)
    const asked = api(op, requestOf(op, spec.ids ?? {}, { ...args, ...spec.fixed }))
    const { status, body } = following ? await askAndTell(api, spec, args, asked, following) : await asked
    if (status >= 300) return failure(inToolWords(withArgumentNames(spec, body)))
    return resultOf(fitting(spec, op, args, inToolWords(body)))
  })

/** Runs one of the tools for any operation. */
export const callAny = (api: Api, told: Told, tool: string, given: Arguments, scope: Scope): Promise<ToolResult> =>
  attempted(told, async () => {
    if (tool === FIND) return resultOf(findOperations(given, scope))
    const { op, args } = askedOf(tool, given)
    if (!op.isOpen) checkNames(args, argumentNames(op, {}), op.id)
    const { status, body } = await api(op, requestOf(op, {}, args))
    if (status >= 300) return failure(inToolWords(withArgumentNames({}, body)))
    return resultOf(fitting({ name: tool }, op, args, inToolWords(body)))
  })

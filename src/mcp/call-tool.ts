import { ApiError, errorBody, type FieldError, invalidInput } from '../platform/lib/errors.ts'
import type { Api, ApiAnswer } from './api.ts'
import { ACTION_ARGUMENT, type Arguments, type Call, KEY_ARGUMENT, OFFSET_ARGUMENT, requestOf } from './call.ts'
import { cutToFit, rowsWithout, textFrom } from './long-results.ts'
import { ONLY, operationAt, type ServedTool } from './served.ts'
import type { Follow, ToolSpec } from './tools.ts'

/** Sends the client the progress of a call in words, if it asked for that. */
export type Tell = (message: string) => Promise<void>

type Clock = { now: () => Date; wait: (ms: number) => Promise<void> }

/** Observer of a call: its listener, and its end. */
type Following = Clock & { tell: Tell; isOver: () => boolean }

const TELL_EVERY_MS = 5_000
/** Clients give up on a call after a minute where they do not count progress as life. */
const FOLLOW_MS = 45_000
const LOOK_EVERY_MS = 3_000

/** Returns the answer of a call, and reports progress at its begin and every five seconds. */
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
 * Looks at what a call began until it has ended, three quarters of a minute at most, and tells each change. Returns how it
 * stands then; undefined where that could not be seen.
 */
export const followed = async (
  api: Api,
  { call, id, status, going, progress }: Follow,
  begun: ApiAnswer['body'],
  { tell, now, wait, isOver }: Following,
): Promise<{ status: string } | undefined> => {
  const op = operationAt(call)
  const thing = at(begun, id)
  if (!op || thing === undefined) return undefined
  const until = now().getTime() + FOLLOW_MS
  let [standing, told] = ['', '']
  while (now().getTime() < until && !isOver()) {
    const answer = await api(op, {
      method: op.method,
      path: op.path.replace(':id', encodeURIComponent(String(thing))),
    })
    if (answer.status !== 200) break
    standing = String(at(answer.body, status))
    const { label, percent } = (at(answer.body, progress) ?? {}) as Label
    const words = label === undefined ? standing : `${standing}: ${label}, ${percent} %`
    if (words !== told) await tell(words)
    told = words
    if (!going.includes(standing)) break
    await wait(LOOK_EVERY_MS)
  }
  return standing === '' ? undefined : { status: standing }
}

/** A tool's result as MCP carries it. */
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

const IN_HEADERS = { 'Idempotency-Key': KEY_ARGUMENT }

/** Returns an endpoint's message on a part of its path or of its header, in the words of the tool's arguments. */
const inToolWords = ({ ids = {} }: ToolSpec, body: Record<string, unknown>): Record<string, unknown> => {
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

/** Returns the operation a call is for. Throws 400 for an action the tool does not know. */
const chosen = ({ operations }: ServedTool, args: Arguments) => {
  const only = operations.get(ONLY)
  if (only) return only
  const op = operations.get(String(args[ACTION_ARGUMENT]))
  if (op) return op
  const allowed = [...operations.keys()]
  throw invalidInput([{ field: ACTION_ARGUMENT, message: `must be one of: ${allowed.join(', ')}`, allowed }])
}

const fitting = ({ spec }: ServedTool, op: Call, args: Arguments, body: ApiAnswer['body']) => {
  const given = spec.leavesOut ? rowsWithout(body, spec.leavesOut) : body
  const read = spec.longText ? textFrom(given, spec.longText, numberIn(args, OFFSET_ARGUMENT), spec.name) : given
  return cutToFit(read, { tool: spec.name, taken: new Set(op.queryNames), args })
}

/** Asks the operation, and looks at what it began, telling how far that is. */
const askAndTell = async (
  api: Api,
  { spec }: ServedTool,
  op: ReturnType<typeof chosen>,
  args: Arguments,
  following: Following,
): Promise<ApiAnswer> => {
  const asked = api(op, requestOf(op, spec.ids ?? {}, args))
  const answer = spec.doing === undefined ? await asked : await underWay(following, spec.doing, asked)
  const { follow } = spec
  const begins = follow && (follow.actions?.includes(String(args[ACTION_ARGUMENT])) ?? true)
  if (!begins || answer.status >= 300) return answer
  const now = await followed(api, follow, answer.body, following)
  return now ? { ...answer, body: { ...answer.body, now } } : answer
}

/**
 * Runs a tool: the operation's own endpoint with the caller's key. What the endpoint refuses is a tool error with the
 * API's error body, `retry_after` included; nothing is thrown for it. A client that asked for progress is told of it.
 */
export const callTool = async (
  api: Api,
  { requestId, publicUrl }: { requestId: string; publicUrl: string },
  tool: ServedTool,
  args: Arguments,
  following?: Following,
): Promise<ToolResult> => {
  try {
    const op = chosen(tool, args)
    const { status, body } = following
      ? await askAndTell(api, tool, op, args, following)
      : await api(op, requestOf(op, tool.spec.ids ?? {}, args))
    return status < 300 ? resultOf(fitting(tool, op, args, body)) : failure(inToolWords(tool.spec, body))
  } catch (error) {
    // What is nested deeper than the stack reaches cannot be written as a request.
    const refusal = error instanceof RangeError ? TOO_DEEP : error
    if (refusal instanceof ApiError) return failure(errorBody(refusal, requestId, publicUrl))
    throw error
  }
}

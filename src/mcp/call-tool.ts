import { ApiError, errorBody, type FieldError, invalidInput } from '../platform/lib/errors.ts'
import type { Api, ApiAnswer } from './api.ts'
import { ACTION_ARGUMENT, type Arguments, KEY_ARGUMENT, OFFSET_ARGUMENT, requestOf } from './arguments.ts'
import type { Call } from './call.ts'
import { cutToFit, rowsWithout, textFrom } from './long-results.ts'
import { type Following, followed, underWay } from './progress.ts'
import { ONLY, type ServedTool } from './served.ts'
import type { ToolSpec } from './tools.ts'

/** A tool's result as MCP carries it. */
export type ToolResult = {
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

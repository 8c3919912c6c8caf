/** Content types that a caller accepts (RFC 9110, section 12.5.1). No `Accept` header means all of them. */
export type Readable = {
  json: boolean
  stream: boolean
  /** True if the event stream is named, or is the only type left. */
  wantsStream: boolean
}

const REFUSED = /;\s*q=0(?:\.0*)?\s*(?:;|$)/i

/** Parses an `Accept` header. The most specific range that matches a type wins. */
export const readableBy = (accept: string | null): Readable => {
  const ranges = new Map<string, boolean>()
  for (const range of (accept ?? '').split(',')) {
    const name = (range.split(';')[0] ?? '').trim().toLowerCase()
    // Java's built-in client sends `*` instead of `*/*`.
    if (name !== '') ranges.set(name === '*' ? '*/*' : name, !REFUSED.test(range))
  }
  const rest = ranges.get('*/*') ?? ranges.size === 0
  const json = ranges.get('application/json') ?? ranges.get('application/*') ?? rest
  const named = ranges.get('text/event-stream') ?? ranges.get('text/*')
  const stream = named ?? rest
  return { json, stream, wantsStream: stream && (named === true || !json) }
}

/** Content types that the SDK's server requires every caller to accept. */
const COMPLETE = 'application/json, text/event-stream'

/** Returns the request with a complete `Accept` header, if its caller accepts JSON or an event stream. */
export const withCompleteAccept = (request: Request): Request => {
  const { json, stream } = readableBy(request.headers.get('accept'))
  if (!json && !stream) return request
  const headers = new Headers(request.headers)
  headers.set('accept', COMPLETE)
  return new Request(request, { headers })
}

type Message = { id?: unknown; result?: unknown; error?: unknown }

/** Returns the messages of an event stream (HTML, section 9.2.6) that are results or errors. */
const answersIn = (stream: string): Message[] =>
  stream
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5))
        .join('\n'),
    )
    .filter((data) => data.trim() !== '')
    .map((data) => JSON.parse(data) as Message)
    .filter((message) => 'result' in message || 'error' in message)

/** Converts an event stream to a JSON answer, after waiting for its end. Returns any other answer unchanged. */
export const asJson = async (answer: Response): Promise<Response> => {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
  const answers = answersIn(await answer.text())
  const headers = new Headers(answer.headers)
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  return new Response(JSON.stringify(answers.length === 1 ? answers[0] : answers), { status: answer.status, headers })
}

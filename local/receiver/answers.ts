import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'

/** HTTP answer of a local service. */
export type Answer = { status: number; headers: Record<string, string>; body: string | Buffer }

/** Outcome of a request: an answer, a destroyed connection, or silence until the sender leaves. */
export type Outcome = { kind: 'send'; answer: Answer } | { kind: 'close' } | { kind: 'hold' }

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: `${JSON.stringify(value)}\n`,
})

export const refusal = (status: number, error: string, headers: Record<string, string> = {}): Answer =>
  json(status, { success: false, error }, headers)

export const html = (status: number, page: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: page,
})

/** Error of a body above the limit. */
export class BodyTooLarge extends Error {}

/** Returns the raw body of a request; throws BodyTooLarge above `maxBytes`, or the stream's error when the sender leaves. */
export const readBody = async (req: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  // Reads to the end even if the body is too large: a sender that is cut off in mid-body never sees the refusal.
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
  }
  if (size > maxBytes) throw new BodyTooLarge(`The body is larger than ${maxBytes} bytes.`)
  return Buffer.concat(chunks)
}

/** The longest a Node timer can wait, in ms. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** Resolves when `performance.now()` reaches `dueMs`, or as soon as the sender has gone. */
const until = (dueMs: number, res: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined
    const done = () => {
      clearTimeout(timer)
      res.off('close', done)
      resolve()
    }
    const check = () => {
      const left = dueMs - performance.now()
      if (left <= 0 || res.closed) done()
      // Timers fire up to two milliseconds late, so the last two wait turn by turn.
      else if (left > 2) timer = setTimeout(check, Math.min(left - 2, MAX_TIMER_MS))
      else setImmediate(check)
    }
    res.once('close', done)
    check()
  })

/** Sends an answer at once, with its length. */
export const send = (res: ServerResponse, answer: Answer): void => {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body
  res.writeHead(answer.status, STATUS_CODES[answer.status] ?? 'Unknown', {
    ...answer.headers,
    'content-length': body.length,
  })
  res.end(body)
}

/** Ends a request at `dueMs` (`performance.now()` time) and returns how it ended. */
export const settle = async (
  res: ServerResponse,
  outcome: Outcome,
  dueMs: number,
): Promise<'sent' | 'closed' | 'held' | 'client_gone'> => {
  if (outcome.kind === 'hold') {
    await until(Number.POSITIVE_INFINITY, res)
    return 'held'
  }
  await until(dueMs, res)
  if (res.closed) return 'client_gone'
  if (outcome.kind === 'close') {
    res.socket?.destroy()
    return 'closed'
  }
  send(res, outcome.answer)
  return 'sent'
}

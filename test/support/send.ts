import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'

const PIECE = 64 * 1024

type Body = string | Uint8Array | ReadableStream<Uint8Array>
type Sending = { method: string; headers: Record<string, string>; body: Body }

async function* piecesOf(body: Body): AsyncGenerator<Uint8Array> {
  if (body instanceof ReadableStream) return yield* body
  const bytes = Buffer.from(body)
  for (let from = 0; from < bytes.length; from += PIECE) yield bytes.subarray(from, from + PIECE)
}

const lengthOf = (body: Body): Record<string, string> =>
  body instanceof ReadableStream
    ? { 'transfer-encoding': 'chunked' }
    : { 'content-length': String(Buffer.byteLength(body)) }

/**
 * Sends a large body as curl does: the headers first, and the body after the server asks for it (RFC 9110, section
 * 10.1.1).
 *
 * It stops when the answer begins. A server that refuses a request closes the connection without reading on. `fetch`,
 * which continues to write, then fails before it has read the answer.
 */
export const sendLarge = async (url: string, { method, headers, body }: Sending): Promise<Response> => {
  const sent = request(url, {
    method,
    agent: false,
    headers: { ...headers, ...lengthOf(body), expect: '100-continue' },
  })
  let isAnswered = false
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    // After the answer has begun, a failure to send the rest of the body does not count.
    sent.on('error', reject)
  }).finally(() => {
    isAnswered = true
  })
  // The caller awaits it later.
  answer.catch(() => {})
  const until = (event: string) => Promise.race([answer, once(sent, event)])
  sent.flushHeaders()
  await until('continue')
  for await (const piece of piecesOf(body)) {
    if (isAnswered) break
    if (!sent.write(piece)) await until('drain')
    await nextTurn()
  }
  if (!isAnswered) sent.end()
  const response = await answer
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  sent.destroy()
  const pairs = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  const status = response.statusCode ?? 0
  return new Response([101, 204, 205, 304].includes(status) ? null : Buffer.concat(chunks), { status, headers: pairs })
}

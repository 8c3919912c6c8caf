import { type ErrorReply, isError, type Reply, toText } from './backend.ts'

export type Answer = { status: number; contentType: string; body: string }

/** A JSON answer. */
export const json = (status: number, value: unknown): Answer => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(value),
})

type Encode = (bytes: string) => string

const base64: Encode = (bytes) => Buffer.from(bytes, 'latin1').toString('base64')

/**
 * A reply as JSON. With base64 every string is encoded but the status OK standing alone: the client decodes whatever
 * an array holds, and a stored "OK" reads the same either way.
 */
const present = (reply: Reply, encode: Encode, nested: boolean): unknown => {
  if (reply === null || typeof reply === 'number') return reply
  if (typeof reply === 'string') return encode(reply)
  if (Array.isArray(reply)) return reply.map((item) => present(item, encode, true))
  if (isError(reply)) return encode(reply.error)
  return reply.status === 'OK' && !nested ? 'OK' : encode(reply.status)
}

type Envelope = { result: unknown } | ErrorReply

const envelope = (reply: Reply, encode: Encode): Envelope =>
  isError(reply) ? { error: toText(reply.error) } : { result: present(reply, encode, false) }

/** The strings of replies are encoded in base64 when the request says `Upstash-Encoding: base64`. */
const encodingOf = (header: string | string[] | undefined): Encode => (header === 'base64' ? base64 : toText)

/** One reply: 200 `{result}` or 400 `{error}`. */
export const single = (reply: Reply, encoding: string | string[] | undefined): Answer =>
  json(isError(reply) ? 400 : 200, envelope(reply, encodingOf(encoding)))

/** Replies in order, each `{result}` or `{error}`, always 200; one 400 `{error}` for a discarded transaction. */
export const several = (replies: Reply[] | ErrorReply, encoding: string | string[] | undefined): Answer => {
  if (!Array.isArray(replies)) return single(replies, encoding)
  return json(
    200,
    replies.map((reply) => envelope(reply, encodingOf(encoding))),
  )
}

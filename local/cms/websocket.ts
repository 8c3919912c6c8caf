import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const TEXT = 1
const CLOSE = 8
const PING = 9

/** One WebSocket of a stand-in, text only. */
export type Socket = { send: (text: string) => void; close: () => void }

type Frame = { opcode: number; payload: Buffer; size: number }

/** The first frame of a buffer (RFC 6455 §5.2, as clients send it: masked); undefined while it is not whole. */
const frameOf = (buffer: Buffer): Frame | undefined => {
  if (buffer.length < 6) return undefined
  const short = (buffer[1] ?? 0) & 0x7f
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0
  if (buffer.length < 6 + extra) return undefined
  const length = extra === 2 ? buffer.readUInt16BE(2) : extra === 8 ? Number(buffer.readBigUInt64BE(2)) : short
  const start = 6 + extra
  if (buffer.length < start + length) return undefined
  const mask = buffer.subarray(2 + extra, start)
  const payload = Buffer.from(buffer.subarray(start, start + length).map((byte, n) => byte ^ (mask[n % 4] ?? 0)))
  return { opcode: (buffer[0] ?? 0) & 0x0f, payload, size: start + length }
}

const framed = (opcode: number, payload: Buffer): Buffer => {
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

/** Accepts the upgrade of a request; `onText` gets each message. */
export const acceptSocket = (request: IncomingMessage, stream: Duplex, onText: (text: string) => void): Socket => {
  const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64')
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
  )
  const close = () => {
    if (stream.writable) stream.end(framed(CLOSE, Buffer.from([0x03, 0xe8])))
  }
  let rest = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let frame = frameOf(rest); frame; frame = frameOf(rest)) {
      rest = Buffer.from(rest.subarray(frame.size))
      if (frame.opcode === TEXT) onText(frame.payload.toString('utf8'))
      if (frame.opcode === PING) stream.write(framed(10, frame.payload))
      if (frame.opcode === CLOSE) close()
    }
  })
  stream.on('error', () => stream.destroy())
  return { send: (text) => stream.writable && stream.write(framed(TEXT, Buffer.from(text))), close }
}

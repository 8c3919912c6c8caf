import type { Command, Reply } from './backend.ts'

/** A command in RESP2. */
export const encodeCommand = (command: Command): string => {
  let text = `*${command.length}\r\n`
  for (const part of command) {
    const argument = String(part)
    text += `$${Buffer.byteLength(argument)}\r\n${argument}\r\n`
  }
  return text
}

type Parsed = { reply: Reply; end: number }
/** Bytes that must have arrived in all before parsing can get further. */
type Missing = { needed: number }

const isMissing = (outcome: Parsed | Missing): outcome is Missing => 'needed' in outcome

const parseArray = (data: Buffer, start: number, length: number): Parsed | Missing => {
  const items: Reply[] = []
  let end = start
  for (let i = 0; i < length; i += 1) {
    const item = parseAt(data, end)
    if (isMissing(item)) return item
    items.push(item.reply)
    end = item.end
  }
  return { reply: items, end }
}

const parseBulk = (data: Buffer, start: number, length: number): Parsed | Missing => {
  const end = start + length + 2
  if (data.length < end) return { needed: end }
  return { reply: data.toString('utf8', start, start + length), end }
}

const parseAt = (data: Buffer, start: number): Parsed | Missing => {
  const lineEnd = data.indexOf('\r\n', start, 'latin1')
  if (lineEnd < 0) return { needed: data.length + 1 }
  const line = data.toString('latin1', start + 1, lineEnd)
  const end = lineEnd + 2
  const kind = data[start]
  if (kind === 0x2b) return { reply: { status: line }, end }
  if (kind === 0x2d) return { reply: { error: line }, end }
  const number = Number(line)
  if (kind === 0x3a) return { reply: number, end }
  if ((kind !== 0x24 && kind !== 0x2a) || !Number.isInteger(number)) throw new Error(`not RESP2: ${line.slice(0, 40)}`)
  if (number < 0) return { reply: null, end }
  return kind === 0x24 ? parseBulk(data, end, number) : parseArray(data, end, number)
}

/** A parser fed with what arrives from a socket; answers the replies each chunk completes. Throws on anything else. */
export const createReplyParser = (): ((chunk: Buffer) => Reply[]) => {
  let chunks: Buffer[] = []
  let arrived = 0
  let needed = 1
  return (chunk) => {
    chunks.push(chunk)
    arrived += chunk.length
    // A long value arrives in many chunks: joining them only once it is complete keeps the work linear.
    if (arrived < needed) return []
    const data = chunks.length === 1 ? chunk : Buffer.concat(chunks)
    const replies: Reply[] = []
    let start = 0
    needed = 1
    while (start < data.length) {
      const outcome = parseAt(data, start)
      if (isMissing(outcome)) {
        needed = outcome.needed - start
        break
      }
      replies.push(outcome.reply)
      start = outcome.end
    }
    const rest = data.subarray(start)
    chunks = rest.length > 0 ? [rest] : []
    arrived = rest.length
    return replies
  }
}

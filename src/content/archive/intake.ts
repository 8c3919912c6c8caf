import type { Intake } from '../../platform/http/upload-body.ts'
import { joined } from '../../platform/lib/bytes.ts'
import { base64Url, hex } from '../../platform/lib/crypto.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { Upload } from '../../platform/lib/file-fields.ts'
import { deleteParts, partName } from '../../platform/runtime/bucket.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import { BadArchive, End, FORMAT, faultOf, Head, jsonIn } from './lines.ts'
import type { TakenArchive } from './operations.ts'

/** Largest archive as sent. The next two limits apply to its unpacked bytes and lines. */
export const MAX_ARCHIVE_BYTES = 90 * 1024 * 1024
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024
const MAX_LINES = 200_000
/** Longest line: an image of 12 MB as base64, with its fields. */
const MAX_LINE_BYTES = 17 * 1024 * 1024

/** Limits of a part in the bucket. An import writes the rows of one part in one batch. */
const PART_BYTES = 1024 * 1024
const PART_LINES = 200

/** Memory that receiving an archive needs: its longest line, the part before that line, and both joined. */
const ROOM_BYTES = 40 * 1024 * 1024

const FOLDER = 'project-imports'
const NEWLINE = 10

const refused = (why: string): ApiError => invalidInput([{ field: 'file', message: why }])

const tooLarge = (what: string, most: number): ApiError =>
  new ApiError('body_too_large', `The archive cannot be imported: ${what}.`, { max_bytes: most })

/** Yields the lines of bytes, without line breaks. Throws 413 for a line that is too long. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let size = 0
  const takeLine = (): Uint8Array => {
    const line = new Uint8Array(size)
    let at = 0
    for (const piece of held) {
      line.set(piece, at)
      at += piece.length
    }
    held = []
    size = 0
    return line
  }
  const hold = (piece: Uint8Array): void => {
    size += piece.length
    if (size > MAX_LINE_BYTES) throw tooLarge(`a line is longer than ${MAX_LINE_BYTES} bytes`, MAX_LINE_BYTES)
    if (piece.length > 0) held.push(piece)
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      hold(chunk.subarray(from, end))
      from = end + 1
      yield takeLine()
    }
    // The stream may reuse the chunk's memory.
    hold(chunk.slice(from))
  }
  if (size > 0) yield takeLine()
}

/** Yields the bytes, unpacked if they are gzip. Throws 400 for broken gzip. */
async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  let first = await iterator.next()
  while (!first.done && first.value.length < 2) {
    const next = await iterator.next()
    if (next.done) break
    first = { done: false, value: joined(first.value, next.value) }
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    for (let one = first; !one.done; one = await iterator.next()) yield one.value
  }
  if (first.done || first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield* all()
    return
  }
  const rest = all()
  let failure: unknown
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      const { done, value } = await rest.next().catch((error: unknown) => {
        failure = error
        throw error
      })
      if (done) controller.close()
      // Throws after the end of the gzip, which accepts no further bytes.
      else controller.enqueue(Uint8Array.from(value))
    },
  })
  try {
    yield* packed.pipeThrough(new DecompressionStream('gzip')) as unknown as AsyncIterable<Uint8Array>
  } catch (error) {
    throw failure ?? (error instanceof TypeError ? refused('is not whole gzip of one member') : error)
  }
}

async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MAX_UNPACKED_BYTES)
      throw tooLarge(`unpacked it has more than ${MAX_UNPACKED_BYTES} bytes`, MAX_UNPACKED_BYTES)
    yield chunk
  }
}

const textOf = (line: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(line)
  } catch {
    throw new BadArchive('a line is not UTF-8')
  }
}

/** Returns the URL of the service that made the archive, from the first line. Throws `BadArchive`. */
const sourceIn = (line: Uint8Array): string => {
  const value = jsonIn(textOf(line))
  if (value.type !== 'archive') throw new BadArchive('its first line is not {"type":"archive",…}')
  if (value.format !== FORMAT)
    throw new BadArchive(`has the format ${JSON.stringify(value.format)?.slice(0, 20)}, and only ${FORMAT} is read`)
  const head = Head.safeParse(value)
  if (!head.success) throw new BadArchive(`first line: ${faultOf(head.error)}`)
  return head.data.source_url
}

/** Checks that the last line is an `end` line that counts `rows` rows. Throws `BadArchive`. */
const checkEnd = (line: Uint8Array, rows: number): void => {
  const value = line.length > MAX_LINE_BYTES / 100 ? {} : jsonIn(textOf(line))
  if (value.type !== 'end') throw new BadArchive('is not complete: its last line is not {"type":"end",…}')
  const end = End.safeParse(value)
  if (!end.success) throw new BadArchive(`last line: ${faultOf(end.error)}`)
  const said = Object.values(end.data.counts).reduce((sum, count) => sum + count, 0)
  if (said !== rows) throw new BadArchive(`has ${rows} rows, and its last line counts ${said}`)
}

/** Writes lines to the bucket in parts. The first part has two lines: the head and the project. */
const partsTo = (deps: Deps, name: string) => {
  let lines: Uint8Array[] = []
  let [size, parts] = [0, 0]
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return
    const part = new Uint8Array(size)
    let at = 0
    for (const line of lines) {
      part.set(line, at)
      at += line.length + 1
      part[at - 1] = NEWLINE
    }
    lines = []
    size = 0
    try {
      await deps.media.put(partName(FOLDER, name, parts), part, {
        httpMetadata: { contentType: 'application/x-ndjson' },
      })
    } catch (error) {
      deps.log('error', 'archive.put_failed', errorFields(error))
      throw new ApiError('unavailable', 'Files cannot be stored at the moment. Nothing was changed; repeat the call.', {
        retry_after: 5,
      })
    }
    parts += 1
  }
  return {
    count: () => parts,
    flush,
    add: async (line: Uint8Array): Promise<void> => {
      lines.push(line)
      size += line.length + 1
      const isHead = parts === 0 && lines.length === 2
      if (isHead || size >= PART_BYTES || lines.length >= PART_LINES) await flush()
    },
  }
}

/** Yields the bytes unchanged and adds them to a hash. */
async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  hash: WritableStreamDefaultWriter<ArrayBuffer | ArrayBufferView>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    await hash.write(chunk)
    yield chunk
  }
}

/**
 * Stores all lines but the last in the bucket. The last line proves that the archive is complete. Throws `BadArchive`, 413,
 * 503.
 */
const store = async (chunks: AsyncIterable<Uint8Array>, parts: ReturnType<typeof partsTo>): Promise<string> => {
  let sourceUrl: string | undefined
  let last: Uint8Array | undefined
  let count = 0
  for await (const line of linesOf(counted(unpacked(chunks)))) {
    if (line.length === 0) continue
    count += 1
    if (count > MAX_LINES) throw new BadArchive(`has more than ${MAX_LINES} lines`)
    if (sourceUrl === undefined) sourceUrl = sourceIn(line)
    if (last) await parts.add(last)
    last = line
  }
  if (sourceUrl === undefined || !last) throw new BadArchive('is empty')
  checkEnd(last, count - 2)
  await parts.flush()
  return sourceUrl
}

/**
 * Stores an archive in the bucket while it arrives, plain or gzip. Throws 400 if it is incomplete or not of this format.
 *
 * Throws 413 if it is too large, and 503 if the bucket does not respond.
 */
export const archiveIntake =
  (deps: Deps): Intake =>
  async (chunks, room) => {
    const leave = await room.take(ROOM_BYTES)
    const name = base64Url(crypto.getRandomValues(new Uint8Array(24)))
    const digest = new crypto.DigestStream('SHA-256')
    // The digest of a refused archive rejects, and nothing awaits it.
    digest.digest.catch(() => {})
    const hash = digest.getWriter()
    const parts = partsTo(deps, name)
    let isHeld = false
    const drop = async (): Promise<void> => {
      leave()
      if (!isHeld) await deleteParts(deps.media, FOLDER, { name, parts: parts.count() })
    }
    try {
      const sourceUrl = await store(hashed(chunks, hash), parts)
      await hash.close()
      const hold = () => {
        isHeld = true
      }
      const file: TakenArchive = { name, parts: parts.count(), sourceUrl, hold }
      return new Upload(file, hex(await digest.digest), drop)
    } catch (error) {
      await drop()
      throw error instanceof BadArchive ? refused(error.message) : error
    }
  }

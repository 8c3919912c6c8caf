import { invalidInput } from '../lib/errors.ts'
import type { Upload } from '../lib/file-fields.ts'
import { type Body, tooLarge } from './body.ts'
import { formParts, malformedForm } from './multipart.ts'
import type { Room } from './room.ts'

/**
 * A body that may also be a form (`multipart/form-data`).
 *
 * `field`: the field for its one file. `maxBytes`: the maximum size of the whole body. `integers`: other fields that are
 * integers.
 */
export type UploadField = { field: string; maxBytes: number; integers?: readonly string[] }

/** Processes a file as it arrives, never as a whole, with memory from `room`. Throws the refusal to answer with. */
export type Intake = (chunks: AsyncIterable<Uint8Array>, room: Room) => Promise<Upload>

const MAX_TEXT_BYTES = 64 * 1024

/** Reads and discards the rest, so that a caller who is still sending receives the answer. Stops after `maxBytes`. */
const letGo = async (chunks: AsyncIterator<Uint8Array>, maxBytes: number): Promise<void> => {
  let size = 0
  try {
    for (let next = await chunks.next(); !next.done && size <= maxBytes; next = await chunks.next())
      size += next.value.byteLength
  } catch {
    // The caller went away.
  }
}

/** Yields chunks up to a limit. Throws 413 past it. */
async function* limited(chunks: AsyncIterator<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    size += next.value.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    yield next.value
  }
}

const textOf = async (chunks: AsyncIterable<Uint8Array>, take: (bytes: number) => void): Promise<string> => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  let text = ''
  try {
    for await (const chunk of chunks) {
      take(chunk.byteLength)
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw malformedForm('a field is not UTF-8')
    throw error
  }
}

type Form = { value: Record<string, unknown>; uploads: Upload[] }

const readForm = async (
  form: Form,
  parts: AsyncIterable<{ name: string; filename: string | undefined; body: AsyncIterable<Uint8Array> }>,
  { field, integers = [] }: UploadField,
  takeIn: (chunks: AsyncIterable<Uint8Array>) => Promise<Upload>,
): Promise<void> => {
  let left = MAX_TEXT_BYTES
  const take = (bytes: number): void => {
    left -= bytes
    if (left < 0) throw malformedForm(`its fields beside the file are longer than ${MAX_TEXT_BYTES} bytes`)
  }
  const set = (name: string, value: unknown): void => {
    if (Object.hasOwn(form.value, name))
      throw invalidInput([{ field: name, message: 'was given several times; give it once' }])
    Object.defineProperty(form.value, name, { value, enumerable: true, configurable: true, writable: true })
  }
  for await (const { name, filename, body } of parts) {
    if (filename === undefined) {
      const text = await textOf(body, take)
      set(name, integers.includes(name) && /^\d{1,10}$/.test(text) ? Number(text) : text)
      continue
    }
    if (form.uploads.length > 0) throw invalidInput([{ field, message: 'must be one file' }])
    const upload = await takeIn(body)
    form.uploads.push(upload)
    set(field, upload)
  }
}

/**
 * Reads a form and passes its one file to `takeIn` as it arrives. Throws 400, 413, and what `takeIn` throws.
 *
 * The file is in the operation's field, whatever name its part has. The caller drops `upload` when the request has ended.
 */
export const readUploadBody = async (
  request: Request,
  boundary: string,
  declared: UploadField,
  takeIn: (chunks: AsyncIterable<Uint8Array>) => Promise<Upload>,
): Promise<Body & { upload: Upload | undefined }> => {
  const { maxBytes } = declared
  const body = request.body ?? new Blob([]).stream()
  const chunks = (body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  const form: Form = { value: {}, uploads: [] }
  try {
    if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
    await readForm(form, formParts(limited(chunks, maxBytes), boundary), declared, takeIn)
    // Bytes after the last boundary do not belong to the form.
    await letGo(chunks, maxBytes)
  } catch (error) {
    await Promise.all(form.uploads.map((one) => one.drop()))
    await letGo(chunks, 2 * maxBytes)
    throw error
  }
  const { value } = form
  return { bytes: 0, isEmpty: false, parsed: () => ({ text: '-', value }), upload: form.uploads[0] }
}

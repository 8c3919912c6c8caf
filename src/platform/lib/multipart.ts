/** A file of a form, opened when it is sent. `size`: its exact length, bytes. */
export type FormFile = {
  name: string
  filename: string
  type: string
  size: number
  open: () => Promise<AsyncIterable<Uint8Array>>
}

/** A body that is sent as it is read and never in memory as a whole. */
export type StreamedBody = { length: number; chunks: AsyncIterable<Uint8Array> }

const encoder = new TextEncoder()

const quoted = (text: string): string => text.replace(/["\r\n]/g, '_')

async function* chunksOf(parts: readonly (Uint8Array | FormFile)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Uint8Array) yield part
    else yield* await part.open()
  }
}

/** Returns a form with fields and files (multipart/form-data, RFC 7578): its content type, and a body of known length. */
export const multipartOf = (
  fields: Readonly<Record<string, string>>,
  files: readonly FormFile[],
): { type: string; body: StreamedBody } => {
  const boundary = `form-${crypto.randomUUID()}`
  const head = (disposition: string, type = '') =>
    encoder.encode(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n`)
  const end = encoder.encode('\r\n')
  const parts: (Uint8Array | FormFile)[] = [
    ...Object.entries(fields).flatMap(([name, value]) => [head(`name="${quoted(name)}"`), encoder.encode(value), end]),
    ...files.flatMap((file) => [
      head(`name="${quoted(file.name)}"; filename="${quoted(file.filename)}"`, `Content-Type: ${file.type}\r\n`),
      file,
      end,
    ]),
    encoder.encode(`--${boundary}--\r\n`),
  ]
  const length = parts.reduce((sum, part) => sum + (part instanceof Uint8Array ? part.length : part.size), 0)
  return { type: `multipart/form-data; boundary=${boundary}`, body: { length, chunks: chunksOf(parts) } }
}

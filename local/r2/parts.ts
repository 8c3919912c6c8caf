import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Files, StoredObject } from './files.ts'
import { badUpload, invalidPart, noSuchUpload, partTooSmall } from './wire.ts'

type Begun = Pick<StoredObject, 'key' | 'httpFields' | 'customFields'>
type Part = { etag: string; size: number; md5: string }

export type Parts = {
  /** Begins an object. Returns the id of the upload. */
  begin: (bucket: string, wanted: Begun) => Promise<string>
  /** Stores a part, and replaces one of the same number. Returns its tag. */
  add: (
    bucket: string,
    key: string,
    uploadId: string,
    part: number,
    value: () => AsyncIterable<Buffer>,
  ) => Promise<string>
  /** Makes the object from its parts. Throws a refusal for parts that R2 would refuse. */
  complete: (
    bucket: string,
    key: string,
    uploadId: string,
    parts: readonly { etag: string; part: number }[],
  ) => Promise<StoredObject>
  /** Removes all parts. */
  abort: (bucket: string, uploadId: string) => Promise<void>
  /** Uploads that were neither completed nor aborted. */
  open: (bucket: string) => Promise<string[]>
  /** Bytes of parts that arrived so far. */
  arrived: () => number
}

/** Least bytes of each part but the last (https://developers.cloudflare.com/r2/objects/multipart-objects/). */
const MIN_PART_BYTES = 5 * 1024 * 1024

/** Returns a store of multipart uploads, with their parts as files beside the objects. */
export const partsIn = (dir: string, files: Files): Parts => {
  const uploadsOf = (bucket: string) => join(dir, encodeURIComponent(bucket), 'uploads')
  const folderOf = (bucket: string, uploadId: string) => join(uploadsOf(bucket), encodeURIComponent(uploadId))

  const readJson = async <T>(file: string): Promise<T | undefined> =>
    await readFile(file, 'utf8').then(
      (text) => JSON.parse(text) as T,
      () => undefined,
    )

  const begunAt = async (bucket: string, key: string, uploadId: string): Promise<Begun> => {
    const begun = await readJson<Begun>(join(folderOf(bucket, uploadId), 'upload.json'))
    if (begun?.key !== key) throw noSuchUpload()
    return begun
  }

  let arrived = 0

  return {
    begin: async (bucket, wanted) => {
      const uploadId = randomUUID()
      const folder = folderOf(bucket, uploadId)
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'upload.json'), JSON.stringify(wanted))
      return uploadId
    },
    add: async (bucket, key, uploadId, part, value) => {
      await begunAt(bucket, key, uploadId)
      const file = join(folderOf(bucket, uploadId), String(part))
      const md5 = createHash('md5')
      let size = 0
      async function* counted() {
        for await (const chunk of value()) {
          size += chunk.length
          arrived += chunk.length
          md5.update(chunk)
          yield chunk
        }
      }
      await pipeline(counted, createWriteStream(`${file}.bin`))
      const stored: Part = { etag: randomUUID(), size, md5: md5.digest('hex') }
      await writeFile(`${file}.json`, JSON.stringify(stored))
      return stored.etag
    },
    complete: async (bucket, key, uploadId, parts) => {
      const begun = await begunAt(bucket, key, uploadId)
      const folder = folderOf(bucket, uploadId)
      const sorted = [...parts].sort((a, b) => a.part - b.part)
      const stored = await Promise.all(
        sorted.map(async ({ part, etag }) => {
          const found = await readJson<Part>(join(folder, `${part}.json`))
          if (found?.etag !== etag) throw invalidPart()
          return found
        }),
      )
      const [first] = stored
      const others = stored.slice(0, -1)
      if (others.some(({ size }) => size < MIN_PART_BYTES)) throw partTooSmall()
      const last = stored.at(-1)
      if (!first || !last || others.some(({ size }) => size !== first.size) || last.size > first.size) throw badUpload()
      const md5 = createHash('md5')
      for (const one of stored) md5.update(one.md5, 'hex')
      async function* bytes() {
        for (const { part } of sorted) yield* createReadStream(join(folder, `${part}.bin`)) as AsyncIterable<Buffer>
      }
      const { httpFields, customFields } = begun
      const etag = `${md5.digest('hex')}-${stored.length}`
      const object = await files.put(bucket, key, bytes, { httpFields, customFields, etag })
      await rm(folder, { recursive: true, force: true })
      return object
    },
    abort: async (bucket, uploadId) => {
      await rm(folderOf(bucket, uploadId), { recursive: true, force: true })
    },
    open: async (bucket) => await readdir(uploadsOf(bucket)).catch(() => []),
    arrived: () => arrived,
  }
}

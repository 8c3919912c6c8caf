import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, type ReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type HttpFields, noSuchKey, R2Refusal, type Span } from './wire.ts'

/** What is known of an object beside its bytes. */
export type StoredObject = {
  key: string
  /** Names the file with the bytes. */
  version: string
  size: number
  etag: string
  /** Milliseconds. */
  uploaded: number
  httpFields: HttpFields
  customFields: { k: string; v: string }[]
  /** Hexadecimal; that of an object in parts is not known. */
  checksums: { md5?: string; sha256?: string }
}

/** What is to be stored beside the bytes. */
type Wanted = Pick<StoredObject, 'httpFields' | 'customFields'> & {
  sha256?: string | undefined
  /** That of an object in parts, which has no digests of the whole. */
  etag?: string
}

export type Files = {
  head: (bucket: string, key: string) => Promise<StoredObject | undefined>
  /** Throws a refusal when the object is gone. */
  open: (bucket: string, object: StoredObject, span: Span) => Promise<ReadStream>
  /** Stores the bytes whole or not at all. Throws a refusal when the digest differs. */
  put: (bucket: string, key: string, value: () => AsyncIterable<Buffer>, wanted: Wanted) => Promise<StoredObject>
  remove: (bucket: string, key: string) => Promise<void>
}

/** Objects as files below a folder: a JSON file for each key, which names the file with the bytes. */
export const filesIn = (dir: string): Files => {
  const folderOf = (bucket: string) => join(dir, encodeURIComponent(bucket))
  const nameOf = (key: string) => createHash('sha256').update(key).digest('hex')
  const metaOf = (bucket: string, key: string) => join(folderOf(bucket), `${nameOf(key)}.json`)
  const bytesOf = (bucket: string, version: string) => join(folderOf(bucket), `${version}.bin`)
  /** Changes of one key happen one after the other. */
  const turns = new Map<string, Promise<unknown>>()

  const inTurn = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(name) ?? Promise.resolve()).then(work, work)
    turns.set(name, turn)
    try {
      return await turn
    } finally {
      if (turns.get(name) === turn) turns.delete(name)
    }
  }

  const head: Files['head'] = async (bucket, key) => {
    try {
      return JSON.parse(await readFile(metaOf(bucket, key), 'utf8')) as StoredObject
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  const replace = async (bucket: string, object: StoredObject, before: StoredObject | undefined): Promise<void> => {
    const file = metaOf(bucket, object.key)
    const own = `${file}.${object.version}`
    await writeFile(own, JSON.stringify(object))
    await rename(own, file)
    if (before) await rm(bytesOf(bucket, before.version), { force: true })
  }

  return {
    head,
    open: async (bucket, { version }, { offset, length }) => {
      // Opened before anything is answered: an object that is replaced meanwhile is still read to its end.
      const file = await open(bytesOf(bucket, version)).catch(() => {
        throw noSuchKey()
      })
      return createReadStream('', { fd: file, start: offset, end: offset + Math.max(length, 1) - 1 })
    },
    put: async (bucket, key, value, { sha256, etag, ...fields }) => {
      await mkdir(folderOf(bucket), { recursive: true })
      const version = randomUUID().replaceAll('-', '')
      const file = bytesOf(bucket, version)
      const [md5, sha] = [createHash('md5'), createHash('sha256')]
      let size = 0
      async function* counted() {
        for await (const chunk of value()) {
          size += chunk.length
          md5.update(chunk)
          sha.update(chunk)
          yield chunk
        }
      }
      try {
        await pipeline(counted, createWriteStream(file))
        const computed = { md5: md5.digest('hex'), sha256: sha.digest('hex') }
        if (sha256 !== undefined && sha256.toLowerCase() !== computed.sha256)
          throw new R2Refusal(400, 10037, 'The sha256 checksum you specified did not match what we received.')
        const object = {
          key,
          version,
          size,
          etag: etag ?? computed.md5,
          uploaded: Date.now(),
          checksums: etag !== undefined ? {} : sha256 === undefined ? { md5: computed.md5 } : computed,
          ...fields,
        }
        return await inTurn(`${bucket}/${key}`, async () => {
          const before = await head(bucket, key)
          await replace(bucket, object, before)
          return object
        })
      } catch (error) {
        await rm(file, { force: true })
        throw error
      }
    },
    remove: (bucket, key) =>
      inTurn(`${bucket}/${key}`, async () => {
        const object = await head(bucket, key)
        if (!object) return
        await rm(metaOf(bucket, key), { force: true })
        await rm(bytesOf(bucket, object.version), { force: true })
      }),
  }
}

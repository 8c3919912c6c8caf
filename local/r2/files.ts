import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { Refusal } from '../cloudflare/answer.ts'
import { type HttpFields, noSuchKey, preconditionFailed, type Span } from './wire.ts'

/** Shape of an object's record. */
export const Shape = z.object({
  key: z.string(),
  /** Names the file with the bytes. */
  version: z.string().regex(/^[0-9a-f]+$/),
  size: z.int().nonnegative(),
  etag: z.string(),
  /** Milliseconds. */
  uploaded: z.number(),
  httpFields: z.custom<HttpFields>((value) => typeof value === 'object' && value !== null),
  customFields: z.array(z.object({ k: z.string(), v: z.string() })),
  /** Hexadecimal. Objects in parts have none. */
  checksums: z.object({ md5: z.optional(z.string()), sha256: z.optional(z.string()) }),
})

/** Record of an object, stored beside its bytes. */
export type StoredObject = z.infer<typeof Shape>

/** Fields to store beside the bytes. */
export type Wanted = Pick<StoredObject, 'httpFields' | 'customFields'> & {
  sha256?: string | undefined
  /** The etag of an object in parts, which has no digest of the whole. */
  etag?: string
  /** Returns true if the object that has the key may be replaced. */
  may?: (before: StoredObject | undefined) => boolean
}

export type Files = {
  head: (bucket: string, key: string) => Promise<StoredObject | undefined>
  /** Throws a refusal if the object no longer exists. */
  open: (bucket: string, object: StoredObject, span: Span) => Promise<Readable>
  /** Stores the bytes completely or not at all. Throws a refusal if the digest differs. */
  put: (bucket: string, key: string, value: () => AsyncIterable<Buffer>, wanted: Wanted) => Promise<StoredObject>
  remove: (bucket: string, key: string) => Promise<void>
  /** Returns the objects whose keys begin with a prefix, in the order of their keys. */
  list: (bucket: string, prefix: string) => Promise<StoredObject[]>
  /**
   * Returns a sentence for each stored object that cannot be read. Requests for it get the answer for a missing object.
   */
  damaged: () => Promise<string[]>
}

/** Reads an object's JSON file; undefined if it is not valid. */
const readObject = async (file: string): Promise<StoredObject | undefined> => {
  try {
    return Shape.safeParse(JSON.parse(await readFile(file, 'utf8'))).data
  } catch {
    return undefined
  }
}

/** Returns a function that does the work of one name one after the other. */
export const createTurns = (): (<T>(name: string, work: () => Promise<T>) => Promise<T>) => {
  const turns = new Map<string, Promise<unknown>>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(name) ?? Promise.resolve()).then(work, work)
    turns.set(name, turn)
    try {
      return await turn
    } finally {
      if (turns.get(name) === turn) turns.delete(name)
    }
  }
}

export const newVersion = (): string => randomUUID().replaceAll('-', '')

/** Writes the bytes of an object to a file. Returns its record and digest. Throws a refusal if the wanted digest differs. */
export const receive = async (
  file: string,
  [key, version]: readonly [key: string, version: string],
  value: () => AsyncIterable<Buffer>,
  { sha256, etag, may: _, ...fields }: Wanted,
): Promise<{ object: StoredObject; sha256: string }> => {
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
  await pipeline(counted, createWriteStream(file))
  const computed = { md5: md5.digest('hex'), sha256: sha.digest('hex') }
  if (sha256 !== undefined && sha256.toLowerCase() !== computed.sha256)
    throw new Refusal(400, 10037, 'The sha256 checksum you specified did not match what we received.')
  const object = {
    key,
    version,
    size,
    etag: etag ?? computed.md5,
    uploaded: Date.now(),
    checksums: etag !== undefined ? {} : sha256 === undefined ? { md5: computed.md5 } : computed,
    ...fields,
  }
  return { object, sha256: computed.sha256 }
}

/** Returns where the parts of an object are below a folder. */
export const placesOf = (dir: string) => {
  const folderOf = (bucket: string) => join(dir, encodeURIComponent(bucket))
  const nameOf = (key: string) => createHash('sha256').update(key).digest('hex')
  return {
    folderOf,
    metaOf: (bucket: string, key: string) => join(folderOf(bucket), `${nameOf(key)}.json`),
    bytesOf: (bucket: string, version: string) => join(folderOf(bucket), `${version}.bin`),
  }
}

/** Returns a store of objects below a folder: a JSON file for each key, which names the file with the bytes. */
export const filesIn = (dir: string): Files => {
  const { folderOf, metaOf, bytesOf } = placesOf(dir)
  const inTurn = createTurns()

  const head: Files['head'] = (bucket, key) => readObject(metaOf(bucket, key))

  /** Returns the fault of an object, by the path of its JSON file. */
  const damageAt = async (folder: string, name: string): Promise<string | undefined> => {
    const object = await readObject(join(folder, name))
    if (!object) return `${join(folder, name)} does not say what it was stored for: this hosted file is not served.`
    const bytes = join(folder, `${object.version}.bin`)
    const size = await stat(bytes).then(
      (found) => (found.isFile() ? found.size : undefined),
      () => undefined,
    )
    if (size === object.size) return undefined
    return `${bytes} does not hold the ${object.size} bytes of ${object.key}: this hosted file is not served whole.`
  }

  const damaged: Files['damaged'] = async () => {
    const entries = await readdir(dir, { withFileTypes: true, recursive: true })
    const isObject = ({ name, parentPath }: { name: string; parentPath: string }) =>
      /^[0-9a-f]{64}\.json$/.test(name) && dirname(parentPath) === dir
    const found = await Promise.all(entries.filter(isObject).map(({ name, parentPath }) => damageAt(parentPath, name)))
    return found.filter((sentence) => sentence !== undefined)
  }

  const replace = async (bucket: string, object: StoredObject, before: StoredObject | undefined): Promise<void> => {
    const file = metaOf(bucket, object.key)
    const own = `${file}.${object.version}`
    await writeFile(own, JSON.stringify(object))
    await rename(own, file)
    if (before) await rm(bytesOf(bucket, before.version), { force: true })
  }

  const list: Files['list'] = async (bucket, prefix) => {
    const names = await readdir(folderOf(bucket)).catch(() => [])
    const files = names.filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
    const objects = await Promise.all(files.map((name) => readObject(join(folderOf(bucket), name))))
    const found = objects.filter((object) => object?.key.startsWith(prefix)) as StoredObject[]
    return found.sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  return {
    head,
    list,
    damaged,
    open: async (bucket, { version }, { offset, length }) => {
      // Opened before the answer begins, so that an object which is replaced meanwhile is still read to its end.
      const file = await open(bytesOf(bucket, version)).catch(() => {
        throw noSuchKey()
      })
      return createReadStream('', { fd: file, start: offset, end: offset + Math.max(length, 1) - 1 })
    },
    put: async (bucket, key, value, wanted) => {
      await mkdir(folderOf(bucket), { recursive: true })
      const version = newVersion()
      const file = bytesOf(bucket, version)
      try {
        const { object } = await receive(file, [key, version], value, wanted)
        return await inTurn(`${bucket}/${key}`, async () => {
          const before = await head(bucket, key)
          if (wanted.may && !wanted.may(before)) throw preconditionFailed()
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

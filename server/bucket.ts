import { createHash } from 'node:crypto'
import { createReadStream, existsSync, openAsBlob } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createTurns, type Files, newVersion, placesOf, receive, Shape, type StoredObject } from '../local/r2/files.ts'
import { noSuchKey, preconditionFailed } from '../local/r2/wire.ts'
import { encoded, sha256, signedHeaders } from '../scripts/deploy/s3.ts'

/** Bucket at S3 or a service with the same interface. `url` ends with the bucket's name. */
export type BucketAccess = { url: string; region: string; keyId: string; secret: string }

/** Header with an object's record. S3 keeps it beside the bytes, so that both change together. */
const RECORD = 'x-amz-meta-galley'

const CALL_MS = 60_000
/** Objects whose records are read at once. */
const AT_ONCE = 16

type Request = { headers?: Record<string, string>; body?: Blob; digest?: string }

/** Pictures and files in a bucket, with what backups need. */
export type Bucket = Files & {
  /** Writes an object whose bytes are in a file. */
  save: (bucket: string, object: StoredObject, file: string, digest: string) => Promise<void>
  /** Throws an error if the bucket cannot be read. */
  ask: () => Promise<void>
  /** Returns the key of every object, with the Workers' bucket that it is in. */
  keys: () => Promise<{ bucket: string; key: string }[]>
}

const digestOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const unescaped = (text: string): string =>
  text
    .replace(/&#(x?)([\da-f]+);/gi, (_, x: string, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, x ? 16 : 10)),
    )
    .replace(
      /&(lt|gt|quot|apos|amp);/g,
      (_, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' })[name] ?? '',
    )

const noBucket = () => new Error('there is no such bucket')

const inTag = (xml: string, tag: string): string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, text = '']) => unescaped(text))

const recordOf = (headers: Headers): StoredObject | undefined => {
  try {
    const text = Buffer.from(headers.get(RECORD) ?? '', 'base64url').toString('utf8')
    return Shape.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Returns a store of objects in a bucket. `dir`: folder in which uploads wait until they are complete. */
export const bucketAt = (access: BucketAccess, dir: string): Bucket => {
  const inTurn = createTurns()

  const call = async (method: string, path: string, { headers = {}, body, digest = sha256('') }: Request = {}) => {
    const url = `${access.url.replace(/\/+$/, '')}${path}`
    const answer = await fetch(url, {
      method,
      headers: signedHeaders({ method, url, headers, digest }, access, new Date()),
      ...(body ? { body } : {}),
      signal: AbortSignal.timeout(CALL_MS),
    })
    if (answer.ok || answer.status === 404) return answer
    const [code = ''] = inTag(await answer.text().catch(() => ''), 'Code')
    throw new Error(`the bucket answers ${answer.status} ${code}`.trim())
  }

  const pathOf = (bucket: string, key: string): string => `/${[bucket, ...key.split('/')].map(encoded).join('/')}`

  const head: Files['head'] = async (bucket, key) => {
    const answer = await call('HEAD', pathOf(bucket, key))
    return answer.ok ? recordOf(answer.headers) : undefined
  }

  const keysFrom = async (prefix: string): Promise<string[]> => {
    const keys: string[] = []
    let more = ''
    do {
      const answer = await call('GET', `/?list-type=2&prefix=${encoded(prefix)}${more}`)
      if (!answer.ok) throw noBucket()
      const xml = await answer.text()
      keys.push(...inTag(xml, 'Key'))
      const [next] = inTag(xml, 'NextContinuationToken')
      more = next === undefined ? '' : `&continuation-token=${encoded(next)}`
    } while (more !== '')
    return keys
  }

  const save: Bucket['save'] = async (bucket, object, file, digest) => {
    const headers = {
      'content-type': object.httpFields.contentType ?? 'application/octet-stream',
      [RECORD]: Buffer.from(JSON.stringify(object)).toString('base64url'),
    }
    const answer = await call('PUT', pathOf(bucket, object.key), { headers, body: await openAsBlob(file), digest })
    if (!answer.ok) throw noBucket()
  }

  return {
    head,
    save,
    ask: async () => {
      const answer = await call('GET', '/?list-type=2&max-keys=1')
      await answer.text()
      if (!answer.ok) throw noBucket()
    },
    keys: async () =>
      (await keysFrom('')).map((path) => {
        const [bucket = '', ...key] = path.split('/')
        return { bucket, key: key.join('/') }
      }),
    list: async (bucket, prefix) => {
      const keys = (await keysFrom(`${bucket}/${prefix}`)).map((path) => path.slice(bucket.length + 1))
      const found: StoredObject[] = []
      for (let from = 0; from < keys.length; from += AT_ONCE) {
        const some = await Promise.all(keys.slice(from, from + AT_ONCE).map((key) => head(bucket, key)))
        found.push(...some.filter((object) => object !== undefined))
      }
      return found.sort((a, b) => (a.key < b.key ? -1 : 1))
    },
    // Only who writes to the bucket past this service can damage an object.
    damaged: async () => [],
    open: async (bucket, { key, version }, { offset, length }) => {
      const range = `bytes=${offset}-${offset + Math.max(length, 1) - 1}`
      const answer = await call('GET', pathOf(bucket, key), length > 0 ? { headers: { range } } : {})
      // Replaced since its record was read.
      if (!answer.ok || !answer.body || recordOf(answer.headers)?.version !== version) throw noSuchKey()
      return Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
    },
    put: async (bucket, key, value, wanted) => {
      await mkdir(dir, { recursive: true })
      const version = newVersion()
      const file = join(dir, `${version}.bin`)
      try {
        const { object, sha256: digest } = await receive(file, [key, version], value, wanted)
        return await inTurn(`${bucket}/${key}`, async () => {
          if (wanted.may && !wanted.may(await head(bucket, key))) throw preconditionFailed()
          await save(bucket, object, file, digest)
          return object
        })
      } finally {
        await rm(file, { force: true })
      }
    },
    remove: (bucket, key) => inTurn(`${bucket}/${key}`, async () => void (await call('DELETE', pathOf(bucket, key)))),
  }
}

/** Writes every object that is not there yet into a folder, as `filesIn` has them. */
export const bringAll = async (bucket: Bucket, dir: string): Promise<void> => {
  const places = placesOf(dir)
  for (const { bucket: name, key } of await bucket.keys()) {
    if (existsSync(places.metaOf(name, key))) continue
    const object = await bucket.head(name, key)
    // Removed since the list was read, or written by somebody else.
    if (!object) continue
    await mkdir(places.folderOf(name), { recursive: true })
    const bytes = await bucket.open(name, object, { offset: 0, length: object.size }).catch(() => undefined)
    if (!bytes) continue
    await writeFile(places.bytesOf(name, object.version), object.size > 0 ? bytes : '')
    await writeFile(places.metaOf(name, key), JSON.stringify(object))
  }
}

/** Writes every object of such a folder into the bucket. */
export const sendAll = async (dir: string, bucket: Bucket): Promise<void> => {
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true }).catch(() => [])) {
    if (!/^[0-9a-f]{64}\.json$/.test(entry.name)) continue
    const object = Shape.parse(JSON.parse(await readFile(join(entry.parentPath, entry.name), 'utf8')))
    const file = join(entry.parentPath, `${object.version}.bin`)
    await bucket.save(decodeURIComponent(basename(entry.parentPath)), object, file, await digestOf(file))
  }
}

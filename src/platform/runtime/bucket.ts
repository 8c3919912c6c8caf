import { currentDryRun } from './dry-run.ts'

/** Number of objects deleted in one call. */
export const OBJECTS = 100

/**
 * Folders for files that are stored in parts, and the endings of the parts' names.
 *
 * Hosted images have other names. Only hosted images are public.
 */
const ENDINGS = { exports: 'ndjson.gz', 'project-exports': 'ndjson', 'project-imports': 'ndjson' } as const

/** Folder of a kind of files that are stored in parts. */
export type PartFolder = keyof typeof ENDINGS

/** Returns the name of a part of a file in the bucket. */
export const partName = (folder: PartFolder, name: string, part: number): string =>
  `${folder}/${name}/${part}.${ENDINGS[folder]}`

/** Deletes the parts of a file, and one more that a run may have stored without recording it. */
export const deleteParts = async (
  media: Pick<Bucket, 'delete'>,
  folder: PartFolder,
  { name, parts }: { name: string; parts: number },
): Promise<void> => {
  const names = Array.from({ length: parts + 1 }, (_, n) => partName(folder, name, n))
  for (let at = 0; at < names.length; at += OBJECTS) await media.delete(names.slice(at, at + OBJECTS))
}

/** Record of a stored object. */
type Stored = { key: string; size: number; customMetadata?: Record<string, string> }

/** A part of an object as it was stored. */
type StoredPart = { partNumber: number; etag: string }

/**
 * A multipart upload. All parts except the last have the same size, at least 5 MiB.
 *
 * The object becomes visible with `complete`. An upload that is neither completed nor aborted is removed after seven days.
 */
export type PartedUpload = {
  uploadPart: (partNumber: number, value: Uint8Array<ArrayBuffer>) => Promise<StoredPart>
  complete: (parts: StoredPart[]) => Promise<unknown>
  abort: () => Promise<void>
}

type ListedObjects = { objects: Stored[]; truncated: false } | { objects: Stored[]; truncated: true; cursor: string }

/** The part of an R2 bucket that the service uses (https://developers.cloudflare.com/r2/api/workers/workers-api-reference/). */
export type Bucket = {
  head: (key: string) => Promise<Stored | null>
  get: (
    key: string,
    options?: { range?: { offset: number; length: number } },
  ) => Promise<(Stored & { body: ReadableStream }) | null>
  /**
   * `sha256` is hexadecimal; R2 refuses bytes with another hash. Returns null if `onlyIf` does not hold, and then changes nothing.
   *
   * A condition is compared and the object written in one step (https://developers.cloudflare.com/r2/api/s3/conditional-operations/, 2026-11-29).
   */
  put: (
    key: string,
    value: Uint8Array<ArrayBuffer>,
    options?: {
      sha256?: string
      httpMetadata?: { contentType?: string }
      customMetadata?: Record<string, string>
      onlyIf?: { uploadedBefore: Date } | { etagDoesNotMatch: string }
    },
  ) => Promise<unknown>
  createMultipartUpload: (key: string, options?: { httpMetadata?: { contentType?: string } }) => Promise<PartedUpload>
  delete: (keys: string | string[]) => Promise<void>
  /** Returns objects whose names begin with a prefix, in the order of their names, at most 1,000. */
  list: (options: { prefix: string; cursor?: string }) => Promise<ListedObjects>
}

/** Time in which an upload that stored its bytes also records them, with room to spare. */
const UPLOAD_MS = 600_000

type Clock = { now: () => Date; settings: { retryTimeScale: number } }

/** Returns when an object that was stored just now may be emptied. */
export const emptiedFrom = ({ now, settings }: Clock, sign: 1 | -1 = 1): Date =>
  new Date(now().getTime() + (sign * UPLOAD_MS) / settings.retryTimeScale)

/**
 * Empties a picture in the bucket. Returns false if somebody stored it in the last ten minutes: it may be another account's, which
 * has not recorded it yet.
 *
 * The bucket compares the time and writes in one step, and another upload replaces the empty object. A deletion would take
 * the bytes of an upload that came between.
 */
export const emptyPicture = async (clock: Clock & { media: Pick<Bucket, 'put'> }, name: string): Promise<boolean> =>
  (await clock.media.put(name, new Uint8Array(0), { onlyIf: { uploadedBefore: emptiedFrom(clock, -1) } })) !== null

const unbound = (): never => {
  throw new Error('MEDIA_BUCKET is not bound: name it under r2_buckets in the wrangler.toml of this Worker')
}

/** Bucket for Workers that have none. Every method throws. */
export const NO_BUCKET: Bucket = {
  head: unbound,
  get: unbound,
  put: unbound,
  createMultipartUpload: unbound,
  delete: unbound,
  list: unbound,
}

const NO_UPLOAD: PartedUpload = {
  uploadPart: async (partNumber) => ({ partNumber, etag: '' }),
  complete: async () => {},
  abort: async () => {},
}

/** Returns the bucket with all changes skipped in dry runs. */
export const keptFromDryRuns = (bucket: Bucket): Bucket => ({
  head: (key) => bucket.head(key),
  get: (key, options) => bucket.get(key, options),
  put: async (key, value, options) => (currentDryRun() ? undefined : await bucket.put(key, value, options)),
  createMultipartUpload: async (key, options) =>
    currentDryRun() ? NO_UPLOAD : await bucket.createMultipartUpload(key, options),
  delete: async (keys) => {
    if (!currentDryRun()) await bucket.delete(keys)
  },
  list: (options) => bucket.list(options),
})

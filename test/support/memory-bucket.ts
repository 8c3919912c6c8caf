import { type Bucket, NO_BUCKET } from '../../src/platform/runtime/bucket.ts'

type Kept = { bytes: Uint8Array; uploaded: number; customMetadata?: Record<string, string> }

/** Returns a bucket in memory with the conditions of R2, and its objects. `now` is its clock. */
export const memoryBucket = (now: () => number = Date.now) => {
  const objects = new Map<string, Kept>()
  const shown = (key: string, { bytes, customMetadata }: Kept) => ({
    key,
    size: bytes.length,
    ...(customMetadata ? { customMetadata } : {}),
  })
  const bucket: Bucket = {
    ...NO_BUCKET,
    head: async (key) => {
      const kept = objects.get(key)
      return kept ? shown(key, kept) : null
    },
    put: async (key, bytes, { customMetadata, onlyIf } = {}) => {
      const before = objects.get(key)
      if (before && onlyIf && 'etagDoesNotMatch' in onlyIf) return null
      if (before && onlyIf && 'uploadedBefore' in onlyIf && before.uploaded >= onlyIf.uploadedBefore.getTime())
        return null
      const kept = { bytes, uploaded: now(), ...(customMetadata ? { customMetadata } : {}) }
      objects.set(key, kept)
      return shown(key, kept)
    },
    delete: async (keys) => {
      for (const key of [keys].flat()) objects.delete(key)
    },
  }
  return { bucket, objects }
}

/** What is known of a stored object. */
type Stored = { key: string; size: number }

/** What the service uses of an R2 bucket (https://developers.cloudflare.com/r2/api/workers/workers-api-reference/). */
export type Bucket = {
  head: (key: string) => Promise<Stored | null>
  get: (
    key: string,
    options?: { range?: { offset: number; length: number } },
  ) => Promise<(Stored & { body: ReadableStream }) | null>
  /** `sha256` is hexadecimal; R2 refuses bytes that have another. */
  put: (
    key: string,
    value: Uint8Array<ArrayBuffer>,
    options?: { sha256?: string; httpMetadata?: { contentType?: string } },
  ) => Promise<unknown>
  delete: (keys: string | string[]) => Promise<void>
}

const unbound = (): never => {
  throw new Error('MEDIA_BUCKET is not bound: name it under r2_buckets in the wrangler.toml of this Worker')
}

/** Stands where a Worker has no bucket. Throws when it is used. */
export const NO_BUCKET: Bucket = { head: unbound, get: unbound, put: unbound, delete: unbound }

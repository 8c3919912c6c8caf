import { base64 } from '../lib/crypto.ts'
import { deleteParts, type PartFolder, partName } from '../runtime/bucket.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { JobResult } from './job.ts'

const RUN_MS = 45_000

/** Row of a file that is made in parts and deleted after `expiresAt`. */
type FileInParts = { name: string; parts: number; state: 'making' | 'ready' | 'failed'; expiresAt: Date }

type Making<F, P> = {
  folder: PartFolder
  contentType: string
  /** Returns the file's row; undefined if it was erased. */
  read: () => Promise<F | undefined>
  /** Returns the bytes of the next part, and the progress after it, as JSON has it. */
  next: (file: F) => Promise<{ bytes: Uint8Array<ArrayBuffer>; progress: P }>
  /** Saves the progress after a part, if no other run has. */
  save: (file: F, progress: P) => Promise<unknown>
  /** Deletes the row of an expired file. */
  drop: (file: F) => Promise<unknown>
}

/** Returns the progress after a stored part. Undefined if a release before stored it, or if it is gone. */
const progressAt = async <P>({ media }: Pick<Ctx, 'media'>, name: string): Promise<P | undefined> => {
  const text = (await media.head(name))?.customMetadata?.progress
  if (text === undefined) return undefined
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))))
}

/**
 * Stores a part with the progress after it. If another run has stored the part, returns its progress, and that part stays.
 *
 * So a run that continues after its lease cannot replace a part: whoever saves, saves the progress of the stored bytes.
 */
const storePart = async <P>(
  { media }: Pick<Ctx, 'media'>,
  { name, contentType }: { name: string; contentType: string },
  { bytes, progress }: { bytes: Uint8Array<ArrayBuffer>; progress: P },
): Promise<P> => {
  const text = base64(new TextEncoder().encode(JSON.stringify(progress)))
  const options = { httpMetadata: { contentType }, customMetadata: { progress: text } }
  const stored = await media.put(name, bytes, { ...options, onlyIf: { etagDoesNotMatch: '*' } })
  if (stored !== null) return progress
  const known = await progressAt<P>({ media }, name)
  if (known === undefined) await media.put(name, bytes, options)
  return known ?? progress
}

/**
 * Makes a file part by part in the bucket. Deletes an expired file.
 *
 * Each part is stored before the position after it is saved, so another run can resume there if this one dies.
 */
export const makeInParts = async <F extends FileInParts, P>(
  { media, now }: Pick<Ctx, 'media' | 'now'>,
  { folder, contentType, read, next, save, drop }: Making<F, P>,
): Promise<JobResult> => {
  const endsAt = now().getTime() + RUN_MS
  let file = await read()
  while (file) {
    if (file.expiresAt <= now()) {
      await deleteParts(media, folder, file)
      await drop(file)
      return { kind: 'done' }
    }
    if (file.state !== 'making') return { kind: 'later', at: file.expiresAt }
    if (now().getTime() > endsAt) return { kind: 'later', at: now() }
    const name = partName(folder, file.name, file.parts)
    await save(file, await storePart({ media }, { name, contentType }, await next(file)))
    const before: F = file
    file = await read()
    // The account was erased during this part. Its earlier parts are gone; this one is not.
    if (!file) await deleteParts(media, folder, before)
  }
  return { kind: 'done' }
}

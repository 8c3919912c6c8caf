import { deleteParts, type PartFolder, partName } from '../runtime/bucket.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { JobResult } from './job.ts'

const RUN_MS = 45_000

/** Row of a file that is made in parts and deleted after `expiresAt`. */
type FileInParts = { name: string; parts: number; state: 'making' | 'ready' | 'failed'; expiresAt: Date }

type Making<F> = {
  folder: PartFolder
  contentType: string
  /** Returns the file's row; undefined if it was erased. */
  read: () => Promise<F | undefined>
  /** Returns the bytes of the next part, and a call that saves the position after it. */
  next: (file: F) => Promise<{ bytes: Uint8Array<ArrayBuffer>; save: () => Promise<unknown> }>
  /** Deletes the row of an expired file. */
  drop: (file: F) => Promise<unknown>
}

/**
 * Makes a file part by part in the bucket. Deletes an expired file.
 *
 * Each part is stored before the position after it is saved, so another run can resume there if this one dies.
 */
export const makeInParts = async <F extends FileInParts>(
  { media, now }: Pick<Ctx, 'media' | 'now'>,
  { folder, contentType, read, next, drop }: Making<F>,
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
    const { bytes, save } = await next(file)
    await media.put(partName(folder, file.name, file.parts), bytes, { httpMetadata: { contentType } })
    await save()
    const before: F = file
    file = await read()
    // The account was erased during this part. Its earlier parts are gone; this one is not.
    if (!file) await deleteParts(media, folder, before)
  }
  return { kind: 'done' }
}

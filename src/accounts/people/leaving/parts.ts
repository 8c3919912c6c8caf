import type { Bucket } from '../../../platform/runtime/bucket.ts'

/** Objects that one call deletes. */
export const OBJECTS = 100

/** The name of a part of a copy in the bucket; images there have other names, and only those are served to everybody. */
export const partName = (name: string, part: number): string => `exports/${name}/${part}.ndjson.gz`

/** Deletes the parts of a copy from the bucket, with the one that a run may have written last without saying so. */
export const deleteParts = async (
  media: Pick<Bucket, 'delete'>,
  copy: { name: string; parts: number },
): Promise<void> => {
  const names = Array.from({ length: copy.parts + 1 }, (_, n) => partName(copy.name, n))
  for (let at = 0; at < names.length; at += OBJECTS) await media.delete(names.slice(at, at + OBJECTS))
}

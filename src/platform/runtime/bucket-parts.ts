import type { Bucket } from './bucket.ts'

/** Objects that one call deletes. */
export const OBJECTS = 100

/**
 * Folders of the bucket with files that are kept in parts, and the endings of these. Hosted images have other names, and only those are
 * served to everybody.
 */
const ENDINGS = { exports: 'ndjson.gz', 'project-exports': 'ndjson', 'project-imports': 'ndjson' } as const
export type PartFolder = keyof typeof ENDINGS

/** Returns the name of a part of a file in the bucket. */
export const partName = (folder: PartFolder, name: string, part: number): string =>
  `${folder}/${name}/${part}.${ENDINGS[folder]}`

/** Deletes the parts of a file from the bucket, with the one that a run may have written last without saying so. */
export const deleteParts = async (
  media: Pick<Bucket, 'delete'>,
  folder: PartFolder,
  { name, parts }: { name: string; parts: number },
): Promise<void> => {
  const names = Array.from({ length: parts + 1 }, (_, n) => partName(folder, name, n))
  for (let at = 0; at < names.length; at += OBJECTS) await media.delete(names.slice(at, at + OBJECTS))
}

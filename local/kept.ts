import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DamagedFile, makeFolder, textIn } from './damaged-file.ts'

const isLike = (value: unknown, given: unknown): boolean =>
  typeof value === typeof given && value !== null && Array.isArray(value) === Array.isArray(given)

/** Reads the object in a file. Its parts must have the types of those given, and lists must be lists. */
const read = <T extends object>(file: string, text: string, given: T): T => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new DamagedFile(file, 'it is not JSON')
  }
  if (!isLike(value, given)) throw new DamagedFile(file, 'it does not hold a JSON object')
  const held = { ...given, ...(value as T) }
  const odd = (Object.keys(given) as (keyof T & string)[]).find((name) => !isLike(held[name], given[name]))
  if (odd !== undefined) throw new DamagedFile(file, `its "${odd}" is not what was kept there`)
  return held
}

/**
 * Returns the state of a stand-in: from the file `name` of `dir`, or as given if there is none.
 *
 * `save` writes it completely or not at all. Without `dir`, the state is only in memory. Throws a DamagedFile if the
 * file contains something else.
 */
export const keptIn = <T extends object>(
  dir: string | undefined,
  name: string,
  given: T,
): { data: T; save: () => void } => {
  if (dir === undefined) return { data: given, save: () => undefined }
  const file = join(dir, name)
  const text = textIn(file)
  const data = text === undefined ? given : read(file, text, given)
  const save = () => {
    makeFolder(dir)
    writeFileSync(`${file}.new`, JSON.stringify(data))
    renameSync(`${file}.new`, file)
  }
  // Written at the first start, so that a later start notices a missing file.
  if (text === undefined) save()
  return { data, save }
}

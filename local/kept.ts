import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DamagedFile, makeFolder, textIn } from './damaged-file.ts'

const isLike = (value: unknown, given: unknown): boolean =>
  typeof value === typeof given && value !== null && Array.isArray(value) === Array.isArray(given)

/** Reads the object in a file: its parts must be of the kinds of those given, lists if they are lists. */
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
 * Returns the state of a stand-in: as it was left in the file `name` of `dir`, or as given if there is none.
 *
 * `save` writes it, whole or not at all. Without `dir` it is kept in memory only. Throws a DamagedFile if the file has
 * something else.
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
  // There from the first start on, so that one that is gone is missed.
  if (text === undefined) save()
  return { data, save }
}

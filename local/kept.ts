import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What a stand-in keeps: as it was left in the file `name` of `dir`, or as given where there is none, or none that can be read.
 * `save` writes it down. Without `dir` it is kept in memory only.
 */
export const keptIn = <T extends object>(
  dir: string | undefined,
  name: string,
  given: T,
): { data: T; save: () => void } => {
  if (dir === undefined) return { data: given, save: () => undefined }
  const file = join(dir, name)
  const read = (): T => {
    try {
      return { ...given, ...(JSON.parse(readFileSync(file, 'utf8')) as T) }
    } catch {
      // The first start in this folder.
      return given
    }
  }
  const data = read()
  const save = () => {
    mkdirSync(dir, { recursive: true })
    writeFileSync(file, JSON.stringify(data))
  }
  return { data, save }
}

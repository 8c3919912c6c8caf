import { mkdirSync, readFileSync } from 'node:fs'
import { DiskFull, isDiskFull } from './disk.ts'

/** Error for a file of the data folder that cannot be read. `reason` describes the damage. */
export class DamagedFile extends Error {
  readonly file: string
  readonly reason: string
  /** True if the file is intact, but this user may not read or write it. */
  readonly isDenied: boolean
  constructor(file: string, reason: string, isDenied = false) {
    super(isDenied ? `${file} cannot be used: ${reason}` : `${file} is damaged: ${reason}`)
    this.name = 'DamagedFile'
    this.file = file
    this.reason = reason
    this.isDenied = isDenied
  }
}

/** Error codes that a user with other rights might not get. */
const DENIED = ['EACCES', 'EPERM', 'EROFS']

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not read or write it',
  EROFS: 'the disk it is on cannot be written to',
  EISDIR: 'there is a folder in its place',
  ENOTDIR: 'there is a file where a folder has to be',
  EEXIST: 'there is a file where a folder has to be',
  ENOTEMPTY: 'there is a folder in its place',
  ELOOP: 'it is a link that leads to itself',
  EIO: 'the disk cannot read or write it',
}

/** Returns the system's refusal to open, make or write a file as a DamagedFile; undefined for a full disk and any other error. */
export const damageIn = (error: unknown, file?: string): DamagedFile | undefined => {
  if (error instanceof DamagedFile) return error
  if (!(error instanceof Error)) return undefined
  // A refusal to read does not name the file.
  const { code, path, dest } = error as NodeJS.ErrnoException & { dest?: string }
  const place = file ?? dest ?? path
  const reason = code === undefined ? undefined : REASONS[code]
  return reason && place ? new DamagedFile(place, reason, DENIED.includes(code ?? '')) : undefined
}

const plainly = <T>(file: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw isDiskFull(error) ? new DiskFull(file) : (damageIn(error, file) ?? error)
  }
}

/** Returns the text of a file; undefined if there is none. Throws a DamagedFile if it cannot be read. */
export const textIn = (file: string): string | undefined => {
  try {
    return plainly(file, () => readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Makes a folder if there is none. Throws a DamagedFile if that fails, or DiskFull. */
export const makeFolder = (path: string): void => void plainly(path, () => mkdirSync(path, { recursive: true }))

import fs, { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const MIB = 1024 * 1024

/** Free bytes that writing needs. PostgreSQL adds to its log in files of 16 MiB, and one transaction may fill several. */
export const NEEDED_BYTES = 64 * MIB

/** Returns the nearest existing folder at or above a path. */
const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))

/** Returns the free bytes of the disk that has, or will have, the path. */
export const freeBytesAt = (path: string): number => {
  const { bavail, bsize } = fs.statfsSync(existing(path))
  return bavail * bsize
}

/** Returns the folder at which the disk of an existing path is mounted. */
const mountOf = (path: string): string => {
  const above = dirname(path)
  return above === path || statSync(above).dev !== statSync(path).dev ? path : mountOf(above)
}

/** Error for a disk without enough free space. Nothing on it is damaged. */
export class DiskFull extends Error {
  readonly path: string
  readonly freeBytes: number
  constructor(path: string, freeBytes = freeBytesAt(path)) {
    const mib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`
    super(
      `The disk at ${mountOf(existing(path))} is full: ${freeBytes} bytes (${mib(freeBytes)}) are free, and writing to ${path} needs ${mib(NEEDED_BYTES)}.`,
    )
    this.name = 'DiskFull'
    this.path = path
    this.freeBytes = freeBytes
  }
}

/** Returns the error of a disk with too little free space; undefined if there is enough. */
export const shortageAt = (path: string, freeBytes = freeBytesAt(path)): DiskFull | undefined =>
  freeBytes < NEEDED_BYTES ? new DiskFull(path, freeBytes) : undefined

/** Throws DiskFull if the disk has too little free space. */
export const requireSpace = (path: string): void => {
  const shortage = shortageAt(path)
  if (shortage) throw shortage
}

/** Codes for a full disk or quota: of the system, of the embedded engine's file system, and of PostgreSQL. */
const CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 51, 19, '53100']
const WORDS = /No space left on device|could not extend file|Disk quota exceeded/

/** True if a full disk caused the error. */
export const isDiskFull = (error: unknown): boolean => {
  if (error instanceof DiskFull) return true
  if (typeof error !== 'object' || error === null) return false
  const { code, name, errno, message, cause } = error as Record<string, unknown>
  if (CODES.includes(code) || (name === 'ErrnoError' && CODES.includes(errno)) || WORDS.test(String(message)))
    return true
  return cause !== undefined && isDiskFull(cause)
}

const LOOK_EVERY_MS = 5_000

/** Reports when the disk of a folder gets too full to write, and when it has space again, until the process ends. */
export const watchDisk = (path: string, say: (sentence: string) => void): void => {
  let wasShort = false
  setInterval(() => {
    const shortage = shortageAt(path)
    if ((shortage !== undefined) === wasShort) return
    wasShort = shortage !== undefined
    say(
      shortage
        ? `${shortage.message} Calls that write get 503 until there is space; nothing is lost.`
        : `The disk of ${path} has space again, and writing goes on.`,
    )
  }, LOOK_EVERY_MS).unref()
}

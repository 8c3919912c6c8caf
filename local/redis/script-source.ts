import { createHash } from 'node:crypto'

/** The lower-case hexadecimal SHA-1 of a byte string: the name EVALSHA knows a script by. */
export const sha1 = (bytes: string): string => createHash('sha1').update(bytes, 'latin1').digest('hex')

/**
 * A script without its `#!lua flags=...` line, the line break kept so that line numbers stay true. Upstash knows flags
 * (allow-key-locking) that Redis refuses, and plain Lua has no such line at all.
 */
export const withoutShebang = (source: string): string => source.replace(/^#![^\n]*/, '')

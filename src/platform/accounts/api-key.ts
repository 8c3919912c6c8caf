import { crc32 } from '../lib/bytes.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHAPE = /^gly_(?:live|test)_[0-9A-Za-z]{38}$/
const RANDOM_LENGTH = 32
const CHECK_LENGTH = 6

const base62 = (value: number, length: number): string => {
  let rest = value
  let text = ''
  for (let i = 0; i < length; i += 1) {
    text = (ALPHABET[rest % 62] ?? '0') + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/**
 * Returns a new key: `gly_live_` or `gly_test_`, 32 random base62 characters, and 6 more with the CRC-32 of all these.
 *
 * `random` fills bytes. Bytes that would make some characters more likely are skipped.
 */
export const mintApiKey = (kind: 'live' | 'test', random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string => {
  let body = ''
  while (body.length < RANDOM_LENGTH) {
    for (const byte of random(new Uint8Array(64))) {
      if (byte < 248 && body.length < RANDOM_LENGTH) body += ALPHABET[byte % 62]
    }
  }
  const stem = `gly_${kind}_${body}`
  return stem + base62(crc32(stem), CHECK_LENGTH)
}

/** True if a text has the form and the checksum of a key. Does not check that the key was ever created. */
export const isApiKey = (text: string): boolean =>
  SHAPE.test(text) && base62(crc32(text.slice(0, -CHECK_LENGTH)), CHECK_LENGTH) === text.slice(-CHECK_LENGTH)

/** True if a key is a test key. */
export const isTestKey = (key: string): boolean => key.startsWith('gly_test_')

/** Returns the API key of an Authorization header, if it has the form and checksum of one. */
export const presentedKey = (header: string | undefined): string | undefined => {
  const token = /^Bearer +(\S+)$/i.exec(header?.trim() ?? '')?.[1]
  return token !== undefined && isApiKey(token) ? token : undefined
}

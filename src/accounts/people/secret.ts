import { base64, hmacSha256, isHmacSha256, type KeyRing } from '../../platform/lib/crypto.ts'

/** Secrets that sign the cookies of people, the newest first. */
export type SessionSecrets = readonly [string, ...string[]]

/** Returns one secret for each sealing key, the newest first. */
export const sessionSecrets = (ring: KeyRing): SessionSecrets => {
  const [newest, ...older] = ring.map(({ key }) => `sessions:${base64(key)}`)
  if (newest === undefined) throw new Error('no sealing key')
  return [newest, ...older]
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text))

/** Returns the newest secret's signature (HMAC-SHA256, base64) of a text. */
export const sign = (text: string, [newest]: SessionSecrets): Promise<string> => hmacSha256(bytesOf(newest), text)

const isSigned = async (secret: string, text: string, signature: string): Promise<boolean> =>
  await isHmacSha256(bytesOf(secret), text, signature).catch(() => false)

/**
 * Returns the newest secret's signature (HMAC-SHA256, base64) of a text that an older secret signed.
 *
 * better-auth knows one secret only, and cookies must survive its replacement. Undefined if the newest secret signed it, or
 * none did.
 */
export const signedAgain = async (
  text: string,
  signature: string,
  secrets: SessionSecrets,
): Promise<string | undefined> => {
  const [newest, ...older] = secrets
  if (older.length === 0 || (await isSigned(newest, text, signature))) return undefined
  const known = await Promise.all(older.map((secret) => isSigned(secret, text, signature)))
  return known.includes(true) ? await sign(text, secrets) : undefined
}

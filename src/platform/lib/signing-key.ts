import { base64Url, type KeyRing } from './crypto.ts'

type PrivateKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** Private Ed25519 key: `id` is the thumbprint of its public part (RFC 7638), `publicKey` the `x` of its JWK. */
export type SigningKey = { key: PrivateKey; id: string; publicKey: string }

/** Start of a private Ed25519 key in PKCS #8 (RFC 8410, section 7). Its 32 bytes follow. */
const PKCS8 = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]

/** Returns the signing key of 32 secret bytes. */
const signingKeyOf = async (secret: Uint8Array<ArrayBuffer>): Promise<SigningKey> => {
  const pkcs8 = Uint8Array.from([...PKCS8, ...secret])
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign'])
  const { x = '' } = (await crypto.subtle.exportKey('jwk', key)) as { x?: string }
  const named = new TextEncoder().encode(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
  return { key, id: base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', named))), publicKey: x }
}

/** Returns a function that opens the keys of a ring at its first call, and returns the same ones after that. */
export const keysOf = (ring: KeyRing): (() => Promise<SigningKey[]>) => {
  let opened: Promise<SigningKey[]> | undefined
  return () => {
    opened ??= Promise.all(ring.map(({ key }) => signingKeyOf(key)))
    return opened
  }
}

const encoder = new TextEncoder()

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Returns bytes, such as a digest, as lower-case hex. */
export const hex = (bytes: ArrayBuffer | Uint8Array): string => {
  let text = ''
  for (const byte of new Uint8Array(bytes)) text += HEX[byte]
  return text
}

/** Returns bytes as base64 with padding (RFC 4648, section 4). */
export const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Returns the bytes of base64. Throws if it is malformed. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))

/** Returns the SHA-256 of a text (UTF-8) as lower-case hex. */
export const sha256 = async (text: string): Promise<string> =>
  hex(await crypto.subtle.digest('SHA-256', encoder.encode(text)))

/** Returns the HMAC-SHA256 of a text as base64. */
export const hmacSha256 = async (key: Uint8Array<ArrayBuffer>, text: string): Promise<string> => {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return base64(new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text))))
}

/** True if a base64 signature is the HMAC-SHA256 of the text, compared in constant time. */
export const isHmacSha256 = async (key: Uint8Array<ArrayBuffer>, text: string, signature: string): Promise<boolean> => {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  return await crypto.subtle.verify('HMAC', imported, fromBase64(signature), encoder.encode(text))
}

/** Returns URL-safe base64 (RFC 4648, section 5) without padding. */
export const base64Url = (bytes: Uint8Array): string =>
  base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Returns the bytes of base64 or base64url text. Throws if it is neither. */
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))

/** Sealing keys with their ids. The first one seals new secrets. */
export type KeyRing = readonly { id: string; key: Uint8Array<ArrayBuffer> }[]

/** Reads `id:base64,id:base64` (32 bytes each). Throws naming the setting if a key is malformed, so that the service does not start without it. */
export const parseKeyRing = (text: string, setting = 'SECRETS_KEYS'): KeyRing => {
  const ring = text.split(',').map((entry) => {
    const [id = '', encoded = ''] = entry.trim().split(':')
    const key = fromBase64(encoded)
    if (!/^[A-Za-z0-9_-]{1,16}$/.test(id) || key.length !== 32)
      throw new Error(`${setting}: want id:base64 of 32 bytes`)
    return { id, key }
  })
  return ring
}

const aes = (key: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])

/** Marks a sealed value that is bound to its context. */
const BOUND = 'bound'

/** Returns the parameters of AES-GCM. A value opens only under the context it was sealed for (NIST SP 800-38D, additional data). */
const gcm = (iv: Uint8Array<ArrayBuffer>, context: string | undefined) =>
  context === undefined
    ? { name: 'AES-GCM', iv }
    : { name: 'AES-GCM', iv, additionalData: encoder.encode(`galley:${context}`) }

/**
 * Seals a text with the ring's first key for one context, such as `integration:12`. It does not open under another one.
 *
 * The result is `keyId.base64(iv).base64(ciphertext).bound`: AES-256-GCM with a fresh 96-bit iv.
 */
export const seal = async (ring: KeyRing, text: string, context: string): Promise<string> => {
  const first = ring[0]
  if (!first) throw new Error('no sealing key')
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = await crypto.subtle.encrypt(gcm(iv, context), await aes(first.key), encoder.encode(text))
  return `${first.id}.${base64(iv)}.${base64(new Uint8Array(sealed))}.${BOUND}`
}

/**
 * Opens a value that `seal` made for the same context, with any key of the ring.
 *
 * Old values without a context (three parts) open too, until `secrets rotate` seals them again. Throws if the key is missing, or
 * if context or text was changed.
 */
export const unseal = async (ring: KeyRing, sealed: string, context: string): Promise<string> => {
  const [id, iv = '', body = '', mark] = sealed.split('.')
  const entry = ring.find((k) => k.id === id)
  if (!entry) throw new Error(`sealing key ${id} is not in the ring`)
  const opened = await crypto.subtle.decrypt(
    gcm(fromBase64(iv), mark === BOUND ? context : undefined),
    await aes(entry.key),
    fromBase64(body),
  )
  return new TextDecoder().decode(opened)
}

/** Returns a new secret that signs webhooks (Standard Webhooks): `whsec_` and 32 random bytes in base64. */
export const newSigningSecret = (): string => `whsec_${base64(crypto.getRandomValues(new Uint8Array(32)))}`

const MARK = 'sealed:'

const contextOf = (accountId: number): string => `answer:account:${accountId}`

/** Returns an answer with a secret in the form stored for replays: sealed for its account, never in plain text. */
export const sealedAnswer = async (ring: KeyRing, accountId: number, body: unknown): Promise<string> =>
  `${MARK}${await seal(ring, JSON.stringify(body), contextOf(accountId))}`

/** Returns a stored answer in plain text. Throws if it was sealed with a missing key, or for another account. */
export const openAnswer = async (ring: KeyRing, accountId: number, kept: string): Promise<string> =>
  kept.startsWith(MARK) ? await unseal(ring, kept.slice(MARK.length), contextOf(accountId)) : kept

/** Seals a stored answer again with the ring's first key. Throws like `openAnswer`. */
export const resealAnswer = async (ring: KeyRing, accountId: number, kept: string): Promise<string> =>
  `${MARK}${await seal(ring, await openAnswer(ring, accountId, kept), contextOf(accountId))}`

import { base64, type KeyRing } from './crypto.ts'
import { keysOf, type SigningKey } from './signing-key.ts'

/** Path of the public keys that sign the service's requests. */
export const REQUEST_KEYS_PATH = '/.well-known/http-message-signatures-directory'

/** Media type of the list of keys. */
const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'

/** Time for which the signature of a request is valid, in seconds. */
const REQUEST_S = 60
/** Time for which a list of keys is valid, in seconds. A key that was taken out is trusted no longer than this. */
const DIRECTORY_S = 86_400

/** Part of a message that a signature covers: its name as RFC 9421 writes it, and its value. */
type Component = readonly [name: string, value: string]

/** Returns the values of `Signature-Input` and `Signature` under a label (RFC 9421, sections 2.5 and 4). */
const signed = async (
  { key, id }: SigningKey,
  label: string,
  components: readonly Component[],
  { tag, at, seconds }: { tag: string; at: Date; seconds: number },
): Promise<{ input: string; signature: string }> => {
  const created = Math.floor(at.getTime() / 1000)
  const covered = components.map(([name]) => name).join(' ')
  const params = `(${covered});created=${created};expires=${created + seconds};keyid="${id}";alg="ed25519";tag="${tag}"`
  const base = [...components.map(([name, value]) => `${name}: ${value}`), `"@signature-params": ${params}`].join('\n')
  const bytes = await crypto.subtle.sign('Ed25519', key, new TextEncoder().encode(base))
  return { input: `${label}=${params}`, signature: `${label}=:${base64(new Uint8Array(bytes))}:` }
}

/** Returns the headers by which a site knows that a request is the service's. */
export type RequestSigner = (method: string, url: URL, at: Date) => Promise<Record<string, string>>

/**
 * Returns a signer of requests by Web Bot Auth, with the ring's first key; undefined without a key.
 *
 * `Signature-Agent` is one string, as in draft-meunier-http-message-signatures-directory-03, because that is what Cloudflare and other
 * walls read today. The newer form of draft-ietf-webbotauth-httpsig-protocol is a dictionary, which they refuse.
 */
export const requestSigner = (ring: KeyRing, publicUrl: string): RequestSigner | undefined => {
  if (ring.length === 0) return undefined
  const open = keysOf(ring)
  const agent = `"${new URL(publicUrl).origin}"`
  return async (method, url, at) => {
    const [first] = await open()
    if (!first) throw new Error('a ring without a key')
    const { input, signature } = await signed(
      first,
      'sig1',
      [
        ['"@method"', method],
        ['"@authority"', url.host],
        ['"@path"', url.pathname],
        ['"signature-agent"', agent],
      ],
      { tag: 'web-bot-auth', at, seconds: REQUEST_S },
    )
    return { 'Signature-Agent': agent, 'Signature-Input': input, Signature: signature }
  }
}

/**
 * Returns the list of public keys of a ring, as the answer to a request at REQUEST_KEYS_PATH of a host.
 *
 * Each key signs the answer, so that nobody can list the keys of another (draft-ietf-webbotauth-httpsig-protocol, section on the directory).
 */
export const keyDirectory = async (ring: KeyRing, host: string, at: Date): Promise<Response> => {
  const keys = await keysOf(ring)()
  const each = await Promise.all(
    keys.map((key, n) =>
      signed(key, `key${n + 1}`, [['"@authority";req', host]], {
        tag: 'http-message-signatures-directory',
        at,
        seconds: DIRECTORY_S,
      }),
    ),
  )
  const listed = keys.map(({ id, publicKey }) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    kid: id,
    x: publicKey,
    use: 'sig',
    nbf: Math.floor(at.getTime() / 1000),
    exp: Math.floor(at.getTime() / 1000) + DIRECTORY_S,
  }))
  return new Response(JSON.stringify({ keys: listed }), {
    headers: {
      'Content-Type': DIRECTORY_TYPE,
      'Cache-Control': 'public, max-age=3600',
      ...(each.length > 0
        ? {
            'Signature-Input': each.map(({ input }) => input).join(', '),
            Signature: each.map(({ signature }) => signature).join(', '),
          }
        : {}),
    },
  })
}

import { base64, hmacSha256, isHmacSha256, type KeyRing } from '../../platform/lib/crypto.ts'

/** Secrets that sign session cookies, the newest first. */
export type SessionSecrets = readonly [string, ...string[]]

/** Returns one secret for each sealing key, the newest first. */
export const sessionSecrets = (ring: KeyRing): SessionSecrets => {
  const [newest, ...older] = ring.map(({ key }) => `sessions:${base64(key)}`)
  if (newest === undefined) throw new Error('no sealing key')
  return [newest, ...older]
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text))

/** Returns the signature (HMAC-SHA256, base64) of a text by the newest secret. */
const sign = (text: string, [newest]: SessionSecrets): Promise<string> => hmacSha256(bytesOf(newest), text)

const isSigned = async (secret: string, text: string, signature: string): Promise<boolean> =>
  await isHmacSha256(bytesOf(secret), text, signature).catch(() => false)

/**
 * Returns a new signature by the newest secret for a text that an older secret signed. Undefined if the newest secret signed it,
 * or none did.
 *
 * better-auth knows only one secret, and cookies must stay valid when it is replaced.
 */
const signedAgain = async (text: string, signature: string, secrets: SessionSecrets): Promise<string | undefined> => {
  const [newest, ...older] = secrets
  if (older.length === 0 || (await isSigned(newest, text, signature))) return undefined
  const known = await Promise.all(older.map((secret) => isSigned(secret, text, signature)))
  return known.includes(true) ? await sign(text, secrets) : undefined
}

/** Lifetime of a session. */
export const SESSION_MS = 30 * 86_400_000

/** Returns the prefix of better-auth's cookie names. Under https it is one that no other host of the domain can set cookies with. */
export const cookiePrefix = (publicUrl: string): string => `${publicUrl.startsWith('https:') ? '__Host-' : ''}galley`

type Attributes = { path?: string; maxAge?: number; secure?: boolean }

/** Session cookie of better-auth. Its value is `value.signature`, HMAC-SHA256 by a secret, percent-encoded. */
type SessionCookie = { name: string; attributes: Attributes }

/** Request whose session cookie has the newest signature, and the `Set-Cookie` header if the cookie was signed again. */
type Renewed = { request: Request; setCookie?: string }

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

const setCookieOf = ({ name, attributes }: SessionCookie, value: string): string =>
  [
    `${name}=${value}`,
    `Path=${attributes.path ?? '/'}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(attributes.maxAge === undefined ? [] : [`Max-Age=${attributes.maxAge}`]),
    ...(attributes.secure ? ['Secure'] : []),
  ].join('; ')

/** Returns the `Set-Cookie` header for a new session, in better-auth's format. `token` is that of the session's row. */
export const startSession = async (publicUrl: string, token: string, secrets: SessionSecrets): Promise<string> => {
  const attributes = { maxAge: SESSION_MS / 1_000, secure: publicUrl.startsWith('https:') }
  const value = encodeURIComponent(`${token}.${await sign(token, secrets)}`)
  return setCookieOf({ name: `${cookiePrefix(publicUrl)}.session_token`, attributes }, value)
}

/** Returns the token in a request's session cookie, without checking its signature; undefined if there is none. */
export const tokenIn = (request: Request, { name }: SessionCookie): string | undefined => {
  const given = (request.headers.get('cookie') ?? '').split(/; */).find((pair) => pair.startsWith(`${name}=`))
  const text = given === undefined ? '' : decoded(given.slice(name.length + 1))
  return text.includes('.') ? text.slice(0, text.lastIndexOf('.')) : undefined
}

/**
 * Signs a session cookie again if an older secret signed it, so that no session ends when the secret is replaced. A cookie
 * without a valid signature stays unchanged.
 */
export const renewSession = async (
  request: Request,
  cookie: SessionCookie,
  secrets: SessionSecrets,
): Promise<Renewed> => {
  const pairs = (request.headers.get('cookie') ?? '').split(/; */)
  const given = pairs.find((pair) => pair.startsWith(`${cookie.name}=`))
  if (given === undefined) return { request }
  const text = decoded(given.slice(cookie.name.length + 1))
  const dot = text.lastIndexOf('.')
  const [value, signature] = [text.slice(0, dot), text.slice(dot + 1)]
  const renewed = dot < 1 ? undefined : await signedAgain(value, signature, secrets)
  if (renewed === undefined) return { request }
  const signed = encodeURIComponent(`${value}.${renewed}`)
  const headers = new Headers(request.headers)
  headers.set('cookie', pairs.map((pair) => (pair === given ? `${cookie.name}=${signed}` : pair)).join('; '))
  return { request: new Request(request, { headers }), setCookie: setCookieOf(cookie, signed) }
}

/** Adds the cookie that was signed again to a response, unless the response sets that cookie itself. */
export const withSession = (response: Response, { name }: SessionCookie, setCookie: string | undefined): Response => {
  if (setCookie === undefined || response.headers.getSetCookie().some((one) => one.startsWith(`${name}=`)))
    return response
  const answer = new Response(response.body, response)
  answer.headers.append('set-cookie', setCookie)
  return answer
}

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
const sign = (text: string, [newest]: SessionSecrets): Promise<string> => hmacSha256(bytesOf(newest), text)

const isSigned = async (secret: string, text: string, signature: string): Promise<boolean> =>
  await isHmacSha256(bytesOf(secret), text, signature).catch(() => false)

/**
 * Returns the newest secret's signature (HMAC-SHA256, base64) of a text that an older secret signed.
 *
 * better-auth knows one secret only, and cookies must survive its replacement. Undefined if the newest secret signed it, or
 * none did.
 */
const signedAgain = async (text: string, signature: string, secrets: SessionSecrets): Promise<string | undefined> => {
  const [newest, ...older] = secrets
  if (older.length === 0 || (await isSigned(newest, text, signature))) return undefined
  const known = await Promise.all(older.map((secret) => isSigned(secret, text, signature)))
  return known.includes(true) ? await sign(text, secrets) : undefined
}

/** Time for which a session holds. */
export const SESSION_MS = 30 * 86_400_000

/** Returns the first part of the names of better-auth's cookies. Under https no other host of the domain can set them. */
export const cookiePrefix = (publicUrl: string): string => `${publicUrl.startsWith('https:') ? '__Host-' : ''}galley`

type Attributes = { path?: string; maxAge?: number; secure?: boolean }

/** The cookie of sessions as better-auth sets it: `value.signature`, HMAC-SHA256 by a secret, percent-encoded. */
type SessionCookie = { name: string; attributes: Attributes }

/** A request whose session's cookie bears the newest signature, and the header that gives it to the browser. */
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

/** Returns the header that gives a browser a new session, by the token of its row, as better-auth does. */
export const startSession = async (publicUrl: string, token: string, secrets: SessionSecrets): Promise<string> => {
  const attributes = { maxAge: SESSION_MS / 1_000, secure: publicUrl.startsWith('https:') }
  const value = encodeURIComponent(`${token}.${await sign(token, secrets)}`)
  return setCookieOf({ name: `${cookiePrefix(publicUrl)}.session_token`, attributes }, value)
}

/** Returns the token of a request's session as its cookie has it, unproved; undefined without one. */
export const tokenIn = (request: Request, { name }: SessionCookie): string | undefined => {
  const given = (request.headers.get('cookie') ?? '').split(/; */).find((pair) => pair.startsWith(`${name}=`))
  const text = given === undefined ? '' : decoded(given.slice(name.length + 1))
  return text.includes('.') ? text.slice(0, text.lastIndexOf('.')) : undefined
}

/**
 * Signs a session's cookie again that one of the older secrets signed, so that nobody is signed out when a secret is followed by
 * another. A cookie that nobody signed stays as it is.
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

/** Gives a browser the cookie that was signed again, unless the answer sets it itself. */
export const withSession = (response: Response, { name }: SessionCookie, setCookie: string | undefined): Response => {
  if (setCookie === undefined || response.headers.getSetCookie().some((one) => one.startsWith(`${name}=`)))
    return response
  const answer = new Response(response.body, response)
  answer.headers.append('set-cookie', setCookie)
  return answer
}

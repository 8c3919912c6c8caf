import { hmacSha256, type KeyRing } from '../../platform/lib/crypto.ts'
import { OAUTH } from './paths.ts'
import type { OAuth } from './server.ts'

/** Returns the first parameter that is sent twice. Only `resource` may be (RFC 8707; RFC 6749, 3.1 and 3.2). */
export const givenTwice = (params: URLSearchParams): string | undefined =>
  [...params.keys()].find((name) => name !== 'resource' && params.getAll(name).length > 1)

const MOST = 100

/** Returns an application's name, made safe to show: one line without control characters, at most 100 characters. May be empty. */
export const clientName = (given: string): string => {
  const plain = given
    .toWellFormed()
    .replace(/[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  const all = [...plain]
  return all.length <= MOST
    ? plain
    : `${all
        .slice(0, MOST - 1)
        .join('')
        .trimEnd()}…`
}

/**
 * Schemes that run or contain content, or that open programs of the system or of other services. No authorization code is ever
 * sent to them.
 */
const UNSAFE = new Set(
  `about blob bitcoin callto chrome chrome-extension cid content data edge facetime facetime-audio feed file filesystem ftp ftps git
   gopher hcp imap imaps intent itms itms-apps itms-appss jar javascript ldap ldaps livescript magnet mailto market microsoft-edge mhtml
   mid mk mms mocha moz-extension news nfs nntp pop res resource rsync rtsp safari-extension search search-ms sftp shell sip sips skype
   sms smb snews ssh steam svn tel telnet tftp urn vbscript view-source vnc wais ws wss wyciwyg x-javascript x-man-page xmpp`.split(
    /\s+/,
  ),
)

/** True if a scheme opens a part of the operating system. Windows and macOS use these prefixes for them. */
const isOfSystem = (scheme: string): boolean => /^(?:ms-|x-apple[.-])/.test(scheme)

const schemeOf = (uri: string): string => /^\s*([a-z][a-z\d+.-]*):/i.exec(uri)?.[1]?.toLowerCase() ?? ''

/**
 * True if the host of a web address has characters other than letters, digits, dots and hyphens, and is not an IPv6 address.
 *
 * URLs allow `;`, `,`, `*` and `'` in a host, but these have a meaning of their own in a Content Security Policy.
 */
const hasUnsafeHost = (uri: string): boolean => {
  const url = URL.parse(uri.trim())
  return url !== null && /^https?:$/.test(url.protocol) && !/^(?:[a-z\d.-]+|\[[\da-f:.]+\])$/.test(url.hostname)
}

/** True if no authorization code may be sent to an address, because of its scheme or its host. */
export const isUnsafeRedirect = (uri: string): boolean =>
  UNSAFE.has(schemeOf(uri)) || isOfSystem(schemeOf(uri)) || hasUnsafeHost(uri)

/** True if an address opens an application by the application's own scheme (RFC 8252, section 7.1). */
export const isPrivateUse = (uri: string): boolean => !/^https?$/.test(schemeOf(uri))

/** Returns the target of a redirect, a host or an application's scheme: `origin` for a page's policy, `shown` for people. */
export const redirectTarget = (uri: string): { origin: string; shown: string } => {
  const url = new URL(uri)
  return isPrivateUse(uri)
    ? { origin: url.protocol, shown: `${url.protocol}${url.host === '' ? '' : `//${url.host}`}` }
    : { origin: url.origin, shown: url.host }
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

const placeOf = ({ protocol, hostname, port, host }: URL): string =>
  `${protocol}//${LOOPBACK.has(hostname) ? `loopback:${port}` : host}`

/**
 * Returns the MCP server's canonical address for any address that reaches it. Returns other addresses unchanged.
 *
 * Such an address may have capitals, the default port, a final slash, a query, or another name of the local machine.
 */
const canonicalResource = (resource: string, given: string): string => {
  const [own, asked] = [new URL(resource), URL.parse(given)]
  const isSame =
    asked !== null &&
    placeOf(asked) === placeOf(own) &&
    asked.pathname.replace(/(?<!\/)\/+$/, '') === own.pathname &&
    asked.hash === '' &&
    asked.username === ''
  return isSame ? resource : given
}

/** Replaces other addresses of the MCP server in the `resource` parameters with its canonical address. */
export const withCanonicalResource = (resource: string, parameters: URLSearchParams): void => {
  const given = parameters.getAll('resource')
  if (given.length === 0) return
  parameters.delete('resource')
  for (const one of given) parameters.append('resource', canonicalResource(resource, one))
}

/** Returns the token to read a registration with (RFC 7592). It is derived from the client id, so it is not stored. */
const accessTokenFor = async ([newest]: KeyRing, clientId: string): Promise<string> => {
  if (!newest) throw new Error('no sealing key')
  return await hmacSha256(newest.key, `registration:${clientId}`)
}

/** Levels of nesting that are checked. A key set has four. */
const MAX_DEPTH = 8

/** True if a value is null, blank, or contains only such values. Many programs send fields they do not use in this way. */
const saysNothing = (value: unknown, depth = 0): boolean =>
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (typeof value === 'object' && depth < MAX_DEPTH && Object.values(value).every((one) => saysNothing(one, depth + 1)))

type Fields = Record<string, unknown>

const fieldsOf = (sent: string): Fields | undefined => {
  try {
    const given: unknown = JSON.parse(sent)
    return typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Fields) : undefined
  } catch {
    return undefined
  }
}

const plainValue = (name: string, value: unknown): unknown => {
  if (/^client_name(#|$)/.test(name) && typeof value === 'string') return clientName(value) || undefined
  return Array.isArray(value) ? value.filter((one) => !saysNothing(one)) : value
}

/**
 * Returns a registration without empty fields, and with cleaned client names. `redirect_uris` stays unchanged, and so does a
 * body that is not a JSON object.
 */
export const withPlainFields = (sent: string): string => {
  const given = fieldsOf(sent)
  if (!given) return sent
  const said = Object.entries(given).flatMap(([name, value]) => {
    if (name === 'redirect_uris') return [[name, value]]
    return saysNothing(value) ? [] : [[name, plainValue(name, value)]]
  })
  return JSON.stringify(Object.fromEntries(said))
}

/** Text fields of a registration (RFC 7591, section 2) whose types the library does not check. */
const TEXTS = ['scope', 'software_id', 'software_version', 'software_statement', 'application_type']

/** Returns the error for an unsafe redirect address, or a wrong type that the library would accept; undefined if none applies. */
export const refusalOf = (sent: string): { error: string; error_description: string } | undefined => {
  const { redirect_uris: uris, jwks, ...rest } = fieldsOf(sent) ?? {}
  if (Array.isArray(uris) && uris.some((uri) => typeof uri === 'string' && isUnsafeRedirect(uri)))
    return { error: 'invalid_redirect_uri', error_description: 'The scheme or the host of a redirect URI is not safe.' }
  const wrong = TEXTS.find((name) => rest[name] !== undefined && typeof rest[name] !== 'string')
  const refuse = (text: string) => ({ error: 'invalid_client_metadata', error_description: text })
  if (wrong !== undefined) return refuse(`Invalid ${wrong}: expected string`)
  const isObject = typeof jwks === 'object' && !Array.isArray(jwks)
  return jwks === undefined || isObject ? undefined : refuse('Invalid jwks: expected object')
}

/** Returns the address of a registration, and the token to read it with (RFC 7592, section 3). */
const management = async (ring: KeyRing, publicUrl: string, clientId: string) => ({
  registration_client_uri: `${publicUrl}${OAUTH.register}/${clientId}`,
  registration_access_token: await accessTokenFor(ring, clientId),
})

/**
 * Returns the library's answer to a registration with changes. A success gets the address to read it again; an error about
 * redirect addresses gets the code `invalid_redirect_uri` (RFC 7591, 3.2.2).
 */
export const registrationAnswer = async (ring: KeyRing, publicUrl: string, answer: Response): Promise<Response> => {
  const body = (await answer.json()) as { client_id: string; error?: string; error_description?: string }
  const isOfRedirects = body.error === 'invalid_client_metadata' && /redirect.uri/i.test(body.error_description ?? '')
  const told =
    answer.status === 201
      ? { ...body, ...(await management(ring, publicUrl, body.client_id)) }
      : { ...body, ...(isOfRedirects ? { error: 'invalid_redirect_uri' } : {}) }
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  return new Response(JSON.stringify(told), { status: answer.status, headers })
}

type Client = NonNullable<Awaited<ReturnType<OAuth['api']['lookupClient']>>>

/** Returns the registration as the application reads it (RFC 7592, section 3), without the client secret, which is not kept. */
export const ownRegistration = async (ring: KeyRing, publicUrl: string, client: Client) => ({
  client_id: client.clientId,
  client_id_issued_at: client.registrationDate,
  client_name: client.clientName,
  redirect_uris: client.redirectUris,
  grant_types: client.grantTypes,
  response_types: client.responseTypes,
  token_endpoint_auth_method: client.tokenEndpointAuthMethod,
  ...(await management(ring, publicUrl, client.clientId)),
})

/** True if the bearer token allows reading the registration, under any sealing key. Both tokens are hashed before the comparison. */
export const mayManage = async (
  ring: KeyRing,
  clientId: string,
  authorization: string | undefined,
): Promise<boolean> => {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const isOf = async (one: KeyRing[number]): Promise<boolean> => {
    const [a, b] = [await hmacSha256(one.key, given), await hmacSha256(one.key, await accessTokenFor([one], clientId))]
    return a === b
  }
  return (await Promise.all(ring.map(isOf))).includes(true)
}

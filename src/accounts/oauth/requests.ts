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

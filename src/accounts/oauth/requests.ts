/** Returns a parameter that is given several times, which none may be (RFC 6749, 3.1 and 3.2) but `resource` (RFC 8707). */
export const givenTwice = (params: URLSearchParams): string | undefined =>
  [...params.keys()].find((name) => name !== 'resource' && params.getAll(name).length > 1)

const MOST = 100

/** Returns the name an application gave itself, as it may be on a page: one line without controls, cut after 100 characters. Empty if nothing is left. */
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
 * Schemes that run or hold content, or that programs of the system or of other services answer to: no code is ever sent to them. An
 * application's own scheme is none of these.
 */
const UNSAFE = new Set(
  `about blob bitcoin callto chrome chrome-extension cid content data edge facetime facetime-audio feed file filesystem ftp ftps git
   gopher hcp imap imaps intent itms itms-apps itms-appss jar javascript ldap ldaps livescript magnet mailto market microsoft-edge mhtml
   mid mk mms mocha moz-extension news nfs nntp pop res resource rsync rtsp safari-extension search search-ms sftp shell sip sips skype
   sms smb snews ssh steam svn tel telnet tftp urn vbscript view-source vnc wais ws wss wyciwyg x-javascript x-man-page xmpp`.split(
    /\s+/,
  ),
)

/** True if a scheme opens a part of the system: Windows and macOS begin those alike. */
const isOfSystem = (scheme: string): boolean => /^(?:ms-|x-apple[.-])/.test(scheme)

const schemeOf = (uri: string): string => /^\s*([a-z][a-z\d+.-]*):/i.exec(uri)?.[1]?.toLowerCase() ?? ''

/**
 * True if the host of a web address has other signs than letters, digits, dots and hyphens, and is no IP address. URLs allow `;`, `,`,
 * `*` and `'` there, which a page's policy reads as its own signs.
 */
const hasUnsafeHost = (uri: string): boolean => {
  const url = URL.parse(uri.trim())
  return url !== null && /^https?:$/.test(url.protocol) && !/^(?:[a-z\d.-]+|\[[\da-f:.]+\])$/.test(url.hostname)
}

/** True if an application may not have a code sent to an address, because of its scheme or its host. */
export const isUnsafeRedirect = (uri: string): boolean =>
  UNSAFE.has(schemeOf(uri)) || isOfSystem(schemeOf(uri)) || hasUnsafeHost(uri)

/** True if an address leads to an application by a scheme of its own (RFC 8252, section 7.1). */
export const isPrivateUse = (uri: string): boolean => !/^https?$/.test(schemeOf(uri))

/** Returns the target of a code for people and for a page's policy: a host, or the scheme of an application. */
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
 * Returns the one name of the MCP server for each address it answers under. Such an address may have capitals, the usual port, a
 * slash at the end, a query, or a name of this machine. Any other stays as it is.
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

/** Writes the canonical name of the MCP server into parameters that name it otherwise. */
export const withCanonicalResource = (resource: string, parameters: URLSearchParams): void => {
  const given = parameters.getAll('resource')
  if (given.length === 0) return
  parameters.delete('resource')
  for (const one of given) parameters.append('resource', canonicalResource(resource, one))
}

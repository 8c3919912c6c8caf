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

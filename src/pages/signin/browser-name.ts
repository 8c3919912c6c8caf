/** Known browsers with their version patterns. A browser whose user agent also names another browser comes first. */
const BROWSERS: [name: string, version: RegExp][] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* .*\bSafari\//],
]

/** Known systems. Android is before Linux, because its user agent also names Linux. */
const SYSTEMS: [name: string, sign: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

const MAX_OTHER = 80

/**
 * Returns the usual name of a browser: "Chrome 140 on Windows". For an unknown browser, returns the start of its user
 * agent.
 */
export const browserName = (userAgent: string | null | undefined): string => {
  if (!userAgent) return 'unknown'
  for (const [name, version] of BROWSERS) {
    const [, major] = version.exec(userAgent) ?? []
    if (major === undefined) continue
    const [system] = SYSTEMS.find(([, sign]) => sign.test(userAgent)) ?? []
    return system === undefined ? `${name} ${major}` : `${name} ${major} on ${system}`
  }
  return userAgent.slice(0, MAX_OTHER)
}

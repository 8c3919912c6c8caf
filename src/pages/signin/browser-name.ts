/** The usual browsers by what only they say, those that also name another first. */
const BROWSERS: [name: string, version: RegExp][] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* .*\bSafari\//],
]

/** The usual systems: phones before the systems that they are made of. */
const SYSTEMS: [name: string, sign: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

const MAX_OTHER = 80

/** Returns the usual name of a browser: "Chrome 140 on Windows"; the first part of its own name if it is none of the usual. */
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

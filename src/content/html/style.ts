/** Forbidden properties: they place content over its page, or once ran scripts. */
const FORBIDDEN = /^(?:position|(?:-[a-z]+-)?(?:behavior|binding))$/
const NAME = /^(?:--[\w-]+|-?[a-z][a-z0-9-]*)$/
/** Functions that fetch or run something. */
const FORBIDDEN_CALL = /(?:^|[^\w])(?:-[a-z]+-)?(?:url|src|image|image-set|cross-fade|element|paint|expression)\s*\(/
const FORBIDDEN_SCHEME = /(?:java|vb|live)script\s*:|mocha\s*:/

/**
 * Declaration of a style as written. `name` is `declaration` if it has no property with a valid name. `value` is in lower case,
 * without comments and quoted text, and with escapes decoded.
 */
export type Declaration = { name: string; value: string; text: string; isSafe: boolean }

/** Declaration as written, and `bare` as it is judged: without comments and quoted text. */
type Reading = { text: string; bare: string; isWhole: boolean }

/** Splits a style at the semicolons between declarations. Semicolons in quotes, brackets and comments do not count. */
const cut = (css: string): Reading[] => {
  const readings: Reading[] = []
  let start = 0
  let bare = ''
  let depth = 0
  let at = 0
  const end = (isWhole: boolean) => {
    const text = css.slice(start, at).trim()
    if (text !== '') readings.push({ text, bare: bare.trim(), isWhole: isWhole && depth === 0 })
    bare = ''
    depth = 0
    start = at + 1
  }
  while (at < css.length) {
    const char = css[at] ?? ''
    const isComment = char === '/' && css[at + 1] === '*'
    if (isComment || char === '"' || char === "'") {
      const close = css.indexOf(isComment ? '*/' : char, at + (isComment ? 2 : 1))
      if (close < 0) {
        at = css.length
        end(false)
        return readings
      }
      at = close + (isComment ? 2 : 1)
      if (!isComment) bare += '""'
      continue
    }
    if (char === ';' && depth === 0) end(true)
    else {
      if (char === '(') depth += 1
      else if (char === ')') depth -= 1
      bare += char
    }
    at += 1
  }
  end(true)
  return readings
}

/** Returns a part of a style with its escapes (`\6e`) decoded. */
const decodeEscapes = (css: string): string =>
  css
    .replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, code?: string, char?: string) => {
      const point = Number.parseInt(code ?? '', 16)
      return code === undefined ? (char ?? '') : point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
    })
    .toLowerCase()

/**
 * Returns the declarations of a decoded `style` attribute, each judged by its property and its value.
 *
 * Quoted text is not judged: it names a font or is shown as text.
 */
export const declarationsOf = (css: string): Declaration[] =>
  cut(css).map(({ text, bare, isWhole }) => {
    const colon = bare.indexOf(':')
    const name = bare.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const value = bare.slice(colon + 1).toLowerCase()
    const plainName = decodeEscapes(name)
    const isSafe =
      isWhole &&
      NAME.test(name) &&
      !FORBIDDEN.test(name) &&
      !FORBIDDEN_CALL.test(value) &&
      !FORBIDDEN_SCHEME.test(value) &&
      // A backslash or a control character could hide a forbidden word. A brace could end more than the declaration.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
      !/[\\{}@<\u0000-\u0008\u000b\u000e-\u001f\u007f]/.test(text)
    return { name: NAME.test(plainName) ? plainName : 'declaration', value: decodeEscapes(value).trim(), text, isSafe }
  })

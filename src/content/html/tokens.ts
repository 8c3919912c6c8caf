/**
 * Token of an HTML source, from `start` to `end`.
 *
 * The `mode` of text: `text` and `rcdata` have character references, `raw` (scripts, styles, frames) and `cdata` have none.
 *
 * `cut` is an unfinished tag, comment or raw element at the end of the source.
 */
export type Token =
  | { kind: 'text'; start: number; end: number; mode: 'text' | 'rcdata' | 'raw' | 'cdata' }
  | (TagToken & { kind: 'start' })
  | (TagToken & { kind: 'end' })
  | { kind: 'comment'; start: number; end: number; isRegular: boolean }
  | { kind: 'doctype'; start: number; end: number }
  | { kind: 'cut'; start: number; end: number }

/** Start or end tag. `name` is lower-case; its attributes begin at `nameEnd`. */
export type TagToken = {
  kind: 'start' | 'end'
  name: string
  start: number
  end: number
  nameEnd: number
  isSelfClosing: boolean
}

/** Elements whose content is text without markup (HTML standard, 13.2.6.4, scripting on), with the mode of that text. */
const TEXT_ONLY: Record<string, 'raw' | 'rcdata'> = {
  script: 'raw',
  style: 'raw',
  xmp: 'raw',
  iframe: 'raw',
  noembed: 'raw',
  noframes: 'raw',
  noscript: 'raw',
  plaintext: 'raw',
  textarea: 'rcdata',
  title: 'rcdata',
}

const GREATER = 62
const SLASH = 47
const EQUALS = 61

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 9 || code === 13 || code === 12
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)

/** Converts only ASCII letters to lower case, as HTML does to compare names. */
export const lowerCase = (name: string): string => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/**
 * Called for each attribute with the places of its name and its value. The value has no quotes; its places are 0 without a
 * value.
 */
type OnAttribute = (nameStart: number, nameEnd: number, valueStart: number, valueEnd: number, end: number) => void

const skipBlanks = (html: string, from: number): number => {
  let at = from
  while (isBlank(html.charCodeAt(at))) at += 1
  return at
}

const nameEndOf = (html: string, from: number): number => {
  let at = from + 1
  for (; at < html.length; at += 1) {
    const code = html.charCodeAt(at)
    if (isBlank(code) || code === SLASH || code === GREATER || code === EQUALS) break
  }
  return at
}

/** Returns the end of an attribute's value that begins at `from`; -1 if the source ends within it. */
const valueEndOf = (html: string, from: number): number => {
  const quote = html[from]
  if (quote === '"' || quote === "'") return html.indexOf(quote, from + 1)
  let at = from
  for (; at < html.length; at += 1) {
    const code = html.charCodeAt(at)
    if (isBlank(code) || code === GREATER) return at
  }
  return -1
}

/**
 * Reads the attributes of a tag from the end of its name (HTML standard, 13.2.5.32 to 13.2.5.40).
 *
 * Returns the place after the tag's `>`, or -1 if the source ends first.
 */
export const scanAttributes = (html: string, from: number, onAttribute?: OnAttribute): number => {
  let at = from
  while (at < html.length) {
    const code = html.charCodeAt(at)
    if (code === GREATER) return at + 1
    if (isBlank(code) || code === SLASH) {
      at += 1
      continue
    }
    const nameEnd = nameEndOf(html, at)
    const sign = skipBlanks(html, nameEnd)
    if (html.charCodeAt(sign) !== EQUALS) {
      onAttribute?.(at, nameEnd, 0, 0, nameEnd)
      at = nameEnd
      continue
    }
    const value = skipBlanks(html, sign + 1)
    const end = html.charCodeAt(value) === GREATER ? value : valueEndOf(html, value)
    if (end < 0) return -1
    const quotes = end > value && (html[value] === '"' || html[value] === "'") ? 1 : 0
    onAttribute?.(at, nameEnd, value + quotes, end, end + quotes)
    at = end + quotes
  }
  return -1
}

const tagAt = (html: string, start: number, kind: 'start' | 'end'): Token => {
  let nameEnd = start + (kind === 'end' ? 2 : 1)
  const nameStart = nameEnd
  for (; nameEnd < html.length; nameEnd += 1) {
    const code = html.charCodeAt(nameEnd)
    if (isBlank(code) || code === SLASH || code === GREATER) break
  }
  let attributesEnd = nameEnd
  const end = scanAttributes(html, nameEnd, (_name, _nameEnd, _value, _valueEnd, attributeEnd) => {
    attributesEnd = attributeEnd
  })
  if (end < 0) return { kind: 'cut', start, end: html.length }
  // The slash of `<a href=x/>` belongs to the value.
  const isSelfClosing = html.charCodeAt(end - 2) === SLASH && attributesEnd < end - 1
  return { kind, name: lowerCase(html.slice(nameStart, nameEnd)), start, end, nameEnd, isSelfClosing }
}

/**
 * Returns the comment that begins at `start` (13.2.5.43 to 13.2.5.52). `isRegular` is true if all parsers agree about its end.
 */
const commentAt = (html: string, start: number): Token => {
  const early = /-?>/y
  early.lastIndex = start + 4
  if (early.test(html)) return { kind: 'comment', start, end: early.lastIndex, isRegular: false }
  const last = /--!?>/g
  last.lastIndex = start + 4
  const found = last.exec(html)
  if (!found) return { kind: 'cut', start, end: html.length }
  return { kind: 'comment', start, end: last.lastIndex, isRegular: found[0] === '-->' }
}

const throughGreater = (html: string, start: number, kind: 'comment' | 'doctype'): Token => {
  const at = html.indexOf('>', start + 1)
  if (at < 0) return { kind: 'cut', start, end: html.length }
  return kind === 'doctype' ? { kind, start, end: at + 1 } : { kind, start, end: at + 1, isRegular: false }
}

const cdataAt = (html: string, start: number): Token => {
  const at = html.indexOf(']]>', start + 9)
  return at < 0 ? { kind: 'cut', start, end: html.length } : { kind: 'text', start, end: at + 3, mode: 'cdata' }
}

/** Returns the markup that begins with the `<` at `start`; undefined if that `<` is text. */
const markupAt = (html: string, start: number, isForeign: boolean): Token | undefined => {
  const next = html.charCodeAt(start + 1)
  if (isLetter(next)) return tagAt(html, start, 'start')
  if (next === SLASH) {
    if (isLetter(html.charCodeAt(start + 2))) return tagAt(html, start, 'end')
    return start + 2 < html.length ? throughGreater(html, start, 'comment') : undefined
  }
  if (next === 63) return throughGreater(html, start, 'comment')
  if (next !== 33) return undefined
  if (html.startsWith('--', start + 2)) return commentAt(html, start)
  if (isForeign && html.startsWith('[CDATA[', start + 2)) return cdataAt(html, start)
  const isDoctype = /^doctype$/i.test(html.slice(start + 2, start + 9))
  return throughGreater(html, start, isDoctype ? 'doctype' : 'comment')
}

/** Returns the end of a script's text. An end tag within `<!-- <script>` does not count (13.2.5.15 to 13.2.5.31). */
const scriptEnd = (html: string, from: number): number => {
  const marks = /<!--|-->|<(\/?)script(?=[\t\n\f\r />])/gi
  marks.lastIndex = from
  let depth = 0
  for (let mark = marks.exec(html); mark; mark = marks.exec(html)) {
    if (mark[0] === '<!--') {
      depth = Math.max(depth, 1)
      // `<!-->` is a complete comment.
      marks.lastIndex = mark.index + 2
    } else if (mark[0] === '-->') depth = 0
    else if (mark[1] === '/') {
      if (depth < 2) return mark.index
      depth = 1
    } else if (depth === 1) depth = 2
  }
  return -1
}

const rawEnd = (html: string, name: string, from: number): number => {
  if (name === 'plaintext') return -1
  if (name === 'script') return scriptEnd(html, from)
  const endTag = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')
  endTag.lastIndex = from
  return endTag.exec(html)?.index ?? -1
}

/** Returns the end of the text that begins at `from`, and the markup there; undefined at the end of the source. */
const textEnd = (html: string, from: number, isForeign: boolean): { end: number; next: Token | undefined } => {
  for (let at = html.indexOf('<', from); at >= 0; at = html.indexOf('<', at + 1)) {
    const next = markupAt(html, at, isForeign)
    if (next) return { end: at, next }
  }
  return { end: html.length, next: undefined }
}

/** Reader of tokens. `isForeign` is true if the innermost open element is SVG or MathML, which have no text-only elements. */
export type TokenReader = { next: (isForeign: boolean) => Token | undefined }

/**
 * Reads an HTML source as browsers do (HTML standard, 13.2.5). Never throws.
 *
 * The time is proportional to the source, because each character is read a fixed number of times.
 */
export const tokenReader = (html: string): TokenReader => {
  let at = 0
  let held: Token | undefined
  let raw = ''
  const take = (token: Token): Token => {
    at = token.end
    raw = token.kind === 'start' ? token.name : ''
    return token
  }
  const readRaw = (name: string, mode: 'raw' | 'rcdata'): Token | undefined => {
    const end = rawEnd(html, name, at)
    raw = ''
    if (end === at) return undefined
    return take(end < 0 ? { kind: 'cut', start: at, end: html.length } : { kind: 'text', start: at, end, mode })
  }
  const next = (isForeign: boolean): Token | undefined => {
    if (held) {
      const token = held
      held = undefined
      return take(token)
    }
    const mode = isForeign || !Object.hasOwn(TEXT_ONLY, raw) ? undefined : TEXT_ONLY[raw]
    const text = mode && readRaw(raw, mode)
    if (text) return text
    if (at >= html.length) return undefined
    const found = textEnd(html, at, isForeign)
    if (found.end === at && found.next) return take(found.next)
    held = found.next
    return take({ kind: 'text', start: at, end: found.end, mode: 'text' })
  }
  return { next }
}

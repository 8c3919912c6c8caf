/** Letters of scripts without blanks between words. An address in such a text ends before them. */
const UNSPACED =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\p{sc=Tibetan}ー々]'
const UNSPACED_LETTER = new RegExp(UNSPACED, 'u')
const HANGUL = /\p{sc=Hangul}/u
/** Characters that an address does not contain unencoded: blanks, quotation marks, non-ASCII punctuation and emoji. */
const NEVER = /[\s\p{C}<>"`^\\]|(?![!-~])[\p{P}\p{Z}]|\p{Extended_Pictographic}/u
/** Characters that are not part of an address at its end: they end a sentence or open something. */
const TAIL = new Set(".,;:!?'*([{")
const CLOSERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/**
 * Returns the end of the address that begins at `start`; its host begins at `host`.
 *
 * It ends before closing punctuation of every script, and before letters of a script without blanks. A closing bracket belongs to
 * it only if the opening one does.
 */
export const linkEnd = (text: string, start: number, host: number): number => {
  const open: string[] = []
  const isAsciiHost = /[!-~]/.test(text[host] ?? '')
  let isHost = true
  let end = host
  for (const char of text.slice(host)) {
    if ('/?#'.includes(char)) isHost = false
    if (NEVER.test(char) || ((!isHost || isAsciiHost) && UNSPACED_LETTER.test(char))) break
    // A Korean particle is written onto the address: `https://x.example/a를`.
    if (HANGUL.test(char) && /[a-z\d]/i.test(text[end - 1] ?? '')) break
    if ('([{'.includes(char)) open.push(char)
    else if (CLOSERS[char] !== undefined && open.pop() !== CLOSERS[char]) break
    end += char.length
  }
  while (end > start && TAIL.has(text[end - 1] ?? '')) end -= 1
  return end
}

/** An address in a text, from `start` to `end`. `uri`: the link's target. */
export type FoundLink = { start: number; end: number; uri: string }

/** Domains that X links without a scheme. Country domains need a path, as in X's own counter. */
const COMMON =
  'com|net|org|edu|gov|mil|int|info|biz|name|pro|app|dev|xyz|online|site|shop|store|tech|blog|cloud|news|agency|co|tv'
const LETTER = `(?!${UNSPACED})[\\p{L}\\p{N}]`
const STARTS = new RegExp(
  `(?<!(?!${UNSPACED})[\\p{L}\\p{N}@])https?://(?=[^\\s/?#])|(?<!(?!${UNSPACED})[\\p{L}\\p{N}@._/-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+(?:(?:${COMMON})(?!${LETTER}|-|\\.\\p{L})|[a-z]{2}(?=/))`,
  'giu',
)

const NO_LETTER_BEFORE = `(?<!(?!${UNSPACED})[\\p{L}\\p{N}@])`
const SCHEME = new RegExp(`${NO_LETTER_BEFORE}https?://(?=[^\\s/?#])`, 'giu')
const SCHEME_OR_WWW = new RegExp(`${SCHEME.source}|${NO_LETTER_BEFORE}www\\.(?=[^\\s./?#])`, 'giu')

const foundFrom = (text: string, pattern: RegExp): FoundLink[] => {
  const links: FoundLink[] = []
  const starts = new RegExp(pattern)
  for (let found = starts.exec(text); found; found = starts.exec(text)) {
    const start = found.index
    const hasScheme = /^https?:\/\//i.test(found[0])
    const host = hasScheme ? start + found[0].length : start
    const end = linkEnd(text, start, host)
    const address = text.slice(start, end)
    const uri = hasScheme ? address : `https://${address}`
    if (end > host && URL.canParse(uri)) links.push({ start, end, uri })
    starts.lastIndex = Math.max(end, start + found[0].length)
  }
  return links
}

/**
 * Returns the addresses in a text: those with a scheme, and names that networks turn into links.
 *
 * Everything that counts or makes links of posts uses this one rule.
 */
export const linksIn = (text: string): FoundLink[] => foundFrom(text, STARTS)

/** Returns the addresses in a text that have a scheme. */
export const urlsIn = (text: string): FoundLink[] => foundFrom(text, SCHEME)

/** Returns the addresses in a text that have a scheme or begin with `www.`. */
export const addressesIn = (text: string): FoundLink[] => foundFrom(text, SCHEME_OR_WWW)

/** Returns a text with each of these addresses replaced. */
export const withoutLinks = (text: string, links: readonly FoundLink[], replacement: string): string => {
  let [plain, at] = ['', 0]
  for (const { start, end } of links) {
    plain += text.slice(at, start) + replacement
    at = end
  }
  return plain + text.slice(at)
}

/** True if a text contains exactly this address, not only a longer one that begins with it. */
export const containsLink = (text: string, link: string): boolean => {
  const wanted = URL.parse(link)?.href ?? link
  return linksIn(text).some(({ uri }) => (URL.parse(uri)?.href ?? uri) === wanted)
}

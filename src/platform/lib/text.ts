/** Returns the first `max` characters of a text without splitting a surrogate pair. */
export const clip = (text: string, max: number): string => {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** True if a text has characters that no field accepts: C0 controls except tab and line ends, DEL, lone surrogates. */
export const hasForbiddenCharacters = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.test(text) || !text.isWellFormed()

/** Returns foreign text in storable form: forbidden characters become U+FFFD. */
export const storableText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: replacing control characters is the purpose
  text.toWellFormed().replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g, '\uFFFD')

/** Returns a value of a field as text for people: lists with commas, fields of an object with their names. Null is empty. */
export const shownValue = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(shownValue).join(', ')
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${shownValue(one)}`)
    .join('; ')
}

/** Returns a foreign sentence with a full stop, so that another sentence can follow it. */
export const withStop = (text: string): string => (/[.!?…。！？]["”’»)\]]*$/.test(text) ? text : `${text}.`)

/** Returns a foreign sentence, followed by advice on what to do next if there is any. */
export const withNext = (said: string, next: string | undefined): string => (next ? `${withStop(said)} ${next}` : said)

let graphemes: Intl.Segmenter | undefined

/**
 * Splits a text into the characters that readers see.
 *
 * The segmenter is created on first use, because it takes longer than everything else at a Worker's start.
 */
export const graphemesOf = (text: string): string[] => {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

const wide = () =>
  /(?![\uff61-\uffdc])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}\u3000-\u303f\u30fb\u30fc\u3190-\u33ff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/u
/** Flag, of two letters, and a picture joined to the one before it: `👩‍💻` is one sign. */
const joined = () => /(\p{RI})\p{RI}|\u200d\p{Extended_Pictographic}/gu
const unseen = () => /[\p{Mn}\p{Me}\p{Cf}\p{Emoji_Modifier}]/u

/** Returns how many columns a text takes: two for wide letters, none for combining marks, one for all others. A joined picture is one. */
export const columnsOf = (text: string): number => {
  const [isWide, isUnseen] = [wide(), unseen()]
  let columns = 0
  for (const character of text.replace(joined(), '$1').normalize('NFC'))
    columns += character < '\u00ad' ? 1 : isUnseen.test(character) ? 0 : isWide.test(character) ? 2 : 1
  return columns
}

/** Returns the anchor that GitHub gives a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')

const MAX_LENGTH = 40

/** Counts the letters that differ between two names. Two swapped neighbours count as one (optimal string alignment). */
export const editDistance = (a: string, b: string): number => {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : same
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, same, swapped))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Returns the known name nearest to a misspelt one: at most a third of its letters differ. Undefined if none is near. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > MAX_LENGTH) return undefined
  const given = plain(name)
  let best: { name: string; far: number } | undefined
  for (const candidate of known) {
    const far = editDistance(given, plain(candidate))
    if (far <= Math.floor(given.length / 3) && far < (best?.far ?? Number.POSITIVE_INFINITY))
      best = { name: candidate, far }
  }
  return best?.name
}

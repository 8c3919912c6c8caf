/** Escapes of forbidden characters. Pairs of backslashes and of surrogates also match, so that they can be skipped. */
const ESCAPES =
  /\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u(?:[dD][89a-fA-F][\da-fA-F]{2}|00(?:0[0-8bBcCeEfF]|1[\da-fA-F]|7[fF]))/g

const isPair = (found: string): boolean => found.length !== 6

/**
 * Returns JSON of another system in storable form: forbidden characters become U+FFFD. Undefined if it is not JSON.
 *
 * PostgreSQL stores no U+0000 and no lone surrogates (PostgreSQL, 8.14 JSON Types). JSON of other services may contain both.
 */
export const foreignJson = (text: string): unknown => {
  try {
    return JSON.parse(
      text.includes('\\u') ? text.replace(ESCAPES, (found) => (isPair(found) ? found : '\\ufffd')) : text,
    ) as unknown
  } catch {
    return undefined
  }
}

/** Limit of the search for JSON, in multiples of the text's length. */
const MAX_READS = 20
const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

/** Returns the end of the object or list that begins at `start`; -1 if it does not end. */
const endOf = (text: string, start: number): number => {
  let depth = 0
  let isText = false
  for (let at = start; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (isText) {
      if (char === BACKSLASH) at += 1
      else if (char === QUOTE) isText = false
    } else if (char === QUOTE) isText = true
    else if (char === OPEN || char === OPEN_LIST) depth += 1
    else if ((char === CLOSE || char === CLOSE_LIST) && --depth === 0) return at + 1
  }
  return -1
}

/** True if a position is inside a web page or a script; JSON there is not the answer. */
const isInPage = (lower: string, at: number): boolean =>
  ['html', 'script'].some((tag) => lower.lastIndexOf(`<${tag}`, at) > lower.lastIndexOf(`</${tag}`, at))

/** JSON found in a text, and the text around it. */
type FoundJson = { json: unknown; around: string }

/**
 * Returns the JSON of an answer with other text around it: a byte order mark, a PHP warning, a log line.
 *
 * The longest object or list wins. Undefined if there is none, or if the text is a web page. Nothing is read within an object or list that
 * does not end, because its parts do not describe the whole.
 */
export const jsonWithin = (text: string): FoundJson | undefined => {
  const whole = foreignJson(text.replace(/^\ufeff/, ''))
  if (whole !== undefined) return { json: whole, around: '' }
  const lower = text.toLowerCase()
  let best: { start: number; end: number; json: unknown } | undefined
  const starts = /\{\s{0,99}["}]|\[\s{0,99}["{[\]]/g
  let left = MAX_READS * text.length
  for (let start = starts.exec(text)?.index; start !== undefined && left > 0; start = starts.exec(text)?.index) {
    const end = endOf(text, start)
    if (end < 0) break
    left -= end - start
    const json = foreignJson(text.slice(start, end))
    if (json !== undefined && end - start > (best ? best.end - best.start : 0)) {
      left -= text.length
      const saysSomething = Object.keys(json as object).length > 0 || text.slice(end).trim() === ''
      if (saysSomething && !isInPage(lower, start)) best = { start, end, json }
    }
    starts.lastIndex = json === undefined ? start + 1 : end
  }
  return best && { json: best.json, around: `${text.slice(0, best.start)} ${text.slice(best.end)}`.trim() }
}

const MAX_RETRY_AFTER_S = 3_600

/** Returns a Retry-After of at most an hour, in seconds (RFC 9110: seconds or an HTTP date); undefined without one. */
export const retryAfterOf = (headers: Headers, now: Date): number | undefined => {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  // JavaScript parses almost anything as a date, such as "1.5". Every HTTP date begins with a weekday.
  const date = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN
  const seconds = /^\d+$/.test(value) ? Number(value) : (date - now.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_AFTER_S, Math.max(0, Math.ceil(seconds))) : undefined
}

const HIDDEN = '[hidden]'
/** Shorter texts are not secrets, and would occur in any sentence. */
const MIN_LENGTH = 4

/** Returns a text with a secret hidden, also if the text was cut within the secret. */
const withoutOne = (text: string, secret: string): string => {
  const shown = text.replaceAll(secret, HIDDEN)
  for (let length = secret.length - 1; length >= MIN_LENGTH; length -= 1)
    if (shown.endsWith(secret.slice(0, length))) return shown.slice(0, -length) + HIDDEN
  return shown
}

/** Returns text of another system with the secrets hidden, in case the system echoes its input. */
export const hideSecrets = (text: string, secrets: readonly (string | undefined)[]): string =>
  secrets.reduce<string>(
    (shown, secret) => (secret !== undefined && secret.length >= MIN_LENGTH ? withoutOne(shown, secret) : shown),
    text,
  )

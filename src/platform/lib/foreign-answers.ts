/** Escapes that stand for what no field may hold; pairs of backslashes and of surrogates are matched to be passed over. */
const ESCAPES =
  /\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u(?:[dD][89a-fA-F][\da-fA-F]{2}|00(?:0[0-8bBcCeEfF]|1[\da-fA-F]|7[fF]))/g

const isPair = (found: string): boolean => found.length !== 6

/**
 * Returns someone else's JSON, made storable: forbidden characters in its texts and names are U+FFFD. Undefined when it is no JSON.
 *
 * PostgreSQL takes no U+0000 and no lone surrogate (PostgreSQL, 8.14 JSON Types), and JSON of another service may hold both.
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

/** Limit of the search for JSON, in lengths of the text. */
const MAX_READS = 20
const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

/** Returns the end of the object or list that begins at a place; -1 where it does not end. */
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

/** True if a place of a text is part of a web page or a script, whose JSON is no answer. */
const isInPage = (lower: string, at: number): boolean =>
  ['html', 'script'].some((tag) => lower.lastIndexOf(`<${tag}`, at) > lower.lastIndexOf(`</${tag}`, at))

/** JSON that was found in a text, and what else was written there. */
type FoundJson = { json: unknown; around: string }

/**
 * Finds the JSON in an answer around which a server wrote something else: a byte order mark, a warning of PHP, a log line. The
 * longest object or list counts. Undefined if there is none, and for a web page.
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
    left -= (end < 0 ? text.length : end) - start
    const json = end < 0 ? undefined : foreignJson(text.slice(start, end))
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
  // Engines read almost anything as a date, "1.5" for one; every HTTP date begins with a weekday.
  const date = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN
  const seconds = /^\d+$/.test(value) ? Number(value) : (date - now.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_AFTER_S, Math.max(0, Math.ceil(seconds))) : undefined
}

const HIDDEN = '[hidden]'
/** Shorter texts are no secrets, and would be found in any sentence. */
const MIN_LENGTH = 4

/** Returns a text without a secret, and without the beginning of one where the text was cut in its midst. */
const withoutOne = (text: string, secret: string): string => {
  const shown = text.replaceAll(secret, HIDDEN)
  for (let length = secret.length - 1; length >= MIN_LENGTH; length -= 1)
    if (shown.endsWith(secret.slice(0, length))) return shown.slice(0, -length) + HIDDEN
  return shown
}

/** Returns someone else's text in which none of the secrets stands: a system that echoes what it was sent gives nothing away. */
export const hideSecrets = (text: string, secrets: readonly (string | undefined)[]): string =>
  secrets.reduce<string>(
    (shown, secret) => (secret !== undefined && secret.length >= MIN_LENGTH ? withoutOne(shown, secret) : shown),
    text,
  )

/** Escapes that stand for what no field may hold; pairs of backslashes and of surrogates are matched to be passed over. */
const ESCAPES =
  /\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u(?:[dD][89a-fA-F][\da-fA-F]{2}|00(?:0[0-8bBcCeEfF]|1[\da-fA-F]|7[fF]))/g

const isPair = (found: string): boolean => found.length !== 6

/**
 * Someone else's JSON, made storable: forbidden characters in its texts and names are U+FFFD. Undefined when it is no JSON.
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

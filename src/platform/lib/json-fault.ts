const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a JSON string may not hold them
  /[ \t\n\r]*(?:([{}[\],:])|("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/y
const BLANKS = /[ \t\n\r]*/y

type Expected = 'value' | 'entry or ]' | 'key' | 'key or }' | ':' | 'more or end'

/** Returns what may follow a token; undefined if the token may not be there. `open` has the brackets that are not yet closed. */
const after = (token: string, isString: boolean, expected: Expected, open: string[]): Expected | undefined => {
  const isValue = expected === 'value' || expected === 'entry or ]'
  if (token === '{' || token === '[') {
    if (!isValue) return undefined
    open.push(token)
    return token === '{' ? 'key or }' : 'entry or ]'
  }
  if (token === '}' || token === ']') {
    const closes = open.at(-1) === (token === '}' ? '{' : '[')
    const mayEnd = expected === 'more or end' || expected === (token === '}' ? 'key or }' : 'entry or ]')
    if (!closes || !mayEnd) return undefined
    open.pop()
    return 'more or end'
  }
  if (token === ',') {
    if (expected !== 'more or end' || open.length === 0) return undefined
    return open.at(-1) === '{' ? 'key' : 'value'
  }
  if (token === ':') return expected === ':' ? 'value' : undefined
  if (expected === 'key' || expected === 'key or }') return isString ? ':' : undefined
  return isValue ? 'more or end' : undefined
}

/** Returns the offset of the first token at which a text is no JSON. Engines do not always report it. */
export const jsonFaultAt = (text: string): number => {
  const open: string[] = []
  let expected: Expected = 'value'
  let at = 0
  while (at < text.length) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    BLANKS.lastIndex = at
    const start = at + (BLANKS.exec(text)?.[0].length ?? 0)
    if (!match) return start
    const token = match[1] ?? match[0].trimStart()
    const next = after(token, match[2] !== undefined, expected, open)
    if (next === undefined) return start
    expected = next
    at = TOKEN.lastIndex
  }
  return text.length
}

type Style = 'bold' | 'red' | 'green' | 'yellow' | 'dim'

const CODES: Readonly<Record<Style, number>> = { bold: 1, red: 31, green: 32, yellow: 33, dim: 2 }

/** Returns a text in a colour if the stream is a terminal that shows colours. */
export const paint = (stream: NodeJS.WriteStream, style: Style, text: string): string =>
  (stream.isTTY || process.env.FORCE_COLOR) && !process.env.NO_COLOR ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text

/** Returns a text without control characters, which could overwrite what is on the terminal. */
const shown = (value: unknown): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out.
  (typeof value === 'string' ? value : String(value)).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns an answer as lines for people: one field per line, lists below their name. */
export const readable = (value: unknown, indent = ''): string => {
  if (!isObject(value)) return `${indent}${shown(value)}\n`
  const entries = Object.entries(value)
  if (entries.length === 0) return `${indent}${Array.isArray(value) ? 'none' : '–'}\n`
  return entries
    .map(([name, one]) => {
      const head = Array.isArray(value) ? '-' : `${name}:`
      if (!isObject(one)) return `${indent}${head} ${shown(one).replaceAll('\n', `\n${indent}  `)}\n`
      if (Object.keys(one).length === 0) return `${indent}${head} none\n`
      return Array.isArray(value)
        ? `${indent}- ${readable(one, `${indent}  `).trimStart()}`
        : `${indent}${head}\n${readable(one, `${indent}  `)}`
    })
    .join('')
}

/** Writes an answer to stdout: for people, or as JSON. */
export const show = (value: unknown, asJson: boolean | undefined): void => {
  if (typeof value === 'string') process.stdout.write(value.endsWith('\n') ? value : `${value}\n`)
  else process.stdout.write(asJson ? `${JSON.stringify(value, null, 2)}\n` : readable(value))
}

/** Writes a line for people to stderr, so that stdout has only answers. */
export const say = (text: string): void => {
  process.stderr.write(`${shown(text.replaceAll('\n', '\u0085')).replaceAll('\u0085', '\n')}\n`)
}

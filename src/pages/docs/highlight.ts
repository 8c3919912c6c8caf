const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const QUOTED = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'`
const HASH = String.raw`(?<![^\s])#[^\n]*`
const SLASHES = String.raw`(?<!:)\/\/[^\n]*|\/\*[\s\S]*?\*\/`

const words = (text: string): string => String.raw`\b(?:${text.split(' ').join('|')})\b`

/** Patterns of comments, strings and keywords by language. */
const LANGUAGES: Readonly<Record<string, readonly [comment: string, text: string, keyword: string]>> = {
  sh: [HASH, QUOTED, words('for in do done while until if then else fi export local break cat curl jq')],
  python: [
    HASH,
    QUOTED,
    words('def return import from as with for in if not or and is None True False try except raise any'),
  ],
  ruby: [HASH, QUOTED, words('def end return unless if do require')],
  toml: [HASH, QUOTED, String.raw`^\[[^\]\n]*\]|^\w+(?= *=)`],
  js: [
    SLASHES,
    `${QUOTED}|\`[^\`]*\``,
    words(
      'const let return if else for of await async import export from new function throw typeof true false null undefined',
    ),
  ],
  go: [SLASHES, QUOTED, words('package import func return if for range var type nil true false')],
  php: [SLASHES, QUOTED, words('function return if foreach as string array bool int true false null echo exit')],
  json: ['(?!)', String.raw`"(?:\\.|[^"\\])*"(?!\s*:)`, String.raw`"(?:\\.|[^"\\])*"(?=\s*:)|\b(?:true|false|null)\b`],
}

const PATTERNS = new Map(
  Object.entries(LANGUAGES).map(([language, [comment, text, keyword]]) => [
    language,
    new RegExp(`(?<comment>${comment})|(?<text>${text})|(?<keyword>${keyword})`, 'gm'),
  ]),
)

/** Languages that are read as another one. */
const READ_AS: Readonly<Record<string, string>> = { ts: 'js', mjs: 'js', ndjson: 'json' }

/** Returns code as HTML in which comments, strings and keywords are marked. Code of other languages is only escaped. */
export const highlighted = (code: string, language: string): string => {
  const pattern = PATTERNS.get(READ_AS[language] ?? language)
  if (!pattern) return escaped(code)
  let html = ''
  let at = 0
  for (const match of code.matchAll(pattern)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? ['']
    html += `${escaped(code.slice(at, match.index))}<span class="${kind}">${escaped(match[0])}</span>`
    at = match.index + match[0].length
  }
  return html + escaped(code.slice(at))
}

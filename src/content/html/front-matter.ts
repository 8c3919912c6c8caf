/** Line of YAML front matter: a key, an item, a continuation, a comment, or an empty line. */
const YAML_LINE =
  /^(?:\s*$|\s*#|\s*-(?:\s|$)|\s+\S|[\]}]|(?:[^\s:#"'[\]{}<>*`][^:<>]{0,200}|"[^"]{1,200}"|'[^']{1,200}')\s*:(?:\s|$))/
const YAML_KEY = /^(?:[\p{L}_$@][\p{L}\p{N} _.$@/-]{0,100}|"[^"]{1,200}"|'[^']{1,200}')\s*:(?:\s|$)/u
const TOML_KEY = /^\s*(?:[\w."'-]{1,200}\s*=|\[{1,2}[\w."' -]{1,200}\]{1,2}\s*$)/

/** Format of front matter: its last line, and whether the lines before it are in the format. */
type Format = { ends: RegExp; accepts: (lines: readonly string[]) => boolean }

const isJson = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  } catch {
    return false
  }
}

const isBlank = (line: string | undefined): boolean => line === undefined || /^\s*$/.test(line)

/** True for YAML. A paragraph with empty lines around it (`Note: …`) is one between two rules. */
const hasYaml = (lines: readonly string[]): boolean =>
  lines.every(isBlank) ||
  (!(isBlank(lines[0]) && isBlank(lines.at(-1))) &&
    lines.every((line) => YAML_LINE.test(line)) &&
    YAML_KEY.test(lines.find((line) => !/^\s*(?:#|$)/.test(line)) ?? ''))
const hasToml = (lines: readonly string[]): boolean =>
  TOML_KEY.test(lines.find((line) => !/^\s*(?:#|$)/.test(line)) ?? '')
const hasJson = (lines: readonly string[]): boolean => isJson(lines.join('\n')) || isJson(`{${lines.join('\n')}}`)

const YAML: Format = { ends: /^(?:---|\.\.\.)\s*$/, accepts: hasYaml }

/** Front matter formats by their first line, as Jekyll, Hugo, Zola, Astro, Pandoc and npm's readers know them. */
const FORMATS: readonly [RegExp, Format][] = [
  [/^---\s*(?:ya?ml\s*)?$/i, YAML],
  [/^---\s*toml\s*$/i, { ends: /^---\s*$/, accepts: hasToml }],
  [/^---\s*json5?\s*$/i, { ends: /^---\s*$/, accepts: hasJson }],
  [/^\+\+\+\s*(?:toml\s*)?$/i, { ends: /^\+\+\+\s*$/, accepts: hasToml }],
  [/^;;;\s*(?:json\s*)?$/i, { ends: /^;;;\s*$/, accepts: hasJson }],
]

/** Longest front matter, in lines. */
const MAX_FRONT_MATTER_LINES = 1_000

/** Returns the number of lines of a text's front matter; 0 if it has none. */
const lengthOfFrontMatter = (lines: readonly string[]): number => {
  const first = lines[0] ?? ''
  const found = FORMATS.find(([starts]) => starts.test(first))
  if (found) {
    const [, { ends, accepts }] = found
    const end = lines.findIndex((line, n) => n > 0 && ends.test(line))
    return end > 0 && accepts(lines.slice(1, end)) ? end + 1 : 0
  }
  if (!first.startsWith('{')) return 0
  if (isJson(first)) return 1
  const end = lines.findIndex((line) => /^\}\s*$/.test(line))
  return end > 0 && isJson(lines.slice(0, end + 1).join('\n')) ? end + 1 : 0
}

/**
 * Returns a text without its front matter: a block of YAML, TOML or JSON at the start that describes the text.
 *
 * Similar text stays, such as a rule with plain text below.
 */
export const withoutFrontMatter = (text: string): string => {
  const start = /^\s*/.exec(text)?.[0].length ?? 0
  const [...parts] = text.slice(start).split(/(\r\n|\n|\r)/, 2 * MAX_FRONT_MATTER_LINES)
  const lines = parts.filter((_, n) => n % 2 === 0)
  const taken = lengthOfFrontMatter(lines)
  if (taken === 0) return text
  const length = parts.slice(0, 2 * taken).reduce((sum, part) => sum + part.length, 0)
  const rest = text.slice(start + length)
  // A text that is only front matter stays.
  return /\S/.test(rest) ? rest : text
}

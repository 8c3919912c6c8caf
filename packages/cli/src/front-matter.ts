import { UsageError } from './usage-error.ts'

type Value = string | string[]

const unquoted = (text: string): string => {
  const [, quote, inner = ''] = /^(["'])(.*)\1$/s.exec(text) ?? []
  if (quote === undefined) return text.replace(/\s+#.*$/, '')
  return quote === '"' ? inner.replace(/\\(["\\])/g, '$1') : inner.replaceAll("''", "'")
}

const listOf = (text: string): string[] =>
  (text.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,\s"'][^,]*/g) ?? [])
    .map((one) => unquoted(one.trim()))
    .filter((one) => one !== '')

/**
 * Returns the front matter of a Markdown file and the text below it. Read are `name: text`, `name: [a, b]`, and lists of `- a` lines:
 * the fields of an article are no deeper. Throws UsageError with the line.
 */
export const readFrontMatter = (text: string): { fields: Record<string, Value>; content: string } => {
  const [head, block] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text) ?? []
  if (head === undefined || block === undefined || !text.startsWith(head)) return { fields: {}, content: text }
  const fields: Record<string, Value> = {}
  let open = ''
  for (const [n, line] of block.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue
    const [, item] = /^\s*-\s+(.*)$/.exec(line) ?? []
    const before = fields[open]
    if (item !== undefined && open !== '' && (before === '' || Array.isArray(before))) {
      fields[open] = [...(before || []), unquoted(item.trim())]
      continue
    }
    const [, name, value = ''] = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$/.exec(line) ?? []
    if (name === undefined || /^[|>{&*]/.test(value))
      throw new UsageError(`Line ${n + 2} of the front matter cannot be read: ${line}`)
    open = name.replaceAll('-', '_')
    const trimmed = value.trim()
    fields[open] = /^\[.*\]$/.test(trimmed) ? listOf(trimmed) : unquoted(trimmed)
  }
  return { fields, content: text.slice(head.length) }
}

import { escapeText } from '../references.ts'
import { inlineHtml, labelKey, type Shared, spends, targetAt } from './inline.ts'

/** Containers within containers that are read as such; deeper ones are text. */
const MAX_DEPTH = 20
/** What texts may be made longer by, however short they are, characters. */
const SPARE = 100_000
/** The characters of an empty cell. */
const CELL = 25

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*([^`]*)$/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}(?! )| |$)/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
const RAW = /^ {0,3}<(script|style|pre|textarea)\b/i
const COMMENT = /^ {0,3}<!--/
const MARKUP =
  /^ {0,3}<\/?(?:address|article|aside|blockquote|caption|center|col|colgroup|dd|details|dialog|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|picture|section|summary|table|tbody|td|tfoot|th|thead|tr|ul|video|audio)(?:[\s/>]|$)/i
const DEFINITION = /^ {0,3}\[([^[\]\\]{1,999})\]:[ \t]*(\S)/
const DELIMITER = /^[ \t]*:?-+:?[ \t]*$/

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''

type Block = { html: string /** Within a tight list it stands without its element. */; isParagraph: boolean }
type Reading = { lines: readonly string[]; at: number; depth: number; shared: Shared }

const indentOf = (line: string): number => line.length - line.trimStart().length

/** A row's cells: what stands between bars that are not escaped. */
const cellsOf = (line: string): string[] => {
  const row = line.trim().replace(/^\|/, '')
  const cells = row.split(/(?<!\\)\|/)
  if (cells.length > 1 && cells.at(-1)?.trim() === '') cells.pop()
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

const alignOf = (cell: string): string => {
  const [left, right] = [cell.startsWith(':'), cell.endsWith(':')]
  if (!left && !right) return ''
  return ` align="${left && right ? 'center' : right ? 'right' : 'left'}"`
}

const beginsTable = (line: string, next: string | undefined): boolean => {
  if (next === undefined || !line.includes('|') || !next.includes('-')) return false
  const marks = cellsOf(next)
  return marks.every((cell) => DELIMITER.test(cell)) && marks.length === cellsOf(line).length
}

const readTable = (reading: Reading): string => {
  const { lines, shared } = reading
  const head = cellsOf(lines[reading.at] ?? '')
  const aligns = cellsOf(lines[reading.at + 1] ?? '').map(alignOf)
  const row = (cells: readonly string[], name: string) => {
    const isFilled = spends(shared, Math.max(0, head.length - cells.length) * CELL)
    const shown = isFilled ? head : head.slice(0, cells.length)
    return `<tr>${shown.map((_, n) => `<${name}${aligns[n] ?? ''}>${inlineHtml(cells[n] ?? '', shared)}</${name}>`).join('')}</tr>`
  }
  const rows: string[] = []
  reading.at += 2
  for (; !isBlank(lines[reading.at]) && !interrupts(lines[reading.at] ?? ''); reading.at += 1)
    rows.push(row(cellsOf(lines[reading.at] ?? ''), 'td'))
  const body = rows.length === 0 ? '' : `\n<tbody>\n${rows.join('\n')}\n</tbody>`
  return `<table>\n<thead>\n${row(head, 'th')}\n</thead>${body}\n</table>`
}

const readFence = (reading: Reading, [, indent = '', fence = '', info = '']: RegExpExecArray): string => {
  const { lines } = reading
  const close = new RegExp(`^ {0,3}${fence[0]}{${Math.min(fence.length, 1_000)},}[ \\t]*$`)
  const code: string[] = []
  for (reading.at += 1; reading.at < lines.length; reading.at += 1) {
    const line = lines[reading.at] ?? ''
    if (close.test(line)) {
      reading.at += 1
      break
    }
    code.push(line.slice(Math.min(indent.length, indentOf(line))))
  }
  const [language = ''] = info.trim().split(/\s/)
  const name = /^[\w+#.-]{1,50}$/.test(language) ? ` class="language-${language}"` : ''
  return `<pre><code${name}>${escapeText(code.map((line) => `${line}\n`).join(''))}</code></pre>`
}

/** HTML stands as it is, up to its end or to the next blank line. */
const readMarkup = (
  reading: Reading,
  isEnd: (line: string, isFirst: boolean) => 'after' | 'before' | undefined,
): string => {
  const { lines } = reading
  const first = reading.at
  for (; reading.at < lines.length; reading.at += 1) {
    const end = isEnd(lines[reading.at] ?? '', reading.at === first)
    if (end === 'after') reading.at += 1
    if (end) break
  }
  return lines.slice(first, reading.at).join('\n')
}

/** What may follow a paragraph without a blank line. */
const interrupts = (line: string): boolean =>
  HEADING.test(line) ||
  RULE.test(line) ||
  FENCE.test(line) ||
  QUOTE.test(line) ||
  RAW.test(line) ||
  COMMENT.test(line) ||
  MARKUP.test(line)

const beginsItem = (line: string, afterText: boolean): boolean => {
  const item = RULE.test(line) ? null : ITEM.exec(line)
  if (!item) return false
  // Within a paragraph only an item that has text, and only a list that begins with one.
  return !afterText || (!isBlank(line.slice(item[0].length)) && /^(?:[-*+]|0*1[.)])$/.test(item[2] ?? ''))
}

const readQuote = (reading: Reading): string => {
  const { lines, depth, shared } = reading
  const inner: string[] = []
  for (; reading.at < lines.length; reading.at += 1) {
    const line = lines[reading.at] ?? ''
    if (QUOTE.test(line)) inner.push(line.replace(QUOTE, ''))
    else if (isBlank(line) || isBlank(inner.at(-1)) || interrupts(line) || beginsItem(line, false)) break
    else inner.push(line)
  }
  return `<blockquote>\n${joined(blocksOf(inner, depth + 1, shared), false)}\n</blockquote>`
}

const kindOf = (mark: string): string => mark.at(-1) ?? ''

/** The lines of one item, without what indents them. */
const readItem = (reading: Reading, item: RegExpExecArray): string[] => {
  const { lines } = reading
  const [whole] = item
  const first = lines[reading.at] ?? ''
  const isEmpty = isBlank(first.slice(whole.length))
  const width = isEmpty ? whole.trimEnd().length + 1 : whole.length
  const inner = [first.slice(whole.length)]
  for (reading.at += 1; reading.at < lines.length; reading.at += 1) {
    const line = lines[reading.at] ?? ''
    if (isBlank(line)) {
      if (isEmpty && inner.length === 1) break
      inner.push('')
    } else if (indentOf(line) >= width) inner.push(line.slice(width))
    else if (isBlank(inner.at(-1)) || interrupts(line) || ITEM.test(line)) break
    else inner.push(line.trimStart())
  }
  return inner
}

const readList = (reading: Reading): string => {
  const { lines, depth, shared } = reading
  const [, , mark = ''] = ITEM.exec(lines[reading.at] ?? '') ?? []
  const items: Block[][] = []
  let isLoose = false
  for (;;) {
    const line = lines[reading.at] ?? ''
    const item = RULE.test(line) ? null : ITEM.exec(line)
    if (reading.at >= lines.length || !item || kindOf(item[2] ?? '') !== kindOf(mark)) break
    const inner = readItem(reading, item)
    let last = inner.length
    while (last > 1 && isBlank(inner[last - 1])) last -= 1
    const blocks = blocksOf(inner.slice(0, last), depth + 1, shared)
    const next = lines[reading.at]
    const goesOn = next !== undefined && !RULE.test(next) && kindOf(ITEM.exec(next)?.[2] ?? '') === kindOf(mark)
    isLoose ||= (last < inner.length && goesOn) || (blocks.length > 1 && blocks.every(({ isParagraph }) => isParagraph))
    items.push(blocks)
  }
  const shown = items.map((blocks) => `<li>${joined(blocks, !isLoose)}</li>`).join('\n')
  const start = Number.parseInt(mark, 10)
  const name = Number.isNaN(start) ? 'ul' : 'ol'
  return `<${name}${name === 'ol' && start !== 1 ? ` start="${start}"` : ''}>\n${shown}\n</${name}>`
}

const readParagraph = (reading: Reading): Block[] => {
  const { lines, shared } = reading
  const text: string[] = []
  for (; reading.at < lines.length; reading.at += 1) {
    const line = lines[reading.at] ?? ''
    const underline = text.length > 0 ? UNDERLINE.exec(line) : null
    if (underline) {
      reading.at += 1
      const level = underline[1]?.startsWith('=') ? 1 : 2
      return [{ html: `<h${level}>${inlineHtml(text.join('\n'), shared)}</h${level}>`, isParagraph: false }]
    }
    const ends = isBlank(line) || interrupts(line) || beginsItem(line, true) || beginsTable(line, lines[reading.at + 1])
    if (text.length > 0 && ends) break
    // What two spaces at its end say of a line is kept; of the last one it says nothing.
    text.push(line.trimStart())
  }
  return [{ html: `<p>${inlineHtml(text.join('\n').trimEnd(), shared)}</p>`, isParagraph: true }]
}

const readBlock = (reading: Reading): Block[] => {
  const { lines, depth, shared } = reading
  const line = lines[reading.at] ?? ''
  const whole = (html: string): Block[] => [{ html, isParagraph: false }]
  if (isBlank(line)) {
    reading.at += 1
    return []
  }
  const heading = HEADING.exec(line)
  if (heading) {
    reading.at += 1
    const text = (heading[2] ?? '').trimEnd().replace(/(^|[ \t])#{1,1000}$/, '')
    const name = `h${heading[1]?.length}`
    return whole(`<${name}>${inlineHtml(text.trim(), shared)}</${name}>`)
  }
  if (RULE.test(line)) {
    reading.at += 1
    return whole('<hr>')
  }
  const fence = FENCE.exec(line)
  if (fence) return whole(readFence(reading, fence))
  if (COMMENT.test(line)) return whole(readMarkup(reading, (one) => (one.includes('-->') ? 'after' : undefined)))
  const raw = RAW.exec(line)
  if (raw) {
    const close = `</${raw[1]?.toLowerCase()}`
    return whole(readMarkup(reading, (one) => (one.toLowerCase().includes(close) ? 'after' : undefined)))
  }
  if (MARKUP.test(line)) return whole(readMarkup(reading, (one) => (isBlank(one) ? 'before' : undefined)))
  if (depth < MAX_DEPTH && QUOTE.test(line)) return whole(readQuote(reading))
  if (depth < MAX_DEPTH && beginsItem(line, false)) return whole(readList(reading))
  if (beginsTable(line, lines[reading.at + 1])) return whole(readTable(reading))
  return readParagraph(reading)
}

const blocksOf = (lines: readonly string[], depth: number, shared: Shared): Block[] => {
  const reading = { lines, at: 0, depth, shared }
  const blocks: Block[] = []
  while (reading.at < lines.length) blocks.push(...readBlock(reading))
  return blocks
}

const joined = (blocks: readonly Block[], isTight: boolean): string =>
  blocks.map(({ html, isParagraph }) => (isTight && isParagraph ? html.slice(3, -4) : html)).join('\n')

/** Takes the definitions of links by name (`[name]: address "title"`) out of lines. The first of a name counts. */
const takeDefinitions = (lines: readonly string[]) => {
  const definitions = new Map<string, { url: string; title: string }>()
  const kept: string[] = []
  let fence = ''
  for (const line of lines) {
    const mark = FENCE.exec(line)?.[2] ?? ''
    if (fence === '') fence = mark
    else if (mark.startsWith(fence)) fence = ''
    const found = fence === '' && line.length < 4_000 ? DEFINITION.exec(line) : null
    const target = found && targetAt(line, found[0].length - 1)
    if (found?.[1] === undefined || !target || line.slice(target.end).trim() !== '') {
      kept.push(line)
      continue
    }
    const key = labelKey(found[1])
    if (key !== '' && !definitions.has(key)) definitions.set(key, target)
  }
  return { kept, definitions }
}

/**
 * Markdown as an HTML fragment: CommonMark 0.31 with tables, strikethrough and bare addresses as GitHub reads them; text that is
 * only indented is no code. HTML in it stays as it is, so the answer is as safe as its text: it still has to be made safe.
 */
export const fromMarkdown = (text: string): string => {
  const lines = text.replace(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n')
  const { kept, definitions } = takeDefinitions(lines)
  return joined(blocksOf(kept, 0, { definitions, spare: SPARE + text.length }), false)
}

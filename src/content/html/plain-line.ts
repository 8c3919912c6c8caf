import createReader, { type MarkdownIt, type Token } from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import { VOID } from './events.ts'
import { collapse } from './references.ts'

/** Reader of the marks within a line. Addresses are not made links, so that they stay as they are. */
let reader: MarkdownIt | undefined

const TAG = /^<(\/?)([a-z][a-z0-9]*)/i

/** Returns the indexes of tags that are markup: those of pairs, and those of void elements. Other tags are words of the line. */
const markupIn = (tokens: readonly Token[]): Set<number> => {
  const markup = new Set<number>()
  const open: { name: string; at: number }[] = []
  for (const [at, { type, content }] of tokens.entries()) {
    if (type !== 'html_inline') continue
    const [, end = '', written = ''] = TAG.exec(content) ?? []
    const name = written.toLowerCase()
    const opened = end === '' ? -1 : open.findLastIndex((one) => one.name === name)
    if (VOID.has(name)) markup.add(at)
    else if (end === '') open.push({ name, at })
    if (opened < 0) continue
    markup.add(at).add(open[opened]?.at ?? at)
    open.length = opened
  }
  return markup
}

/** True if a mark is part of a name or of an expression: `__init__`, `2*3*4`. `before` and `behind` are the texts around it. */
const isInName = (mark: string, within: readonly string[], before: string, behind: string): boolean =>
  mark === '__'
    ? within.length === 1 && /^[a-z0-9_]+$/.test(within[0] ?? '')
    : /[a-z0-9]$/i.test(before) || /^[a-z0-9]/i.test(behind)

const textOf = (tokens: readonly Token[]): string => {
  const markup = markupIn(tokens)
  const texts: string[] = []
  const open: { mark: string; at: number; before: string }[] = []
  const said = (at: number): string => tokens[at]?.content ?? ''
  for (const [at, { type, content, markup: mark, children }] of tokens.entries()) {
    if (/^(?:strong|em|s)_open$/.test(type)) {
      open.push({ mark, at: texts.length, before: texts.at(-1) ?? '' })
      texts.push('')
    } else if (/^(?:strong|em|s)_close$/.test(type)) {
      const start = open.pop()
      const within = texts.slice(Math.max((start?.at ?? 0) + 1, texts.length - 2))
      if (start && isInName(mark, within, start.before, said(at + 1))) {
        texts[start.at] = mark
        texts.push(mark)
      }
    } else if (type === 'html_inline') texts.push(markup.has(at) ? ' ' : content)
    else if (type === 'image') texts.push(textOf(children ?? []))
    else texts.push(type === 'softbreak' || type === 'hardbreak' ? ' ' : content)
  }
  return texts.join('')
}

/** Marks of a heading around a line. `#1` and `C#` are words. */
const HEADING = /^\s{0,3}#{1,6}\s+|(?<=\s)#{1,6}\s*$/g

/**
 * Returns a line without the marks of Markdown and the tags of HTML, as readers would see it. Signs in names, code and
 * expressions stay: `#1`, `c#`, `__init__`, `2*3*4`.
 */
export const plainLine = (line: string): string => {
  if (!reader) {
    reader = createReader({ html: true })
    reader.use(cjkFriendly)
  }
  const [inline] = reader.parseInline(line.replace(HEADING, ''), {})
  return collapse(textOf(inline?.children ?? []))
}

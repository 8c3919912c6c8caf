import type { Leaf, Mark } from '../../../content/html/markdown/blocks.ts'
import {
  codeSpan,
  delimitersOf,
  escapedUnderscores,
  piecesOf,
  withIndexSigns,
} from '../../../content/html/markdown/line.ts'
import { playerSite } from '../../../content/html/players.ts'

/** Escapes characters outside of code that Notion reads as formatting, references or emoji. Underscores within words need no escape. */
export const escaped = (text: string): string =>
  escapedUnderscores(text.replace(/[\\*~`$[\]<>{}|^]/g, '\\$&')).replace(/&(?=#?\w+;)|:(?=[a-z][\w+-]*:)/gi, '\\$&')

/** Escapes the start of a line that would begin another kind of block, or turn the line before into a heading. */
const escapedStart = (line: string): string =>
  line
    .replace(/^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|-(?=[-\s]*$)|=(?=[=\s]*$)|-{3,}(?=\s)|:{3,}(?=\s|$))/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/** Returns the lines of a block's text. Each line but the last ends with a backslash, which is a hard break. */
export const hardLines = (text: string): string[] => {
  const lines = text.split('\n').map((line) => escapedStart(line.trim()))
  return lines.map((line, n) => (n < lines.length - 1 ? `${line}\\` : line))
}

/** Returns an address in the form for a Markdown link; undefined if Notion could not follow it. */
export const linkTarget = (href: string | undefined): string | undefined => {
  const url = href?.trim() ?? ''
  if (!/^(https?:\/\/|mailto:)/i.test(url) || url.length > 2_000) return undefined
  return url.replace(/[\s()<>[\]\\{}|^`*~$]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}

/** Returns the page on which people watch a player's video. Other addresses stay as they are. */
export const watchAddress = (src: string): string | undefined => {
  const target = linkTarget(src)
  const [, host = '', path = ''] = /^https?:\/\/([^/]*)(.*)$/i.exec(target ?? '') ?? []
  const site = playerSite(host)
  const [, video] = (site === 'youtube' ? /^\/embed\/([\w-]+)/i : /^\/video\/(\d+)/i).exec(path) ?? []
  if (site === undefined || video === undefined) return target
  return site === 'youtube' ? `https://www.youtube.com/watch?v=${video}` : `https://vimeo.com/${video}`
}

/** Tags for marks without a delimiter, or whose delimiter would not be recognized at its place. */
const MARKS: Record<string, readonly [string, string]> = {
  strong: ['<b>', '</b>'],
  em: ['<i>', '</i>'],
  del: ['<s>', '</s>'],
  u: ['<u>', '</u>'],
  mark: ['<span color="yellow_bg">', '</span>'],
}

const markText = (mark: Mark, end: 0 | 1, delimiter: string | undefined): string => {
  if (mark.name !== 'a') return delimiter ?? MARKS[mark.name]?.[end] ?? ''
  const target = linkTarget(mark.href)
  if (target === undefined) return ''
  return end === 0 ? '[' : `](${target})`
}

const linked = (text: string, src: string | undefined): string =>
  src === undefined ? escaped(text) : `[${escaped(text || src)}](${src})`

const leafText = (leaf: Leaf): string => {
  switch (leaf.kind) {
    case 'text':
      return escaped(withIndexSigns(leaf.text, leaf.marks))
    case 'code':
      return codeSpan(leaf.text)
    case 'break':
      return '\n'
    case 'image':
      return linked(leaf.alt, linkTarget(leaf.src))
    case 'player':
      return linked(leaf.title, watchAddress(leaf.src))
  }
}

/** Returns a text as Notion's Markdown, with a line feed for each break. Pictures and players in it become links. */
export const inlineText = (line: readonly Leaf[]): string => {
  const pieces = piecesOf(line)
  const delimiters = delimitersOf(pieces)
  const parts = pieces.map((piece) =>
    piece.kind === 'leaf'
      ? leafText(piece.leaf)
      : markText(piece.mark, piece.kind === 'open' ? 0 : 1, delimiters.get(piece)),
  )
  // `!` before a link would turn it into a picture.
  return parts
    .map((part, n) => (part.endsWith('!') && parts[n + 1]?.startsWith('[') ? `${part.slice(0, -1)}\\!` : part))
    .join('')
}

import type { Leaf, Mark } from '../../../content/html/markdown/blocks.ts'
import { piecesOf } from '../../../content/html/markdown/line.ts'
import { playerSite } from '../../../content/html/player-hosts.ts'

/** The characters Notion's markdown reads as marks, outside of code. */
export const escaped = (text: string): string => text.replace(/[\\*~`$[\]<>{}|^]/g, '\\$&')

/** Escapes a beginning of a line that would begin a block of another kind. */
export const escapedStart = (line: string): string =>
  line
    .replace(/^(#{1,6}|[-+]|-{3,}|:{3,})(?=\s|$|:|-)/, (mark) => `\\${mark}`)
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/** An address as it may stand between the brackets of a link; undefined when Notion could not follow it. */
export const linkTarget = (href: string | undefined): string | undefined => {
  const url = href?.trim() ?? ''
  if (!/^(https?:\/\/|mailto:)/i.test(url) || url.length > 2_000) return undefined
  return url.replace(/[\s()<>[\]\\{}|^`*~$]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}

/** Returns the page on which people watch the video of a player; any other address as it is. */
export const watchAddress = (src: string): string | undefined => {
  const target = linkTarget(src)
  const [, host = '', path = ''] = /^https?:\/\/([^/]*)(.*)$/i.exec(target ?? '') ?? []
  const site = playerSite(host)
  const [, video] = (site === 'youtube' ? /^\/embed\/([\w-]+)/i : /^\/video\/(\d+)/i).exec(path) ?? []
  if (site === undefined || video === undefined) return target
  return site === 'youtube' ? `https://www.youtube.com/watch?v=${video}` : `https://vimeo.com/${video}`
}

const MARKS: Record<string, readonly [string, string]> = {
  strong: ['**', '**'],
  em: ['*', '*'],
  del: ['~~', '~~'],
  u: ['<span underline="true">', '</span>'],
  mark: ['<span color="yellow_bg">', '</span>'],
}

const markText = (mark: Mark, end: 0 | 1): string => {
  if (mark.name !== 'a') return MARKS[mark.name]?.[end] ?? ''
  const target = linkTarget(mark.href)
  if (target === undefined) return ''
  return end === 0 ? '[' : `](${target})`
}

const linked = (text: string, src: string | undefined): string =>
  src === undefined ? escaped(text) : `[${escaped(text || src)}](${src})`

const leafText = (leaf: Leaf): string => {
  switch (leaf.kind) {
    case 'text':
      return escaped(leaf.text)
    case 'code':
      // A backtick cannot stand in Notion's inline code.
      return leaf.text.includes('`') ? escaped(leaf.text) : `\`${leaf.text}\``
    case 'break':
      return '<br>'
    case 'image':
      return linked(leaf.alt, linkTarget(leaf.src))
    case 'player':
      return linked(leaf.title, watchAddress(leaf.src))
  }
}

/** One line of text as Notion's markdown; pictures and players in it become links. */
export const inlineText = (line: readonly Leaf[]): string =>
  piecesOf(line)
    .map((piece) =>
      piece.kind === 'leaf' ? leafText(piece.leaf) : markText(piece.mark, piece.kind === 'open' ? 0 : 1),
    )
    .join('')

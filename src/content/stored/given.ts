import { topBlocks } from '../html/blocks.ts'
import { readEvents } from '../html/events.ts'
import { attributesOf } from '../html/tags.ts'
import type { StoredForm } from './forms.ts'
import { isInLine, KEPT, keyOf, REMOVED, shows, type Token, tokensOf } from './tokens.ts'

/** Block of the caller’s HTML. */
export type Given = { html: string; tokens: Token[]; key: string }

const REMOVAL = new RegExp(`<figure\\b[^>]*\\b${REMOVED}\\b`, 'i')
const DELIMITER = /<!--[ \t\r\n]+\/?wp:[^>]*-->/g

/** Returns the blocks of HTML that show something. Elements by which a caller removes a kept block are left out. */
export const givenIn = (html: string, format: StoredForm): Given[] =>
  topBlocks(format === 'blocks' ? html.replace(DELIMITER, '') : html)
    .map(([block]) => {
      const tokens = tokensOf(block)
      // Text without an element shows as a paragraph.
      const isBare =
        tokens[0] !== undefined && (tokens[0].kind === 'word' || isInLine(tokens[0].name)) && tokens[0].kind !== 'kept'
      if (!isBare) return { html: block, tokens, key: keyOf(tokens) }
      const wrapped = `<p>${block}</p>`
      const all = tokensOf(wrapped)
      return { html: wrapped, tokens: all, key: keyOf(all) }
    })
    .filter(({ tokens }) => shows(tokens))
    .filter(({ html: block, tokens }) => !(tokens.length === 1 && tokens[0]?.kind === 'kept' && REMOVAL.test(block)))

export const idsOf = (blocks: readonly { tokens: readonly Token[] }[]): string[] =>
  blocks.flatMap(({ tokens }) => tokens.filter(({ kind }) => kind === 'kept').map(({ name }) => name))

export const removedIds = (html: string): Set<string> => {
  const ids = new Set<string>()
  for (const event of readEvents(html)) {
    if (event.kind !== 'open' || event.tag.name !== 'figure') continue
    const attributes = attributesOf(html, event.tag)
    if (attributes.has(REMOVED)) ids.add(attributes.get(KEPT) ?? '')
  }
  return ids
}

export const keysOf = (blocks: readonly { key: string }[]): string => blocks.map(({ key }) => key).join('\n')

import { INLINE, readEvents } from '../html/events.ts'
import { decodeReferences } from '../html/references.ts'
import { attributesOf } from '../html/tags.ts'
import type { TagToken } from '../html/tokens.ts'

/**
 * Smallest part of a text that is compared: a tag, a word, the blanks between words, a shortcode, or a whole kept block.
 *
 * Two tokens with the same key show the same. Classes, styles and other attributes for looks are not in it.
 */
export type Token = {
  key: string
  start: number
  end: number
  kind: 'open' | 'close' | 'word' | 'blank' | 'code' | 'kept'
  /** Name of a tag, or id of a kept block. */
  name: string
  /** True if readers see it by itself. */
  isSeen: boolean
}

/** Elements for looks. They stay as they are at the site. */
const LOOKS = new Set(['span', 'font', 'wbr'])
/** Names that mean the same. */
const SAME: Record<string, string> = { b: 'strong', i: 'em', strike: 's', del: 's' }
/** Elements that show without words. */
const SEEN = new Set(['img', 'iframe', 'video', 'audio', 'hr'])
/** Attributes that change what a reader gets. */
const MEANING: Record<string, readonly string[]> = {
  a: ['href'],
  img: ['src', 'alt'],
  iframe: ['src'],
  video: ['src'],
  audio: ['src'],
  source: ['src', 'srcset'],
  ol: ['start', 'type', 'reversed'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
  time: ['datetime'],
  sup: ['data-fn'],
}
const LINE = new Set([...INLINE, 'br', 'img'])

/** True if an element is within a line of text. */
export const isInLine = (name: string): boolean => LINE.has(name)

/** Attributes that make up the key of a tag, in their order. */
export const meaningOf = (name: string): readonly string[] => MEANING[name] ?? []

/** Attribute of the element of a kept block: its id. With the second one, the caller removes the block. */
export const KEPT = 'data-kept'
export const REMOVED = 'data-remove'

/** A shortcode, blanks, or a word. Brackets of anything else are words. */
const PART = /\[\/?[a-z][\w-]*(?:\s[^[\]<]*)?\]|[ \t\r\n\f]+|[^ \t\r\n\f[]+|\[/gi
const CODE = /^\[\/?[a-z]/i

const keyOfTag = (name: string, attributes: ReadonlyMap<string, string>): string => {
  const values = meaningOf(name).map((attribute) => attributes.get(attribute)?.trim() ?? '')
  return `<${SAME[name] ?? name}${values.length > 0 ? `\u0001${values.join('\u0001')}` : ''}`
}

type Reading = { html: string; tokens: Token[]; open: { isKept: boolean; name: string }[]; pre: number }

const add = ({ tokens }: Reading, token: Omit<Token, 'isSeen'>, isSeen: boolean): void => {
  tokens.push({ ...token, isSeen })
}

const addText = (reading: Reading, start: number, end: number): void => {
  for (const part of reading.html.slice(start, end).matchAll(PART)) {
    const [text] = part
    const at = start + part.index
    const place = { start: at, end: at + text.length, name: '' }
    if (/^[ \t\r\n\f]/.test(text)) {
      const isAgain = reading.pre === 0 && reading.tokens.at(-1)?.kind === 'blank'
      if (!isAgain) add(reading, { ...place, kind: 'blank', key: reading.pre > 0 ? text : ' ' }, false)
    } else if (CODE.test(text)) add(reading, { ...place, kind: 'code', key: decodeReferences(text) }, true)
    else add(reading, { ...place, kind: 'word', key: decodeReferences(text) }, true)
  }
}

const addOpen = (reading: Reading, tag: TagToken, isLeaf: boolean): void => {
  const attributes = attributesOf(reading.html, tag)
  const { name, start, end } = tag
  const id = attributes.get(KEPT)
  if (id !== undefined && name === 'figure') {
    add(reading, { kind: 'kept', key: `\u0002${id}`, name: id, start, end }, true)
    if (!isLeaf) reading.open.push({ isKept: true, name })
    return
  }
  if (!isLeaf) reading.open.push({ isKept: false, name })
  if (name === 'pre' && !isLeaf) reading.pre += 1
  if (LOOKS.has(name)) return
  add(reading, { kind: 'open', key: keyOfTag(name, attributes), name, start, end }, SEEN.has(name))
}

const addClose = (reading: Reading, tag: TagToken | undefined, isWithin: boolean, end: number): void => {
  const element = reading.open.pop()
  if (element?.isKept && !isWithin) {
    const kept = reading.tokens.at(-1)
    if (kept) kept.end = end
    return
  }
  if (element?.name === 'pre') reading.pre -= 1
  if (!tag || isWithin || !element || LOOKS.has(element.name)) return
  const { name, start } = tag
  add(reading, { kind: 'close', key: `</${SAME[name] ?? name}`, name, start, end: tag.end }, false)
}

/** Leaves out the blanks beside tags of blocks, which show as nothing. */
const withoutEdges = (tokens: readonly Token[]): Token[] => {
  const isEdge = (token: Token | undefined): boolean =>
    token === undefined ||
    token.kind === 'kept' ||
    ((token.kind === 'open' || token.kind === 'close') && (!isInLine(token.name) || token.name === 'br'))
  return tokens.filter(
    (token, n) => token.kind !== 'blank' || token.key !== ' ' || !(isEdge(tokens[n - 1]) || isEdge(tokens[n + 1])),
  )
}

/** Returns the tokens of HTML. The time is proportional to it. */
export const tokensOf = (html: string): Token[] => {
  const reading: Reading = { html, tokens: [], open: [], pre: 0 }
  /** Depth of the elements at which a kept block began; -1 outside of one. */
  let keptAt = -1
  for (const event of readEvents(html)) {
    if (event.kind === 'open') {
      if (keptAt >= 0) {
        if (!event.isLeaf) reading.open.push({ isKept: false, name: '' })
        continue
      }
      const depth = reading.open.length
      addOpen(reading, event.tag, event.isLeaf)
      if (reading.open.at(-1)?.isKept) keptAt = depth
    } else if (event.kind === 'close') {
      const isWithin = keptAt >= 0 && reading.open.length > keptAt + 1
      addClose(reading, event.tag, isWithin, event.end)
      if (keptAt >= 0 && !isWithin) keptAt = -1
    } else if (event.kind === 'text' && keptAt < 0) addText(reading, event.start, event.end)
  }
  return withoutEdges(reading.tokens)
}

/** Returns one key for a list of tokens. */
export const keyOf = (tokens: readonly Token[]): string => tokens.map(({ key }) => key).join('\u0000')

/** True if the tokens show something. */
export const shows = (tokens: readonly Token[]): boolean => tokens.some(({ isSeen }) => isSeen)

/** Returns the words of tokens as one line. */
export const lineOf = (tokens: readonly Token[]): string =>
  tokens
    .filter(({ kind }) => kind === 'word' || kind === 'blank' || kind === 'code')
    .map(({ key }) => key)
    .join('')
    .trim()

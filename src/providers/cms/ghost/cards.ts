import * as z from 'zod/mini'
import { outermost } from '../../../content/html/outermost.ts'
import { shownWords } from '../../../content/html/shown.ts'

/** Cards of Ghost's editor that HTML has no element for. */
const CARDS: Readonly<Record<string, string>> = {
  paywall: 'the members-only divider',
  'call-to-action': 'a call to action',
  signup: 'a sign-up card',
  email: 'an e-mail card',
  'email-cta': 'an e-mail call to action',
}

const Tree = z.object({ root: z.object({ children: z.array(z.looseObject({ type: z.string() })) }) })

type Node = z.infer<typeof Tree>['root']['children'][number]

const nodesIn = (lexical: string | null | undefined): Node[] => {
  try {
    const parsed = Tree.safeParse(JSON.parse(lexical ?? ''))
    return parsed.success ? parsed.data.root.children : []
  } catch {
    return []
  }
}

/** Returns the words of a node and of all within it, one blank apart. */
const wordsOf = (node: unknown): string => {
  const texts: string[] = []
  const left: unknown[] = [node]
  while (left.length > 0) {
    const one = left.pop()
    if (Array.isArray(one)) for (let n = one.length - 1; n >= 0; n -= 1) left.push(one[n])
    else if (one !== null && typeof one === 'object') {
      const { text, children } = one as { text?: unknown; children?: unknown }
      if (typeof text === 'string') texts.push(text)
      left.push(children)
    }
  }
  return texts.join('').replace(/\s+/g, ' ').trim()
}

const BLOCKS = new Set(['p', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'blockquote', 'pre'])
/** HTML comment that Ghost reads as the divider. */
const DIVIDER = '<!--members-only-->'

/** Returns the end of the one block that has these words; undefined if none or several have. */
const endOfBlock = (html: string, words: string): number | undefined => {
  const bare = (text: string) => text.replace(/\s+/g, '')
  const same = outermost(html, BLOCKS).filter(
    ({ start, end }) => bare(shownWords(html.slice(start, end)).join('')) === bare(words),
  )
  return same.length === 1 ? same[0]?.end : undefined
}

/**
 * Returns new HTML of a post with its members-only divider behind the same block as before, or the names of the cards that new
 * HTML would remove.
 */
export const withCards = (
  lexical: string | null | undefined,
  html: string,
): { kind: 'kept'; html: string; hasDivider: boolean } | { kind: 'lost'; names: string[] } => {
  const nodes = nodesIn(lexical)
  const names = nodes.flatMap(({ type }) => CARDS[type] ?? [])
  if (names.length === 0) return { kind: 'kept', html, hasDivider: false }
  const at = nodes.findIndex(({ type }) => type === 'paywall')
  const words = at > 0 ? wordsOf(nodes[at - 1]) : ''
  const end = names.length === 1 && words !== '' ? endOfBlock(html, words) : undefined
  return end === undefined
    ? { kind: 'lost', names: [...new Set(names)] }
    : { kind: 'kept', html: html.slice(0, end) + DIVIDER + html.slice(end), hasDivider: true }
}

/** True if a post has a members-only divider. */
export const hasDivider = (lexical: string | null | undefined): boolean =>
  nodesIn(lexical).some(({ type }) => type === 'paywall')

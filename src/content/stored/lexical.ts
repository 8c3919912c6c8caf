import { type Match, matchesOf } from './align.ts'
import { type Given, givenIn, keysOf } from './given.ts'
import { nodeOf } from './lexical-make.ts'
import { mergedNode } from './lexical-merge.ts'
import type { LexicalNode } from './lexical-nodes.ts'
import { htmlOfNode, type LexicalUnit, readLexical } from './lexical-read.ts'
import { changesAtSite, losses, refused, type Spliced } from './refusals.ts'
import { keyOf, lineOf, tokensOf } from './tokens.ts'
import type { Unit } from './units.ts'

/** Block of the caller’s HTML, and the node that it is in Ghost’s editor; absent for a kept block, and for one without such a node. */
type GivenNode = Given & { node?: LexicalNode }

/** Returns the caller’s blocks, each with the HTML that the editor would make of it, so that the same words compare equal. */
const givenNodes = (html: string): GivenNode[] =>
  givenIn(html, 'lexical').map((given) => {
    const node = given.tokens.some(({ kind }) => kind === 'kept') ? undefined : nodeOf(given.html)
    const shown = node && htmlOfNode(node)
    if (!node || shown === undefined) return given
    const tokens = tokensOf(shown)
    return { html: shown, tokens, key: keyOf(tokens), node }
  })

/** Returns the node for a block of the caller; undefined if the editor has none. */
const nodeFor = ({ given, unit, isSame }: Match): LexicalNode | undefined => {
  const own = (unit as LexicalUnit | undefined)?.node
  if (isSame) return own
  const { node } = given as GivenNode
  return node && own ? mergedNode(own, node) : node
}

const NO_TEXT = 'The text of the post is not one of Ghost’s editor, so it is read only here.'

/**
 * Returns a text of Ghost’s editor with the smallest change that makes it show the caller’s HTML. Nodes that did not change stay as they
 * are, with all their fields.
 *
 * `known` as for `spliceStored`.
 */
export const spliceLexical = (text: string, { known, html }: { known: readonly string[]; html: string }): Spliced => {
  const read = readLexical(text)
  if (!read) return refused('not_possible', NO_TEXT)
  const given = givenNodes(html)
  if (keysOf(given) === keysOf(read.units)) return { kind: 'spliced', text }
  const wrong =
    (known.length > 0 ? changesAtSite(read, given, known.map(givenNodes)) : undefined) ?? losses(read, given, html)
  if (wrong) return wrong
  const nextOf = new Map(read.units.map((unit, n) => [unit as Unit, read.units[n + 1]?.start ?? read.nodes.length]))
  const children: LexicalNode[] = read.nodes.slice(0, read.units[0]?.start ?? read.nodes.length)
  for (const match of matchesOf(read.units, given)) {
    const node = nodeFor(match)
    if (!node) {
      const shown = lineOf(match.given.tokens)
      return refused(
        'not_possible',
        `Ghost’s editor has no block for this part of the text: “${shown.slice(0, 120)}”.`,
        [{ label: 'Text', text: shown.slice(0, 120), html: match.given.html }],
      )
    }
    children.push(node)
    const { unit } = match
    // Empty paragraphs stay behind their block.
    if (unit) children.push(...read.nodes.slice(unit.end, nextOf.get(unit)))
  }
  const { document } = read
  const changed = JSON.stringify({ ...document, root: { ...document.root, children } })
  // The proof: what the site would show is what the caller sent.
  if (keysOf(readLexical(changed)?.units ?? []) !== keysOf(given))
    return refused(
      'not_possible',
      'The change rebuilds a block that only the site’s editor can write. Change its words alone, or change it at the site.',
    )
  return { kind: 'spliced', text: changed }
}

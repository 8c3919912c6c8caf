import { diffArrays } from 'diff'
import { MAX_BLOCKS_CHANGED, MAX_WORDS_CHANGED } from './align.ts'
import { textNode } from './lexical-make.ts'
import { kindOf, type Leaf, type LexicalNode, leavesOf, nestedOf, shownTexts, textField } from './lexical-nodes.ts'
import { htmlOfNode } from './lexical-read.ts'

/**
 * A word, the blanks between words, or a line break. `hidden` are blanks before it that readers do not see. `parts`: the texts that a
 * word goes through.
 */
type Atom = {
  key: string
  text: string
  format: number
  link: LexicalNode | undefined
  node?: LexicalNode
  hidden?: Atom[]
  parts?: Atom[]
}

const urlOf = (link: LexicalNode | undefined): string => (link ? textField(link, 'url') : '')

const isBlank = ({ text }: Atom): boolean => /^[ \t\r\n\f]/.test(text)

/** True if no blank is between two atoms, and nothing that readers see tells one from the other. */
const isOneWord = (one: Atom, other: Atom): boolean =>
  one.format === other.format && one.link === other.link && isBlank(one) === isBlank(other) && !isBlank(one)

const partsOf = ({ parts, hidden: _, ...atom }: Atom): Atom[] => parts ?? [atom]

/** Returns the atoms that readers see, and the blanks after the last one that they do not see. */
const atomsOf = (leaves: readonly Leaf[], isOwn: boolean): { atoms: Atom[]; rest: Atom[] } => {
  const parts = leaves.flatMap((leaf) =>
    leaf.text
      .split(/([ \t\r\n\f]+)/)
      .filter((text) => text !== '')
      .map((text) => ({ ...leaf, text })),
  )
  const shown = shownTexts(parts)
  const atoms: Atom[] = []
  let hidden: Atom[] = []
  for (const [n, { node, text, format, link }] of parts.entries()) {
    const seen = shown[n] ?? ''
    const key = `${format}\u0001${urlOf(link)}\u0001${seen}`
    const atom = { key, text, format, link, ...(isOwn ? { node } : {}) }
    const last = atoms.at(-1)
    if (seen === '') hidden.push(atom)
    else if (last && hidden.length === 0 && isOneWord(last, atom))
      atoms[atoms.length - 1] = {
        ...last,
        key: last.key + seen,
        text: last.text + text,
        parts: [...partsOf(last), atom],
      }
    else {
      atoms.push(hidden.length > 0 ? { ...atom, hidden } : atom)
      hidden = []
    }
  }
  return { atoms, rest: hidden }
}

/** Nodes of the site whose words are gone, from which new words take what else the site has of them. */
type Gone = { texts: Atom[]; links: LexicalNode[] }

/** Returns a new word with the text and the link of the site that it replaces. */
const inPlace = (atom: Atom, { texts, links }: Gone, taken: Map<LexicalNode, LexicalNode>): Atom => {
  const before = texts.find(({ format, link }) => format === atom.format && urlOf(link) === urlOf(atom.link))
  if (before?.node) return { ...atom, link: before.link, node: before.node }
  const { link } = atom
  if (!link) return atom
  const own = taken.has(link) ? undefined : links.shift()
  if (own) taken.set(link, { ...own, url: link.url })
  return { ...atom, link: taken.get(link) ?? link }
}

/** Returns the atoms of the caller’s words, with those of the site for all that did not change. */
const mergedAtoms = (own: readonly Atom[], given: readonly Atom[]): Atom[] => {
  const comparator = (a: Atom, b: Atom) => a.key === b.key
  const changes = diffArrays([...own], [...given], { comparator, maxEditLength: MAX_WORDS_CHANGED })
  if (!changes) return given.flatMap(partsOf)
  const merged: Atom[] = []
  const links = new Map<LexicalNode, LexicalNode>()
  let at = 0
  let gone: Gone = { texts: [], links: [] }
  for (const { added, removed, value } of changes) {
    if (added) {
      merged.push(...value.map(({ parts: _, ...atom }) => inPlace(atom, gone, links)))
      continue
    }
    const atoms = own.slice(at, at + value.length)
    at += value.length
    if (!removed) gone = { texts: [], links: [] }
    for (const atom of atoms) {
      merged.push(...(atom.hidden ?? []))
      if (!removed) merged.push(...partsOf(atom))
      else {
        gone.texts.push(atom)
        if (atom.link && !gone.links.includes(atom.link)) gone.links.push(atom.link)
      }
    }
  }
  return merged
}

type Run = { text: string; format: number; link: LexicalNode | undefined; node: LexicalNode | undefined }

/** True if two texts beside each other are in one link. Two links of the site with one address are two. */
const isOneLink = (one: Omit<Run, 'text'>, other: Omit<Run, 'text'>): boolean =>
  one.link === other.link ||
  (one.link !== undefined &&
    other.link !== undefined &&
    urlOf(one.link) === urlOf(other.link) &&
    (one.node === undefined || other.node === undefined))

const nodeOfRun = ({ text, format, node }: Run): LexicalNode => {
  if (text === '\n') return node ?? { type: 'linebreak', version: 1 }
  if (!node) return textNode(text, format)
  return node.text === text ? node : { ...node, text }
}

/** Returns the atoms as few texts. New words join the text of the site beside them if format and link are the same. */
const runsOf = (atoms: readonly Atom[]): Run[] => {
  const runs: Run[] = []
  for (const { text, format, link, node } of atoms) {
    const last = runs.at(-1)
    const isOne =
      last !== undefined &&
      text !== '\n' &&
      last.text !== '\n' &&
      last.format === format &&
      isOneLink(last, { format, link, node }) &&
      (node === undefined || last.node === undefined || last.node === node)
    if (!isOne) runs.push({ text, format, link, node })
    else {
      last.text += text
      last.node ??= node
      if (node) last.link = link
    }
  }
  return runs
}

const childrenOf = (runs: readonly Run[]): LexicalNode[] => {
  const children: LexicalNode[] = []
  for (let at = 0; at < runs.length; ) {
    let first = runs[at] as Run
    const inner: LexicalNode[] = []
    for (; at < runs.length && isOneLink(first, runs[at] as Run); at += 1) {
      const run = runs[at] as Run
      inner.push(nodeOfRun(run))
      if (!first.node) first = run
    }
    if (first.link) children.push({ ...first.link, children: inner })
    else children.push(...inner)
  }
  return children
}

const mergedLine = (own: LexicalNode, given: LexicalNode): LexicalNode[] => {
  const [ownLeaves, givenLeaves] = [leavesOf(own.children), leavesOf(given.children)]
  if (!ownLeaves || !givenLeaves) return given.children ?? []
  const { atoms, rest } = atomsOf(ownLeaves, true)
  return childrenOf(runsOf([...mergedAtoms(atoms, atomsOf(givenLeaves, false).atoms), ...rest]))
}

/** Returns what tells one item of a list from another. */
const keyOfItem = (item: LexicalNode): string => {
  const nested = nestedOf(item)
  return htmlOfNode(nested ?? { type: 'paragraph', children: item.children ?? [] }) ?? JSON.stringify(item)
}

const mergedItem = (own: LexicalNode, given: LexicalNode): LexicalNode => {
  const [list, wanted] = [nestedOf(own), nestedOf(given)]
  if (list && wanted) return { ...own, children: [mergedList(list, wanted)] }
  return list || wanted ? given : { ...own, children: mergedLine(own, given) }
}

/** Numbers the items of a list, if some are new or gone. Lists within it count for nothing. */
const numbered = (items: readonly LexicalNode[], start: number): LexicalNode[] => {
  let value = start
  return items.map((item) => {
    const one = item.value === value ? item : { ...item, value }
    if (!nestedOf(item)) value += 1
    return one
  })
}

/** Returns the wanted items of a list, with those of the site for all that did not change. */
const mergedItems = (items: readonly LexicalNode[], wanted: readonly LexicalNode[]): readonly LexicalNode[] => {
  const keyed = (all: readonly LexicalNode[]) => all.map((item) => ({ item, key: keyOfItem(item) }))
  const comparator = (a: { key: string }, b: { key: string }) => a.key === b.key
  const changes = diffArrays(keyed(items), keyed(wanted), { comparator, maxEditLength: MAX_BLOCKS_CHANGED })
  if (!changes) return wanted
  const merged: LexicalNode[] = []
  let at = 0
  let gone: LexicalNode[] = []
  for (const { added, removed, value } of changes) {
    if (removed) gone = value.map(({ item }) => item)
    else if (added)
      for (const { item } of value) {
        const before = gone.shift()
        merged.push(before ? mergedItem(before, item) : item)
      }
    else {
      merged.push(...items.slice(at, at + value.length))
      gone = []
    }
    if (!added) at += value.length
  }
  return merged
}

const mergedList = (own: LexicalNode, given: LexicalNode): LexicalNode => {
  const [items, wanted] = [own.children ?? [], given.children ?? []]
  const merged = mergedItems(items, wanted)
  const isOrdered = (list: LexicalNode) => list.listType === 'number'
  const kind = isOrdered(own) === isOrdered(given) ? {} : { listType: given.listType, tag: given.tag }
  const start = isOrdered(given) && given.start !== (own.start ?? 1) ? { start: given.start } : {}
  const first = Number(start.start ?? own.start ?? 1)
  const isSameLength = merged.length === items.length && !('start' in start)
  return { ...own, ...kind, ...start, children: isSameLength ? [...merged] : numbered(merged, first) }
}

const WORDS = new Set(['paragraph', 'heading', 'quote'])

/** Returns the node of the site with the caller’s words, pictures and addresses. All else of it stays. */
export const mergedNode = (own: LexicalNode, given: LexicalNode): LexicalNode => {
  const [kind, wanted] = [kindOf(own), kindOf(given)]
  if (kind === 'list' && wanted === 'list') return mergedList(own, given)
  if (kind === 'image' && wanted === 'image') {
    const isOther = own.src !== given.src
    const { src, alt, caption } = given
    return { ...own, ...(isOther ? { src, width: null, height: null } : {}), alt, caption }
  }
  if (kind === 'code' && wanted === 'code') return { ...own, code: given.code }
  if (!WORDS.has(kind ?? '') || !WORDS.has(wanted ?? '')) return given
  const children = mergedLine(own, given)
  if (kind !== wanted) return { ...given, children }
  return kind === 'heading' && own.tag !== given.tag ? { ...own, tag: given.tag, children } : { ...own, children }
}

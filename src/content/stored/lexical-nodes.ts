/** Node of a text of Ghost’s editor, as its JSON has it. */
export type LexicalNode = { type: string; children?: LexicalNode[]; text?: string } & Record<string, unknown>

/** Elements by the bits of a text’s `format`. */
export const FORMATS: readonly (readonly [bit: number, name: string])[] = [
  [1, 'strong'],
  [2, 'em'],
  [4, 's'],
  [8, 'u'],
  [16, 'code'],
  [32, 'sub'],
  [64, 'sup'],
  [128, 'mark'],
]
const ALL_FORMATS = FORMATS.reduce((all, [bit]) => all | bit, 0)

/** A text, a line break, or a tab, and the link that it is in. */
export type Leaf = { node: LexicalNode; text: string; format: number; link: LexicalNode | undefined }

const TEXTS = new Set(['text', 'extended-text', 'tab', 'tk'])
const LINKS = new Set(['link', 'autolink'])

export const isBreak = ({ node }: Pick<Leaf, 'node'>): boolean => node.type === 'linebreak'

export const textField = (node: LexicalNode, name: string): string => {
  const value = node[name]
  return typeof value === 'string' ? value : ''
}

/** Returns the texts and line breaks of a block in order; undefined if it has something else, which HTML cannot express. */
export const leavesOf = (children: readonly LexicalNode[] | undefined, link?: LexicalNode): Leaf[] | undefined => {
  const leaves: Leaf[] = []
  for (const node of children ?? []) {
    const format = typeof node.format === 'number' ? node.format : 0
    if (node.type === 'linebreak') leaves.push({ node, text: '\n', format: 0, link })
    else if (TEXTS.has(node.type) && typeof node.text === 'string' && (format & ~ALL_FORMATS) === 0)
      leaves.push({ node, text: node.text, format, link })
    else if (LINKS.has(node.type) && link === undefined) {
      const inner = leavesOf(node.children, node)
      if (!inner) return undefined
      leaves.push(...inner)
    } else return undefined
  }
  return leaves
}

/** Kind of a block that HTML can express; undefined for other cards and unknown blocks. */
export const kindOf = ({
  type,
}: LexicalNode): 'paragraph' | 'heading' | 'quote' | 'list' | 'rule' | 'image' | 'code' | undefined => {
  if (type === 'paragraph') return 'paragraph'
  if (type === 'heading' || type === 'extended-heading') return 'heading'
  if (type === 'quote' || type === 'extended-quote' || type === 'aside') return 'quote'
  if (type === 'list') return 'list'
  if (type === 'image') return 'image'
  if (type === 'codeblock') return 'code'
  return type === 'horizontalrule' ? 'rule' : undefined
}

/** Returns the list that is all of an item; undefined for an item with words. */
export const nestedOf = (item: LexicalNode): LexicalNode | undefined => {
  const [only, ...rest] = item.children ?? []
  return only?.type === 'list' && rest.length === 0 ? only : undefined
}

const BLANKS = /[ \t\r\n\f]+/g

/**
 * Returns the texts as readers see them: without blanks at the ends and beside line breaks, and with one for several. A line break is a
 * line end.
 */
export const shownTexts = (leaves: readonly Pick<Leaf, 'node' | 'text'>[]): string[] => {
  let isAfterBlank = true
  const texts = leaves.map((leaf) => {
    if (isBreak(leaf)) {
      isAfterBlank = true
      return '\n'
    }
    const text = leaf.text.replace(BLANKS, ' ')
    const shown = isAfterBlank ? text.replace(/^ /, '') : text
    if (shown !== '') isAfterBlank = shown.endsWith(' ')
    return shown
  })
  let isBeforeEnd = true
  for (let at = texts.length - 1; at >= 0; at -= 1) {
    const text = texts[at] ?? ''
    if (text === '\n') isBeforeEnd = true
    else if (isBeforeEnd) {
      texts[at] = text.replace(/ $/, '')
      isBeforeEnd = texts[at] === ''
    }
  }
  return texts
}

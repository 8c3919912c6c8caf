/** Block of WordPress in a text, with the blocks in it. The outer range includes its delimiters. */
export type Block = {
  /** Name without `core/`: `paragraph`, `acf/quote`. */
  name: string
  /** Attributes as JSON text; empty without any. */
  attributes: string
  start: number
  end: number
  innerStart: number
  innerEnd: number
  blocks: Block[]
  /** True if the block is one delimiter without content. */
  isVoid: boolean
}

type Delimiter = { kind: 'open' | 'close' | 'void'; name: string; attributes: string; start: number; end: number }

const HEAD = /<!--[ \t\r\n]+(\/)?wp:([a-z][a-z0-9_-]*\/)?([a-z][a-z0-9_-]*)[ \t\r\n]+/y
const BLANK = ' \t\r\n'

/** Returns the delimiters of blocks in their order. The time is proportional to the text. */
function* delimitersIn(text: string): Generator<Delimiter, void> {
  let at = text.indexOf('<!--')
  while (at >= 0) {
    HEAD.lastIndex = at
    const head = HEAD.exec(text)
    const end = head && text.indexOf('-->', HEAD.lastIndex)
    if (head && end === -1) return
    if (!head || end === null) {
      at = text.indexOf('<!--', at + 4)
      continue
    }
    const inner = readAttributes(text, HEAD.lastIndex, end)
    if (inner) {
      const [, closing, space = '', name = ''] = head
      const kind = closing ? 'close' : inner.isVoid ? 'void' : 'open'
      yield { kind, name: `${space === 'core/' ? '' : space}${name}`, ...inner, start: at, end: inner.end }
      at = text.indexOf('<!--', inner.end)
    } else at = text.indexOf('<!--', at + 4)
  }
}

/** Returns the attributes of a delimiter that begin at `from`. They end at the first `}` before `-->`; `end` is the first `-->`. */
const readAttributes = (
  text: string,
  from: number,
  firstEnd: number,
): { attributes: string; isVoid: boolean; end: number } | undefined => {
  for (let end = firstEnd; end >= 0; end = text.indexOf('-->', end + 3)) {
    const isVoid = text[end - 1] === '/'
    let last = isVoid ? end - 1 : end
    const mark = last
    while (last > from && BLANK.includes(text.charAt(last - 1))) last -= 1
    if (last === from) return { attributes: '', isVoid, end: end + 3 }
    if (text[from] !== '{') return undefined
    if (text[last - 1] === '}' && last < mark) return { attributes: text.slice(from, last), isVoid, end: end + 3 }
  }
  return undefined
}

/** Most nested blocks. */
const MAX_DEPTH = 16

/** Returns the blocks of a text, nested; undefined if their delimiters do not nest, or too deep. */
export const readBlocks = (text: string): Block[] | undefined => {
  const top: Block[] = []
  const open: Block[] = []
  for (const { kind, name, attributes, start, end } of delimitersIn(text)) {
    if (kind === 'close') {
      const block = open.pop()
      if (block?.name !== name) return undefined
      block.innerEnd = start
      block.end = end
      continue
    }
    const isVoid = kind === 'void'
    const block = { name, attributes, start, end, innerStart: end, innerEnd: end, blocks: [], isVoid }
    ;(open.at(-1)?.blocks ?? top).push(block)
    if (!isVoid) open.push(block)
    if (open.length > MAX_DEPTH) return undefined
  }
  return open.length === 0 ? top : undefined
}

import type { Leaf, Mark } from './blocks.ts'

/** A line as it is written: leaves, and the begins and ends of the marks around them. `pair` is the place of the other end. */
export type Piece = { kind: 'leaf'; leaf: Leaf } | { kind: 'open' | 'close'; mark: Mark; pair: number }

/** True if leaves next to each other are within the same mark: one element, or two that say the same. */
const isSame = (a: Mark, b: Mark): boolean => a === b || (a.name === b.name && a.name !== 'a')

const isBlank = (leaf: Leaf): boolean => leaf.kind === 'break' || (leaf.kind === 'text' && !/\S/.test(leaf.text))

/** The leaves of a mark in three parts: what is blank at its start and its end is outside of it. */
const peel = (leaves: readonly Leaf[]): { before: Leaf[]; inner: Leaf[]; after: Leaf[] } => {
  const start = leaves.findIndex((leaf) => !isBlank(leaf))
  if (start < 0) return { before: [...leaves], inner: [], after: [] }
  const end = leaves.findLastIndex((leaf) => !isBlank(leaf)) + 1
  const before = leaves.slice(0, start)
  const inner = leaves.slice(start, end)
  const after = leaves.slice(end)
  const first = inner[0]
  const blankStart = first?.kind === 'text' ? first.text.length - first.text.trimStart().length : 0
  if (first?.kind === 'text' && blankStart > 0) {
    before.push({ ...first, text: first.text.slice(0, blankStart) })
    inner[0] = { ...first, text: first.text.slice(blankStart) }
  }
  const last = inner.at(-1)
  const length = last?.kind === 'text' ? last.text.trimEnd().length : 0
  if (last?.kind === 'text' && length < last.text.length) {
    after.unshift({ ...last, text: last.text.slice(length) })
    inner[inner.length - 1] = { ...last, text: last.text.slice(0, length) }
  }
  return { before, inner, after }
}

const write = (leaves: readonly Leaf[], depth: number, pieces: Piece[]): void => {
  let at = 0
  while (at < leaves.length) {
    const mark = leaves[at]?.marks[depth]
    let end = at + 1
    if (mark === undefined) pieces.push({ kind: 'leaf', leaf: leaves[at] as Leaf })
    else {
      for (; end < leaves.length; end += 1) {
        const next = leaves[end]?.marks[depth]
        if (!next || !isSame(mark, next)) break
      }
      const { before, inner, after } = peel(leaves.slice(at, end))
      for (const leaf of before) pieces.push({ kind: 'leaf', leaf })
      if (inner.length > 0) {
        const open: Piece = { kind: 'open', mark, pair: 0 }
        const place = pieces.push(open) - 1
        write(inner, depth + 1, pieces)
        open.pair = pieces.push({ kind: 'close', mark, pair: place }) - 1
      }
      for (const leaf of after) pieces.push({ kind: 'leaf', leaf })
    }
    at = end
  }
}

/** Returns the pieces of a line: every mark holds something that is not blank, and is blank at neither end. */
export const piecesOf = (line: readonly Leaf[]): Piece[] => {
  const pieces: Piece[] = []
  write(line, 0, pieces)
  return pieces
}

import { wordsOf } from '../../../platform/lib/phrases.ts'
import { clip } from '../../../platform/lib/text.ts'

const PARAGRAPH = /\n\s*\n/

/** Paragraphs of at most this many characters: longer ones are cut, so that one cannot crowd out the others. */
const MAX_PARAGRAPH = 4_000

const piecesOf = (notes: string): string[] =>
  notes.split(PARAGRAPH).flatMap((paragraph) => {
    const pieces: string[] = []
    for (let at = 0; at < paragraph.length; at += MAX_PARAGRAPH) pieces.push(paragraph.slice(at, at + MAX_PARAGRAPH))
    return pieces
  })

/**
 * Notes that are short enough, or the paragraphs of them that share most words with what is being written, in their order.
 * `max` in characters.
 */
export const excerpt = (notes: string, about: string, max: number): string => {
  if (notes.length <= max) return notes
  const wanted = new Set(wordsOf(about))
  const ranked = piecesOf(notes)
    .map((text, index) => ({
      text,
      index,
      shared: wordsOf(text).filter((word) => wanted.has(word)).length / (20 + text.length / 6),
    }))
    .sort((a, b) => b.shared - a.shared || a.index - b.index)
  const kept: typeof ranked = []
  let size = 0
  for (const piece of ranked) {
    if (size + piece.text.length > max) continue
    kept.push(piece)
    size += piece.text.length + 2
  }
  if (kept.length === 0) return clip(notes, max)
  return kept
    .sort((a, b) => a.index - b.index)
    .map(({ text }) => text)
    .join('\n\n')
}

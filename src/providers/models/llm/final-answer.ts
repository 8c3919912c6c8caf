import type * as z from 'zod/mini'
import { INLINE, readEvents, VOID } from '../../../content/html/events.ts'
import { fromMarkdown } from '../../../content/html/from-markdown.ts'
import { withoutMarksInHtml } from '../../../content/html/model-marks.ts'
import { plainLine } from '../../../content/html/plain-line.ts'
import { unwrapped } from '../../../content/html/wrapping.ts'
import { isOffer, isOpener, isRefusal } from '../../../content/seo/assistant-words.ts'
import { countWords } from '../../../content/seo/words.ts'
import { withoutModelMarks } from '../../../platform/lib/model-marks.ts'
import { withoutThoughts } from '../../../platform/lib/thoughts.ts'

/** A model's answer without its thoughts. `cut`: they do not end, or nothing follows them. `declined`: it is a refusal. */
export type FinalAnswer = { kind: 'answer'; text: string } | { kind: 'cut' } | { kind: 'declined' }

/** Longest refusal, characters. A longer text is an answer, whatever its first sentence says. */
const MAX_REFUSAL = 1_000

/** Returns the final answer in the text of a model. Every call of a model reads its answer with this. */
export const finalAnswer = (given: string): FinalAnswer => {
  const { text, isCut } = withoutThoughts(given)
  if (isCut) return { kind: 'cut' }
  const said = text.trim()
  const isPlain = !/[<{]/.test(said) && !/^#{1,6} /m.test(said)
  return isPlain && said.length <= MAX_REFUSAL && isRefusal(said) ? { kind: 'declined' } : { kind: 'answer', text }
}

/** Most characters that are searched for objects, in all attempts together. */
const MAX_SEARCHED = 5_000_000

/** Returns the index after the object of JSON that begins at an index; -1 if it does not end before `limit`. */
const objectEnd = (text: string, from: number, limit: number): number => {
  let depth = 0
  let isString = false
  for (let at = from; at < limit; at += 1) {
    const sign = text[at]
    if (isString) {
      if (sign === '\\') at += 1
      else if (sign === '"') isString = false
    } else if (sign === '"') isString = true
    else if (sign === '{') depth += 1
    else if (sign === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the last object of the shape in a text, whatever is around it; undefined if there is none. */
export const jsonOf = <S extends z.ZodMiniType>(text: string, shape: S): z.infer<S> | undefined => {
  let found: z.infer<S> | undefined
  let left = MAX_SEARCHED
  const start = /\{\s*"/g
  for (let match = start.exec(text); match && left > 0; match = start.exec(text)) {
    const at = match.index
    const end = objectEnd(text, at, Math.min(text.length, at + left))
    left -= (end < 0 ? text.length : end) - at
    const json = end < 0 ? undefined : shape.safeParse(parsed(text.slice(at, end)))
    if (json?.success) found = json.data
    // An object of another shape may hold the wanted one.
    start.lastIndex = json?.success ? end : at + 1
  }
  return found
}

/** Returns a text of an answer as one plain line: without marks of Markdown, HTML and sources. */
export const lineOf = (text: string): string => plainLine(withoutModelMarks(text, true))

/** Part of an answer: a block of HTML, or text outside of blocks, which may be Markdown. */
type Piece = { text: string; isBlock: boolean }

/** Elements that may stand between the blocks of Markdown. */
const isLoose = (name: string): boolean => INLINE.has(name) || name === 'br' || name === 'img'

const piecesOf = (html: string): Piece[] => {
  const pieces: Piece[] = []
  let from = 0
  let depth = 0
  const end = (at: number, isBlock: boolean) => {
    const text = html.slice(from, at)
    if (text.trim() !== '') pieces.push({ text, isBlock })
    from = at
  }
  for (const event of readEvents(html)) {
    if (event.kind === 'open') {
      if (depth === 0 && isLoose(event.tag.name)) continue
      if (depth === 0) end(event.tag.start, false)
      if (!event.isLeaf) depth += 1
      else if (depth === 0) end(event.tag.end, true)
    } else if (event.kind === 'close' && depth > 0 && !VOID.has(event.name)) {
      depth -= 1
      if (depth === 0) end(event.end, true)
    }
  }
  end(html.length, depth > 0)
  return pieces
}

const PARAGRAPHS = /\n\s*\n/

/** Returns the text around the blocks of an answer without the model's words to its user. */
const withoutChatter = (pieces: readonly Piece[]): Piece[] =>
  pieces.map((piece, n) => {
    if (piece.isBlock) return piece
    const isEdge = (at: number, last: number) => (n === 0 && at === 0) || (n === pieces.length - 1 && at === last)
    const paragraphs = piece.text.split(PARAGRAPHS)
    const kept = paragraphs.filter(
      (paragraph, at) =>
        !(isEdge(at, paragraphs.length - 1) && (isOpener(paragraph.trim()) || isOffer(paragraph.trim()))),
    )
    return { ...piece, text: kept.join('\n\n') }
  })

/** Code block at the start of an answer, or behind one sentence that introduces it. */
const FENCE =
  /^\s*(?:[^\n`#<]{1,300}[:：.!！][*_]{0,2}\s*\n)?(`{3,}(?!`)|~{3,}(?!~))(html?|xhtml|markdown|md)?[ \t]*\n/i
const ARTICLE = /^#{1,6} \S|<(?:p|h[1-6]|ul|ol|section|article)[\s>]/im

/** Returns an answer without the marks of the code block that its article is in, and without the sentence before it. */
const withoutFence = (text: string): string => {
  const [start, fence = '', language] = FENCE.exec(text) ?? []
  if (start === undefined) return text
  const lines = text.slice(start.length).split(/\r?\n/)
  const end = lines.findLastIndex((line) => line.trim() === fence)
  const article = lines.slice(0, end < 0 ? undefined : end).join('\n')
  if (language === undefined && !ARTICLE.test(article)) return text
  return end < 0 ? article : `${article}\n\n${lines.slice(end + 1).join('\n')}`
}

/** Number of words from which a text without any mark is an article. */
const MIN_PLAIN_WORDS = 30
const MARKED = /^ {0,3}(?:#{1,6} |[-*+] |\d+[.)] |>|\|)|\*\*|\n\s*\n|\]\(/m

/**
 * Returns the HTML of an answer; undefined if it has none.
 *
 * Removes what is known to wrap: code blocks, tags and words around the article, and marks of sources. All other text stays. Text
 * outside of blocks is read as Markdown.
 */
export const htmlOf = (given: string): string | undefined => {
  const { text, isCut } = unwrapped(withoutFence(given), 'answer')
  if (isCut) return undefined
  const pieces = withoutChatter(piecesOf(text))
  const isPlain = pieces.every(({ isBlock, text: piece }) => !isBlock && !MARKED.test(piece.trim()))
  if (isPlain && countWords(text) < MIN_PLAIN_WORDS) return undefined
  const made = pieces.map((piece) => {
    if (piece.isBlock) return piece.text
    const read = fromMarkdown(piece.text)
    return typeof read === 'string' ? piece.text : read.html
  })
  return withoutMarksInHtml(made.join('\n'), true)
}

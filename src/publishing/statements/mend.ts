import { escapeText } from '../../content/html/references.ts'
import { applyEdits, type Edit } from '../../content/html/tags.ts'
import { placeIn } from './blocks.ts'
import type { Said, Use, Wording } from './find.ts'
import type { Word } from './words.ts'

/** Change of a use into a wording: an edit of its field, or the reason why it cannot be made. */
export type Mended = { edit: Edit } | { reason: string }

const startOf = (words: readonly Word[]): number => Math.min(...words.map(({ start }) => start))
const endOf = (words: readonly Word[]): number => Math.max(...words.map(({ end }) => end))

const CAPITAL = /^\p{Lu}/u

/** Returns text with a first capital if it replaces one at the start of a sentence that the old wording does not have. */
const cased = (text: string, replaced: string, old: string): string =>
  CAPITAL.test(replaced) && !CAPITAL.test(old) ? text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : text

/**
 * Returns the smallest change that makes a use say a wording: equal words at both ends stay as they are in the article.
 *
 * So the article's own form of a number or a quote stays, unless it is what changes.
 */
export const mended = (use: Use, wording: Wording): Mended => {
  const { block, field } = use
  if (block.isKept) return { reason: 'It is in a block that only the editor of the site can change.' }
  const old = use.words.slice(use.from, use.to)
  const given = wording.words
  const least = Math.min(old.length, given.length)
  let head = 0
  while (head < least && old[head]?.key === given[head]?.key) head += 1
  let tail = 0
  while (tail < least - head && old.at(-1 - tail)?.key === given.at(-1 - tail)?.key) tail += 1
  // A currency may be before its number in the article, and after it in the wording: then both change.
  if (old[head]?.key.startsWith('¤') && head > 0 && tail < old.length - head) head -= 1
  const [gone, added] = [old.slice(head, old.length - tail), given.slice(head, given.length - tail)]
  let [from, to, text] = [0, 0, '']
  if (gone.length > 0 && added.length > 0) {
    ;[from, to] = [startOf(gone), endOf(gone)]
    text = wording.text.slice(startOf(added), endOf(added))
  } else if (head > 0) {
    // Words are only added or only removed, with the signs that separate them from those before.
    from = endOf(old.slice(0, head))
    to = Math.max(from, gone.length > 0 ? endOf(gone) : from)
    text = added.length > 0 ? wording.text.slice(endOf(given.slice(0, head)), endOf(added)) : ''
  } else {
    to = startOf(old.slice(old.length - tail))
    from = gone.length > 0 ? startOf(gone) : to
    text = added.length > 0 ? wording.text.slice(startOf(added), startOf(given.slice(given.length - tail))) : ''
  }
  const place = placeIn(block, from, to)
  if (!place) return { reason: 'Markup, such as a link or bold text, begins or ends within the words to change.' }
  const first = old[0]
  if (head === 0 && first) text = cased(text, block.text.slice(from, to), use.wording.text)
  return { edit: { ...place, text: field === 'content' ? escapeText(text) : text } }
}

const COLUMN = { title: 'title', meta_description: 'metaDescription', content: 'content' } as const

/** Returns the changed fields of an article, by their names in the API. Edits that overlap an earlier one are left out. */
export const fieldsWith = (article: Said, edits: readonly { field: Use['field']; edit: Edit }[]) => {
  const fields: Partial<Record<Use['field'], string>> = {}
  for (const field of ['title', 'meta_description', 'content'] as const) {
    const own = edits.filter((one) => one.field === field).map(({ edit }) => edit)
    if (own.length === 0) continue
    const inOrder = own
      .sort((a, b) => a.start - b.start)
      .filter((edit, n, all) => n === 0 || edit.start >= (all[n - 1]?.end ?? 0))
    fields[field] = applyEdits(article[COLUMN[field]], inOrder)
  }
  return fields
}

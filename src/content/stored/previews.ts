import { decodeReferences } from '../html/references.ts'
import { applyEdits, type Edit } from '../html/tags.ts'
import { removedIds } from './given.ts'
import { keyOf, type Token, tokensOf } from './tokens.ts'

/** Kept block whose preview a caller changed. */
export type ChangedPreview = { id: string; label: string }

const keptIn = (tokens: readonly Token[]): Token[] => tokens.filter(({ kind }) => kind === 'kept')

/** Returns what is in the element of a kept block. */
const previewOf = (element: string): string => element.slice(element.indexOf('>') + 1, element.lastIndexOf('</')).trim()

const labelOf = (element: string): string =>
  decodeReferences(/\bdata-label="([^"]*)"/.exec(element)?.[1] ?? '') || 'Block'

/**
 * Returns a caller's text of an adopted article with the previews that the article has, and the kept blocks whose previews the caller
 * changed. A preview that the caller left out is put back.
 *
 * `html` is undefined if the site would show the same as the article: classes and styles of the site stay.
 */
export const withPreviews = (
  current: string,
  given: string,
): { html: string | undefined; changed: ChangedPreview[] } => {
  const [before, after] = [tokensOf(current), tokensOf(given)]
  const removed = removedIds(given)
  const known = new Map(keptIn(before).map(({ name, start, end }) => [name, current.slice(start, end)]))
  const edits: Edit[] = []
  const changed: ChangedPreview[] = []
  for (const { name: id, start, end } of keptIn(after)) {
    const own = known.get(id)
    const sent = given.slice(start, end)
    if (own === undefined || own === sent || removed.has(id)) continue
    edits.push({ start, end, text: own })
    const preview = previewOf(sent)
    if (preview !== '' && preview !== previewOf(own)) changed.push({ id, label: labelOf(own) })
  }
  const isSame = removed.size === 0 && keyOf(before) === keyOf(after)
  return { html: isSame ? undefined : applyEdits(given, edits), changed }
}

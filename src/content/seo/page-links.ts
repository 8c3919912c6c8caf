import type { TextLink } from '../html/rewrite.ts'
import { isUnspaced } from './words.ts'

/** A page of the project's own site that an article may link to. */
export type LinkablePage = { url: string; key: string; phrases: readonly string[] }

/** Shorter phrases are words of the language rather than names of a page. */
const MIN_PHRASE = 4

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Finds a phrase as it stands in HTML text: whole words, any blanks between them, in either case, never inside a reference. */
const patternOf = (phrase: string): RegExp => {
  const words = phrase.replaceAll('&', '&amp;').trim().split(/\s+/).map(escapePattern).join('\\s+')
  return isUnspaced(phrase)
    ? new RegExp(words, 'iu')
    : new RegExp(`(?<![\\p{L}\\p{N}_&#])${words}(?![\\p{L}\\p{N}_])`, 'iu')
}

const overlaps = (links: readonly TextLink[], node: number, start: number, end: number): boolean =>
  links.some((link) => link.node === node && start < link.end && end > link.start)

const firstPlace = (texts: readonly string[], phrase: string, planned: readonly TextLink[]) => {
  const pattern = patternOf(phrase)
  for (const [node, text] of texts.entries()) {
    const match = pattern.exec(text)
    if (match && !overlaps(planned, node, match.index, match.index + match[0].length))
      return { node, start: match.index, end: match.index + match[0].length }
  }
  return undefined
}

/**
 * Chooses where links to own pages can stand: on the first whole occurrence of one of a page's phrases, the longest phrases
 * first, each page once. `texts` are the text nodes links may be set in, as HTML source.
 */
export const planLinks = (texts: readonly string[], pages: readonly LinkablePage[], wanted: number): TextLink[] => {
  const planned: TextLink[] = []
  const linked = new Set<string>()
  const candidates = pages
    .flatMap(({ url, key, phrases }) => phrases.map((phrase) => ({ url, key, phrase: phrase.trim() })))
    .filter(({ phrase }) => phrase.length >= MIN_PHRASE || (phrase.length > 1 && isUnspaced(phrase)))
    .sort((a, b) => b.phrase.length - a.phrase.length)
  for (const { url, key, phrase } of candidates) {
    if (planned.length >= wanted) break
    const place = linked.has(key) ? undefined : firstPlace(texts, phrase, planned)
    if (!place) continue
    linked.add(key)
    planned.push({ ...place, url })
  }
  return planned
}

import { readDocument } from '../../../content/html/document.ts'
import { outermost, wrapPlaces } from '../../../content/html/outermost.ts'

/** Elements that Ghost's editor would flatten or drop: they are kept in a card of HTML. */
const CARDS = new Set(['dl', 'details', 'video', 'audio'])

const inCards = (html: string): string =>
  wrapPlaces(html, outermost(html, CARDS), '<!--kg-card-begin: html-->', '<!--kg-card-end: html-->')

/** Returns the id Ghost gives a heading, made of its text. */
const headingId = (text: string): string =>
  encodeURIComponent(
    text
      .trim()
      .toLowerCase()
      .replace(/[\][!"#$%&'()*+,./:;<=>?@\\^_{|}~]/g, '')
      .replace(/\s+/g, '-')
      .replace(/^-|-{2,}|-$/g, ''),
  )

/** Returns the ids Ghost will give the headings that have one, in order; the second of the same text ends in `-1`. */
const newIds = (html: string): Map<string, string> => {
  const ids = new Map<string, string>()
  const used = new Map<string, number>()
  for (const { id, text } of readDocument(html).headings) {
    const base = headingId(text)
    const count = used.get(base) ?? 0
    used.set(base, count + 1)
    if (id && !ids.has(id)) ids.set(id, count === 0 ? base : `${base}-${count}`)
  }
  return ids
}

/** HTML that Ghost keeps whole: blocks it does not know are in cards, links to headings lead to the ids it gives them. */
export const toGhostHtml = (html: string): string => {
  if (!/href\s*=\s*["']?#/i.test(html)) return inCards(html)
  const ids = newIds(html)
  return inCards(
    html.replace(/(\bhref\s*=\s*["']?#)([^"'\s>]+)/gi, (whole, before: string, id: string) =>
      ids.has(id) ? `${before}${ids.get(id)}` : whole,
    ),
  )
}

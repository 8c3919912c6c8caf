import { plainText } from '../../lib/document.ts'

/** What Ghost's editor has no block for and would flatten or drop: kept as it is, in a card of HTML. */
const CARDS = /<(\/?)(dl|details|video|audio)\b[^>]*>/gi

const inCards = (html: string): string => {
  let out = ''
  let depth = 0
  let at = 0
  let start = 0
  let tag = ''
  for (const match of html.matchAll(CARDS)) {
    const name = match[2]?.toLowerCase() ?? ''
    if (depth > 0 && name !== tag) continue
    depth += match[1] ? -1 : 1
    if (depth < 0) depth = 0
    else if (!match[1] && depth === 1) {
      start = match.index
      tag = name
    } else if (match[1] && depth === 0) {
      const end = match.index + match[0].length
      out += `${html.slice(at, start)}<!--kg-card-begin: html-->${html.slice(start, end)}<!--kg-card-end: html-->`
      at = end
    }
  }
  return out + html.slice(at)
}

/** The id Ghost gives a heading, made of its text. */
const headingId = (text: string): string =>
  encodeURIComponent(
    text
      .trim()
      .toLowerCase()
      .replace(/[\][!"#$%&'()*+,./:;<=>?@\\^_{|}~]/g, '')
      .replace(/\s+/g, '-')
      .replace(/^-|-{2,}|-$/g, ''),
  )

/** The ids Ghost will give the headings that have one, in order; the second of the same text ends in `-1`. */
const newIds = (html: string): Map<string, string> => {
  const ids = new Map<string, string>()
  const used = new Map<string, number>()
  for (const [, , attributes = '', inner = ''] of html.matchAll(/<(h[1-6])\b([^>]*)>([\s\S]*?)<\/\1>/gi)) {
    const base = headingId(plainText(inner.replace(/<[^>]*>/g, '')))
    const count = used.get(base) ?? 0
    used.set(base, count + 1)
    const id = /\bid\s*=\s*["']?([^"'\s>]+)/i.exec(attributes)?.[1]
    if (id && !ids.has(id)) ids.set(id, count === 0 ? base : `${base}-${count}`)
  }
  return ids
}

/** HTML that Ghost keeps whole: blocks it does not know stand in cards, links to headings lead to the ids it gives them. */
export const toGhostHtml = (html: string): string => {
  if (!/href\s*=\s*["']?#/i.test(html)) return inCards(html)
  const ids = newIds(html)
  return inCards(
    html.replace(/(\bhref\s*=\s*["']?#)([^"'\s>]+)/gi, (whole, before: string, id: string) =>
      ids.has(id) ? `${before}${ids.get(id)}` : whole,
    ),
  )
}

import { clip, storableText } from '../../platform/lib/text.ts'
import { readDocument } from '../html/document.ts'
import { readPageHead } from '../html/page.ts'
import { collapse } from '../html/references.ts'

/** Data of a page of a site. Texts are plain and storable; links are absolute. */
export type SitePage = {
  title: string
  siteName: string
  description: string
  lang: string
  headings: string[]
  links: URL[]
  noindex: boolean
}

const MAX_TITLE = 300
const MAX_DESCRIPTION = 1_000
const MAX_HEADING = 150

const tidy = (text: string, max: number): string => clip(storableText(collapse(text)), max).trim()

const absolute = (href: string, base: string): URL | undefined => {
  const url = URL.parse(href, base)
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/** Reads a page: title, name of the site, description, language, headings of the first three levels, links. Never throws. */
export const readSitePage = (html: string, address: URL): SitePage => {
  const head = readPageHead(html)
  const document = readDocument(html)
  const meta = (...names: string[]) =>
    names.map((name) => head.meta.get(name) ?? '').find((text) => text.trim() !== '') ?? ''
  const base = URL.parse(head.base, address)?.href ?? address.href
  const headings = document.headings.filter(({ level }) => level <= 3).map(({ text }) => tidy(text, MAX_HEADING))
  const first = document.headings.find(({ level }) => level === 1)?.text ?? ''
  return {
    title: tidy(head.title, MAX_TITLE) || tidy(meta('og:title'), MAX_TITLE) || tidy(first, MAX_TITLE),
    siteName: tidy(meta('og:site_name', 'application-name'), MAX_HEADING),
    description: tidy(meta('description', 'og:description'), MAX_DESCRIPTION),
    lang: head.lang.trim() || meta('content-language', 'og:locale'),
    headings: headings.filter((text) => text !== ''),
    links: document.links.flatMap(({ href, rel }) => (rel.includes('nofollow') ? [] : (absolute(href, base) ?? []))),
    noindex: head.noindex,
  }
}

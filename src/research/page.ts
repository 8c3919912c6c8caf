import { decodeReferences, plainText, readDocument } from '../lib/document.ts'
import { clip, storableText } from '../lib/text.ts'

/** What a page of a site says of itself. Texts are plain and storable; links are absolute. */
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
const SNIFFED_BYTES = 1_024

const tidy = (text: string, max: number): string => clip(storableText(plainText(text)), max).trim()

/** The text of a page in the character set its header or its first kilobyte names, else UTF-8. */
export const decodePage = (bytes: Uint8Array, contentType: string): string => {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, SNIFFED_BYTES))
  const label =
    /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ?? /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1]
  try {
    return new TextDecoder(label ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

type Head = { title: string; titles: number; lang: string; base: string; meta: Map<string, string> }

const readHead = async (html: string): Promise<Head> => {
  const head: Head = { title: '', titles: 0, lang: '', base: '', meta: new Map() }
  const rewriter = new HTMLRewriter()
    .on('html', {
      element(e) {
        head.lang ||= e.getAttribute('lang') ?? e.getAttribute('xml:lang') ?? ''
      },
    })
    .on('base', {
      element(e) {
        head.base ||= decodeReferences(e.getAttribute('href') ?? '')
      },
    })
    .on('title', {
      element() {
        head.titles += 1
      },
      text(chunk) {
        // The first one is the page's: drawings have titles too.
        if (head.titles === 1) head.title += chunk.text
      },
    })
    .on('meta', {
      element(e) {
        const name = (e.getAttribute('name') ?? e.getAttribute('property') ?? '').trim().toLowerCase()
        if (name !== '' && !head.meta.has(name)) head.meta.set(name, e.getAttribute('content') ?? '')
      },
    })
  const source = new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  await rewriter.transform(source).text()
  return head
}

const absolute = (href: string, base: string): URL | undefined => {
  const url = URL.parse(href, base)
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/** Reads a page: title, name of the site, description, language, headings of the first three levels, links. Never throws. */
export const readSitePage = async (html: string, address: URL): Promise<SitePage> => {
  const [head, document] = await Promise.all([readHead(html), readDocument(html)])
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
    noindex: /\b(noindex|none)\b/i.test(meta('robots')),
  }
}

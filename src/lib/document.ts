/** A link as it stands in the text. */
export type DocumentLink = {
  href: string
  /** Lower-case words of `rel`. */
  rel: readonly string[]
  text: string
}

type DocumentHeading = { level: number; text: string; id: string }

/** A paragraph, list item, table cell, quotation or caption: what is read in one go. */
type DocumentBlock = { tag: string; text: string; links: number }

/** What a reader, a search engine or a check sees of an HTML fragment. */
export type HtmlDocument = {
  headings: DocumentHeading[]
  links: DocumentLink[]
  images: { src: string; alt: string | null }[]
  blocks: DocumentBlock[]
  /** All visible text in order, headings included, blanks collapsed. */
  text: string
  /** `id` attributes of all elements, in order, repeated ones included. */
  ids: string[]
}

const BLOCKS = 'p, li, td, th, dd, dt, blockquote, figcaption, pre, caption, summary'
const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  copy: '©',
  reg: '®',
  trade: '™',
  eacute: 'é',
  euro: '€',
  shy: '',
}

const codePoint = (code: number): string =>
  code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\uFFFD'

/** Text with its character references resolved: numeric ones, and the named ones that texts use. */
export const decodeReferences = (text: string): string =>
  text.includes('&')
    ? text
        .replace(/&#x([0-9a-f]{1,6});?/gi, (_, digits: string) => codePoint(Number.parseInt(digits, 16)))
        .replace(/&#(\d{1,7});?/g, (_, digits: string) => codePoint(Number(digits)))
        .replace(/&([a-z]{2,8});/gi, (whole, name: string) => NAMED[name] ?? NAMED[name.toLowerCase()] ?? whole)
    : text

/** Text as it is read: references resolved, runs of blanks made one space. */
export const plainText = (raw: string): string => decodeReferences(raw).replace(/\s+/g, ' ').trim()

/** Elements inside a word or sentence: they end neither. */
const INLINE = /^(a|abbr|b|bdi|cite|code|em|i|kbd|mark|q|s|small|span|strong|sub|sup|u|var|wbr)$/
const UNSEEN = 'script, style, noscript, template, svg, head title'

type Open = { tag: string; append: (raw: string) => void; close: () => void }

/**
 * Reads an HTML fragment or page with the runtime's own parser (HTMLRewriter). What cannot be parsed at its end is left
 * out. Never throws for what the HTML holds.
 */
export const readDocument = async (html: string): Promise<HtmlDocument> => {
  const document: HtmlDocument = { headings: [], links: [], images: [], blocks: [], text: '', ids: [] }
  const open = new Set<Open>()
  let raw = ''
  let unseen = 0
  const read = (text: string) => {
    raw += text
    for (const entry of open) entry.append(text)
  }
  const collect = (element: Element, use: (text: string) => void) => {
    let text = ''
    const entry: Open = {
      tag: element.tagName,
      append: (more) => {
        text += more
      },
      close: () => {
        open.delete(entry)
        use(plainText(text))
      },
    }
    open.add(entry)
    element.onEndTag(() => entry.close())
  }
  const rewriter = new HTMLRewriter()
    .on('*', {
      element(e) {
        if (!INLINE.test(e.tagName)) {
          read(' ')
          // A paragraph ends where the next block begins, whether it says so or not.
          for (const entry of [...open]) if (entry.tag === 'p') entry.close()
        }
        const id = e.getAttribute('id')
        if (id) document.ids.push(decodeReferences(id))
      },
    })
    .on(UNSEEN, {
      element(e) {
        unseen += 1
        e.onEndTag(() => {
          unseen -= 1
        })
      },
    })
    .on('h1, h2, h3, h4, h5, h6', {
      element(e) {
        const heading: DocumentHeading = {
          level: Number(e.tagName[1]),
          text: '',
          id: decodeReferences(e.getAttribute('id') ?? ''),
        }
        document.headings.push(heading)
        collect(e, (text) => {
          heading.text = text
        })
      },
    })
    .on(BLOCKS, {
      element(e) {
        const block: DocumentBlock = { tag: e.tagName, text: '', links: 0 }
        const before = document.links.length
        document.blocks.push(block)
        collect(e, (text) => {
          block.text = text
          block.links = document.links.length - before
        })
      },
    })
    .on('a', {
      element(e) {
        const href = e.getAttribute('href')
        if (href === null) return
        const rel = (e.getAttribute('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
        const link = { href: decodeReferences(href).trim(), rel, text: '' }
        document.links.push(link)
        collect(e, (text) => {
          link.text = text
        })
      },
    })
    .on('img', {
      element(e) {
        const alt = e.getAttribute('alt')
        document.images.push({
          src: decodeReferences(e.getAttribute('src') ?? ''),
          alt: alt === null ? null : plainText(alt),
        })
      },
    })
    .onDocument({
      text(chunk) {
        if (unseen === 0) read(chunk.text)
      },
    })
  const source = new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  await rewriter.transform(source).text()
  for (const entry of [...open]) entry.close()
  document.text = plainText(raw)
  return document
}

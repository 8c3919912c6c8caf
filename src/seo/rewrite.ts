import type { PlannedLink } from './page-links.ts'

const HEADINGS = 'h1, h2, h3, h4, h5, h6'
/** Where no link is set: links, headings, code, other people's words, lists of links. */
const UNLINKABLE = 'a, h1, h2, h3, h4, h5, h6, code, pre, kbd, samp, blockquote, q, nav, summary, caption, th, iframe'

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const transform = async (rewriter: { transform: (source: Response) => Response }, html: string): Promise<string> =>
  await rewriter.transform(new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })).text()

type Chunk = {
  text: string
  lastInTextNode: boolean
  remove: () => unknown
  replace: (content: string, options: { html: boolean }) => unknown
}

/** Visits text nodes links may stand in, each as a whole; what `change` gives back replaces it. */
const textVisitor = (change: (text: string, node: number) => string | undefined) => {
  let closed = 0
  let node = -1
  let held = ''
  return {
    unlinkable: {
      element(e: Element) {
        closed += 1
        e.onEndTag(() => {
          closed -= 1
        })
      },
    },
    text: {
      text(chunk: Chunk) {
        if (closed > 0) return
        held += chunk.text
        if (!chunk.lastInTextNode) {
          chunk.remove()
          return
        }
        node += 1
        const whole = held
        held = ''
        chunk.replace(change(whole, node) ?? whole, { html: true })
      },
    },
  }
}

/** The text nodes of a fragment that links may be set in, as source. */
export const linkableTexts = async (html: string): Promise<string[]> => {
  const texts: string[] = []
  const visitor = textVisitor((text) => {
    texts.push(text)
    return undefined
  })
  await transform(new HTMLRewriter().on(UNLINKABLE, visitor.unlinkable).onDocument(visitor.text), html)
  return texts
}

const withLinks = (text: string, links: readonly PlannedLink[]): string =>
  [...links]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (html, { start, end, url }) =>
        `${html.slice(0, start)}<a href="${escapeHtml(url)}">${html.slice(start, end)}</a>${html.slice(end)}`,
      text,
    )

/** Sets links into text nodes; all else stays byte for byte. */
export const setLinks = async (html: string, links: readonly PlannedLink[]): Promise<string> => {
  if (links.length === 0) return html
  const visitor = textVisitor((text, node) => {
    const here = links.filter((link) => link.node === node)
    return here.length === 0 ? undefined : withLinks(text, here)
  })
  return await transform(new HTMLRewriter().on(UNLINKABLE, visitor.unlinkable).onDocument(visitor.text), html)
}

const contentsOf = (entries: readonly { id: string; text: string }[]): string => {
  const items = entries.map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`)
  return `<nav class="toc"><ul>${items.join('')}</ul></nav>`
}

/** What the headings of a fragment become: new ids in their order (undefined: the id stays), and the entries of a table of contents where one is wanted. */
export type Outline = { ids: readonly (string | undefined)[]; contents: readonly { id: string; text: string }[] }

/** Writes new heading ids, puts the table of contents before the first H2, and makes every image but the first lazy. */
export const setStructure = async (html: string, { ids, contents }: Outline): Promise<string> => {
  let heading = -1
  let image = -1
  let isListed = contents.length === 0
  const rewriter = new HTMLRewriter()
    .on(HEADINGS, {
      element(e) {
        heading += 1
        const id = ids[heading]
        if (id !== undefined) e.setAttribute('id', id)
        if (isListed || e.tagName !== 'h2') return
        isListed = true
        e.before(contentsOf(contents), { html: true })
      },
    })
    .on('img', {
      element(e) {
        image += 1
        if (image > 0 && e.getAttribute('loading') === null) e.setAttribute('loading', 'lazy')
      },
    })
  return await transform(rewriter, html)
}

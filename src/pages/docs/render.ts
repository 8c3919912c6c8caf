import createRenderer from 'markdown-it'
import { anchorOf } from '../../platform/lib/text.ts'
import { highlighted } from './highlight.ts'

/** Returns the address of a link in a document. Links to other documents lead to their pages; other links stay as written. */
const pageOf = (href: string, file: string): string => {
  if (/^[a-z]+:|^#|^\//i.test(href)) return href
  const { pathname, hash } = new URL(href, `http://docs/docs/${file}`)
  return `${pathname.replace(/\.md$/, '')}${hash}`
}

const renderer = createRenderer({
  html: false,
  linkify: false,
  highlight: (code, language) => highlighted(code, language),
})
renderer.renderer.rules.table_open = () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'
renderer.renderer.rules.table_close = () => '</table></div>'
/** An empty table head becomes a plain cell, so screen readers do not announce a column. */
renderer.renderer.rules.th_open = (tokens, at, options, _env, self) => {
  const [open, text, close] = tokens.slice(at, at + 3)
  if (open && close && text?.content === '') {
    open.tag = 'td'
    close.tag = 'td'
  }
  return self.renderToken(tokens, at, options)
}
renderer.renderer.rules.heading_open = (tokens, at, options, _env, self) => {
  const token = tokens[at]
  token?.attrSet('id', anchorOf(tokens[at + 1]?.content ?? ''))
  return self.renderToken(tokens, at, options)
}
renderer.renderer.rules.link_open = (tokens, at, options, env, self) => {
  const token = tokens[at]
  token?.attrSet('href', pageOf(String(token.attrGet('href') ?? ''), String(env?.file ?? '')))
  return self.renderToken(tokens, at, options)
}
const image = renderer.renderer.rules.image
renderer.renderer.rules.image = (tokens, at, options, env, self) => {
  const token = tokens[at]
  token?.attrSet('src', pageOf(String(token.attrGet('src') ?? ''), String(env?.file ?? '')))
  return image?.(tokens, at, options, env, self) ?? ''
}
const fence = renderer.renderer.rules.fence
/** A block can be scrolled by keyboard. One with a file's name after its language shows that name. */
renderer.renderer.rules.fence = (tokens, at, options, env, self) => {
  const file = tokens[at]?.info.trim().split(' ')[1]
  const block = (fence?.(tokens, at, options, env, self) ?? '').replace('<pre>', '<pre tabindex="0">')
  return file === undefined ? block : `<p class="file"><code>${renderer.utils.escapeHtml(file)}</code></p>${block}`
}

/** Documents with alternative instructions below third-level headings. They become tabs. */
export const TABBED: ReadonlySet<string> = new Set(['quickstart.md'])

/** Turns the parts below third-level headings into tabs. Each group is a set of `details` elements, which need no script. */
const withTabs = (html: string): string =>
  html
    .split(/(?=<h2 )/)
    .map((part) => {
      const [head = '', ...tabs] = part.split(/(?=<h3 )/)
      if (tabs.length === 0) return part
      const details = tabs.map((tab, n) => {
        const [heading = '', id = '', title = ''] = /^<h3 id="([^"]*)">(.*?)<\/h3>/.exec(tab) ?? []
        const body = tab.slice(heading.length)
        return `<details name="way"${n === 0 ? ' open' : ''}><summary id="${id}">${title}</summary>${body}</details>`
      })
      return `${head}<div class="tabs">${details.join('')}</div>`
    })
    .join('')

/** Document as HTML, and its second-level headings. */
export type Rendering = { html: string; headings: { id: string; title: string }[] }

/** Renders a document of the service. `file` is its path below `docs`, to which its links are relative. */
export const renderDocument = (markdown: string, file: string): Rendering => {
  const html = renderer.render(markdown, { file })
  const headings = [...html.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/g)].map(([, id = '', title = '']) => ({ id, title }))
  return { html: TABBED.has(file) ? withTabs(html) : html, headings }
}

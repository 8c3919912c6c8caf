import createRenderer from 'markdown-it'
import { anchorOf } from '../../lib/anchor.ts'

/** Returns the address of a link in a document: other documents by their page, everything else as it is written. */
const pageOf = (href: string, file: string): string => {
  if (/^[a-z]+:|^#|^\//i.test(href)) return href
  const { pathname, hash } = new URL(href, `http://docs/docs/${file}`)
  return `${pathname.replace(/\.md$/, '')}${hash}`
}

const renderer = createRenderer({ html: false, linkify: false })
renderer.renderer.rules.table_open = () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'
renderer.renderer.rules.table_close = () => '</table></div>'
/** A head without words is an empty cell: readers of screens announce no column then. */
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
renderer.renderer.rules.fence = (tokens, at, options, env, self) =>
  (fence?.(tokens, at, options, env, self) ?? '').replace('<pre>', '<pre tabindex="0">')

/** Renders a document of ours as HTML. `file` is its path below `docs`, which its links are relative to. */
export const renderDocument = (markdown: string, file: string): string => renderer.render(markdown, { file })

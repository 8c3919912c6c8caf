import { topBlocks } from '../html/blocks.ts'
import { readEvents } from '../html/events.ts'

type Element = { name: string; tag: string; inner: string }

/** Returns the outermost element of HTML; undefined if the HTML does not begin with one. */
const elementOf = (html: string): Element | undefined => {
  let depth = 0
  let first: { name: string; end: number; tag: string } | undefined
  for (const event of readEvents(html)) {
    if (event.kind === 'open') {
      const { name, start, end } = event.tag
      first ??= { name, end, tag: html.slice(start, end) }
      if (event.isLeaf && depth === 0) return { name, tag: first.tag, inner: '' }
      if (!event.isLeaf) depth += 1
    } else if (event.kind === 'close') {
      depth -= 1
      if (depth === 0 && first) return { name: first.name, tag: first.tag, inner: html.slice(first.end, event.at) }
    } else if (!first && event.kind === 'text' && html.slice(event.start, event.end).trim() !== '') return undefined
  }
  return undefined
}

const wrapped = (name: string, html: string, attributes = ''): string =>
  `<!-- wp:${name}${attributes === '' ? '' : ` ${attributes}`} -->\n${html}\n<!-- /wp:${name} -->`

const inLineOf = (html: string): string => html.trim().replace(/\s*\n\s*/g, ' ')

const listOf = (name: 'ul' | 'ol', inner: string): string => {
  const items = topBlocks(inner.trim()).map(([item]) => {
    const html = elementOf(item)?.inner ?? item
    const blocks = topBlocks(html.trim())
    const text = blocks.map(([block]) => {
      const element = elementOf(block)
      if (element?.name === 'ul' || element?.name === 'ol') return listOf(element.name, element.inner)
      return element?.name === 'p' ? inLineOf(element.inner) : inLineOf(block)
    })
    return wrapped('list-item', `<li>${text.join('')}</li>`)
  })
  return wrapped(
    'list',
    `<${name} class="wp-block-list">${items.join('\n\n')}</${name}>`,
    name === 'ol' ? '{"ordered":true}' : '',
  )
}

const pictureOf = (html: string): string | undefined => {
  const image = /<img\b[^>]*>/i.exec(html)?.[0]
  if (image === undefined) return undefined
  const caption = /<figcaption\b[^>]*>([\s\S]*?)<\/figcaption>/i.exec(html)?.[1]
  const tag = image.replace(/\s*\/?>$/, '/>')
  const words = caption === undefined ? '' : `<figcaption class="wp-element-caption">${inLineOf(caption)}</figcaption>`
  return wrapped('image', `<figure class="wp-block-image">${tag}${words}</figure>`)
}

/** Returns a new element as WordPress’s editor writes it. An element that the editor does not have is a block of HTML. */
export const blockOf = (html: string): string => {
  const element = elementOf(html)
  if (!element) return wrapped('paragraph', `<p>${inLineOf(html)}</p>`)
  const { name, inner } = element
  const level = /^h([2-6])$/.exec(name)?.[1]
  if (level !== undefined)
    return wrapped(
      'heading',
      `<${name} class="wp-block-heading">${inLineOf(inner)}</${name}>`,
      level === '2' ? '' : `{"level":${level}}`,
    )
  if (name === 'p') return pictureAlone(inner) ?? wrapped('paragraph', `<p>${inLineOf(inner)}</p>`)
  if (name === 'ul' || name === 'ol') return listOf(name, inner)
  if (name === 'blockquote') {
    const parts = topBlocks(inner.trim()).map(([part]) => blockOf(part))
    return wrapped('quote', `<blockquote class="wp-block-quote">${parts.join('\n\n')}</blockquote>`)
  }
  if (name === 'hr') return wrapped('separator', '<hr class="wp-block-separator has-alpha-channel-opacity"/>')
  if (name === 'table')
    return wrapped(
      'table',
      `<figure class="wp-block-table"><table class="has-fixed-layout">${inner.trim()}</table></figure>`,
    )
  if (name === 'pre') {
    const code = elementOf(inner)
    return code?.name === 'code'
      ? wrapped('code', `<pre class="wp-block-code"><code>${code.inner}</code></pre>`)
      : wrapped('preformatted', `<pre class="wp-block-preformatted">${inner}</pre>`)
  }
  if (name === 'img' || name === 'figure') return pictureOf(html) ?? wrapped('html', html)
  return wrapped('html', html)
}

const pictureAlone = (inner: string): string | undefined =>
  /^\s*<img\b[^>]*>\s*$/i.test(inner) ? pictureOf(inner) : undefined

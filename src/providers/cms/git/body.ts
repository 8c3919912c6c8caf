import { fromMarkdown } from '../../../content/html/from-markdown.ts'
import { toMarkdown } from '../../../content/html/markdown/gfm.ts'

/** Generators of sites that are recognized. `other` gets plain Markdown. */
export const GENERATORS = ['astro', 'hugo', 'next', 'eleventy', 'jekyll', 'docusaurus', 'other'] as const
export type Generator = (typeof GENERATORS)[number]

const FENCE = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)*(`{3,})[^`]*$/
const CODE_SPAN = /((?<![\\`])(`+)(?!`)[^\n]*?(?<!`)\2(?!`))/

/** Returns Markdown with each line changed that is outside of code. Code spans stay too. */
const outsideCode = (markdown: string, change: (text: string, isStart: boolean) => string): string => {
  let fence: string | undefined
  const lines = markdown.split('\n').map((line) => {
    const [, ticks] = FENCE.exec(line) ?? []
    if (fence !== undefined) {
      if (ticks !== undefined && ticks.length >= fence.length) fence = undefined
      return line
    }
    if (ticks !== undefined) {
      fence = ticks
      return line
    }
    const parts = line.split(CODE_SPAN)
    // Every match adds its text and its backticks to the parts.
    return parts.map((part, n) => (n % 3 === 0 ? change(part, n === 0) : n % 3 === 1 ? part : '')).join('')
  })
  return lines.join('\n')
}

/** Returns Markdown that MDX reads as the same text: braces and `<` are signs there, and elements must be closed. */
const forMdx = (markdown: string): string =>
  outsideCode(markdown, (text, isStart) => {
    const escaped = text
      .replace(/[{}]/g, '\\$&')
      .replace(/(?<!\\)<(?=[\s\d=]|$)/g, '\\<')
      .replaceAll('<!-- -->', '{/* */}')
      .replace(/<(br|hr|img\b[^<>]*[^<>/])>/g, '<$1 />')
    // A line of code would begin here.
    return isStart
      ? escaped.replace(/^[ei](?=(?:x|m)port(?![\p{L}\p{N}]))/u, (letter) => `&#${letter.charCodeAt(0)};`)
      : escaped
  })

/** Returns text in which no tag of Liquid or Nunjucks begins. They run in code too. */
const forLiquid = (markdown: string): string => markdown.replace(/\{[{%]/g, (sign) => `{{ "${sign}" }}`)

/** Word joiner, an invisible character without width. It keeps a sign from being read as a shortcode. */
const JOINER = '\u2060'
const forHugo = (markdown: string): string => markdown.replace(/\{\{(?=[<%])/g, `{{${JOINER}`)

/** Returns an article's text in the Markdown that a generator reads from a file with this name. */
export const bodyOf = (html: string, generator: Generator, path: string): string => {
  const markdown = toMarkdown(html)
  // Docusaurus compiles `.md` as MDX too.
  if (path.endsWith('.mdx') || generator === 'docusaurus') return forMdx(markdown)
  if (generator === 'jekyll' || generator === 'eleventy') return forLiquid(markdown)
  return generator === 'hugo' ? forHugo(markdown) : markdown
}

/** Returns a file's Markdown as HTML, for comparisons of its words. */
export const htmlOf = (markdown: string): string => {
  const plain = markdown
    .replace(/\{\{ "(\{[{%])" \}\}/g, '$1')
    .replaceAll(JOINER, '')
    .replace(/\\([{}])/g, '$1')
  const read = fromMarkdown(plain)
  return typeof read === 'string' ? '' : read.html
}

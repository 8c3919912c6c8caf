import { ENDS_PARAGRAPH } from '../events.ts'
import { type HtmlElement, type HtmlNode, isElement } from '../tree.ts'
import type { Block } from './blocks.ts'
import { isHidden } from './table.ts'

/** Elements that readers do not see. */
export const LEFT_OUT = new Set(
  'script style noscript template textarea title head svg annotation annotation-xml datalist rp'.split(' '),
)
/** Elements that begin a block. */
export const BLOCKS = new Set([
  ...ENDS_PARAGRAPH,
  'body',
  'html',
  'tr',
  'td',
  'th',
  'thead',
  'tbody',
  'tfoot',
  'caption',
])

/** Returns the text of preformatted code. Breaks and blocks in it begin new lines. */
const codeText = (nodes: readonly HtmlNode[]): string => {
  const parts: string[] = []
  const startLine = () => {
    const last = parts.at(-1)
    if (last !== undefined && !last.endsWith('\n')) parts.push('\n')
  }
  const read = (list: readonly HtmlNode[]): void => {
    for (const node of list) {
      if (!isElement(node)) {
        if (node.text !== '') parts.push(node.text.replace(/\r\n?/g, '\n'))
      } else if (node.tag === 'br') parts.push('\n')
      else if (!isHidden(node) && !LEFT_OUT.has(node.tag)) {
        const isBlock = BLOCKS.has(node.tag)
        if (isBlock) startLine()
        read(node.children)
        if (isBlock) startLine()
      }
    }
  }
  read(nodes)
  return parts.join('').replace(/^\n|\n$/g, '')
}

const languageOf = (pre: HtmlElement): string => {
  const code = pre.children.find((child) => isElement(child) && child.tag === 'code')
  const classes = [pre, code].map((node) => (node && isElement(node) ? (node.attributes.class ?? '') : '')).join(' ')
  return /(?:^|\s)(?:language|lang)-([\w#+.-]+)/.exec(classes)?.[1] ?? ''
}

/** Returns preformatted code as a block; none if it has only whitespace. */
export const codeBlocks = (pre: HtmlElement): Block[] => {
  const text = codeText(pre.children)
  return /\S/.test(text) ? [{ kind: 'code', language: languageOf(pre), text }] : []
}

import { ENDS_PARAGRAPH } from '../events.ts'
import { type HtmlElement, type HtmlNode, isElement } from '../tree.ts'
import type { Block } from './blocks.ts'

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
      else if (!LEFT_OUT.has(node.tag)) {
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

/** Class that names a language: HTML's own, and those of GitHub, SyntaxHighlighter, Crayon, highlight.js and Pandoc. */
const LANGUAGE =
  /(?:^|\s)(?:(?:language|lang|highlight-source)-|(?:brush|lang):\s*|(?:hljs|sourceCode)\s+(?!hljs|lang|number))([\w#+.-]+)/

/** The classes of a box around code. `lang-en` on a page is a language of people. */
const BOX_LANGUAGE = /(?:^|\s)(?:language|highlight-source)-([\w#+.-]+)/

/** Returns the language that the class of a box around code names; '' if there is none. */
export const languageOfBox = ({ attributes }: HtmlElement): string =>
  BOX_LANGUAGE.exec(attributes.class ?? '')?.[1] ?? ''

/** Returns the language that an element's class or `data-language` names; '' if there is none. */
const languageIn = ({ attributes }: HtmlElement): string =>
  LANGUAGE.exec(attributes.class ?? '')?.[1] ?? /^[\w#+.-]+$/.exec(attributes['data-language'] ?? '')?.[0] ?? ''

/** Returns preformatted code as a block; none if it has only whitespace. `around` is the language of the box around it. */
export const codeBlocks = (pre: HtmlElement, { language: around }: { language: string }): Block[] => {
  const text = codeText(pre.children)
  const code = pre.children.filter(isElement).find(({ tag }) => tag === 'code')
  const language = languageIn(pre) || (code ? languageIn(code) : '') || around
  return /\S/.test(text) ? [{ kind: 'code', language, text }] : []
}

import type { HtmlDocument } from '../html/document.ts'
import { type Check, named } from './finding.ts'

/** Beginning of a passage that was meant to be a heading or a fenced block. */
const BLOCK = /^(?:#{1,6} \S|```|~~~)/
/** The same anywhere in text without any block, whose line ends are lost. */
const LOOSE_BLOCK = / (?:#{2,6} \S|```)/
/** Bold text and links as Markdown writes them. */
const INLINE = /\*\*[^*\s][^*]{0,200}\*\*|\[[^[\]]{1,200}\]\((?:https?:\/\/|\/|#|mailto:)[^()\s]{0,500}\)/
/** Markup that an article has and code about it seldom does: headings of Markdown or blocks of HTML. */
const ARTICLE = /(?:^|\s)#{1,6} \S|<(?:h[1-6]|p)[\s>]/i
/** The share of a text in a code block that makes it the whole article. */
const WHOLE = 0.8
const SHOWN = 60

/** Passages that read as Markdown: each begins where the mark stands. Code shows marks on purpose. */
const marksIn = ({ blocks, passages }: HtmlDocument): string[] =>
  passages.flatMap((passage) => {
    if (BLOCK.test(passage) || (blocks.length === 0 && LOOSE_BLOCK.test(passage))) return [passage.slice(0, SHOWN)]
    const found = INLINE.exec(passage)
    return found ? [found[0].slice(0, SHOWN)] : []
  })

const codeAround = ({ blocks, text }: HtmlDocument): string | undefined =>
  blocks.find((block) => block.tag === 'pre' && block.text.length >= WHOLE * text.length && ARTICLE.test(block.text))
    ?.text

/** Marks of Markdown that readers would see as they are, and an article that stands in a code block. */
export const markdownInHtml: Check = (document) => {
  const article = codeAround(document)
  if (article !== undefined)
    return {
      message: `The content is a code block that holds an article: ${named([article.slice(0, SHOWN)])}.`,
      fix: 'Send the article without the code block around it.',
    }
  const marks = marksIn(document)
  if (marks.length === 0) return null
  return {
    message: `The content is HTML, but looks like Markdown: ${named(marks)}.`,
    fix: 'Send Markdown with content_format "markdown". Where that was sent, its marks could not be read: leave no blanks within them, or write HTML such as <strong>.',
  }
}

import type { HtmlDocument } from '../html/document.ts'
import { type Check, named } from './finding.ts'

/** What a paragraph begins with that was meant to be a heading or a fenced block. */
const BLOCK = /^(?:#{1,6} \S|```)/
/** The same anywhere in text without any block, whose line ends are lost. */
const LOOSE_BLOCK = / (?:#{2,6} \S|```)/
/** Bold text and links as Markdown writes them. */
const INLINE = /\*\*[^*\s][^*]{0,200}\*\*|\[[^[\]]{1,200}\]\((?:https?:\/\/|\/|#|mailto:)[^()\s]{0,500}\)/
/** Text of these shows marks on purpose, or is no running text. */
const SHOWN_AS_IS = new Set(['pre'])
const SHOWN = 60

/** Passages that read as Markdown: each begins where the mark stands. */
const marksIn = ({ blocks, text }: HtmlDocument): string[] => {
  const running = blocks.filter(({ tag }) => !SHOWN_AS_IS.has(tag)).map((block) => block.text)
  const loose = blocks.length === 0 ? [text] : running
  return loose.flatMap((passage) => {
    if (BLOCK.test(passage) || (blocks.length === 0 && LOOSE_BLOCK.test(passage))) return [passage.slice(0, SHOWN)]
    const found = INLINE.exec(passage)
    return found ? [found[0].slice(0, SHOWN)] : []
  })
}

/** Marks of Markdown that readers would see as they are, because content is HTML. */
export const markdownInHtml: Check = (document) => {
  const marks = marksIn(document)
  if (marks.length === 0) return null
  return {
    message: `The content is HTML, but looks like Markdown: ${named(marks)}.`,
    fix: 'Send it with content_format "markdown", or turn the marks into HTML.',
  }
}

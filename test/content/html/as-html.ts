import { fromMarkdown } from '../../../src/content/html/from-markdown.ts'

/** Returns Markdown as HTML. Throws if it is refused. */
export const asHtml = (markdown: string): string => {
  const made = fromMarkdown(markdown)
  if (typeof made === 'string') throw new Error(`refused: ${made}`)
  return made.html
}

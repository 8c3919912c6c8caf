import { readDocument } from '../../src/html/document.ts'
import { withoutHidden } from '../../src/html/hidden.ts'
import { imagesIn, pointImages } from '../../src/html/images.ts'
import { toMarkdown } from '../../src/html/markdown/gfm.ts'
import { outermost } from '../../src/html/outermost.ts'
import { readPageHead } from '../../src/html/page.ts'
import { linkableTexts, setStructure } from '../../src/html/rewrite.ts'
import { sanitizeHtml } from '../../src/html/sanitize.ts'
import { showsContent, showsText } from '../../src/html/shown.ts'
import { parseFragment, renderFragment, textOf } from '../../src/html/tree.ts'
import { toMarkdown as forNotion } from '../../src/providers/notion/markdown.ts'

/** Everything that reads the HTML of others. */
export const READERS: Readonly<Record<string, (html: string) => unknown>> = {
  sanitizeHtml,
  readDocument,
  readPageHead,
  'parseFragment and back': (html) => {
    const tree = parseFragment(html)
    return [renderFragment(tree), textOf(tree)]
  },
  linkableTexts,
  setStructure: (html) => setStructure(html, { ids: [], contents: [] }),
  imagesIn,
  pointImages: (html) => pointImages(html, new Map([['x', 'y']])),
  outermost: (html) => outermost(html, new Set(['pre', 'table'])),
  showsContent,
  showsText,
  withoutHidden,
  toMarkdown,
  'Markdown for Notion': forNotion,
}

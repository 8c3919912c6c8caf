import { readDocument } from '../../../src/content/html/document.ts'
import { outermost } from '../../../src/content/html/events.ts'
import { toMarkdown } from '../../../src/content/html/markdown/gfm.ts'
import { readPageHead } from '../../../src/content/html/page.ts'
import { sanitizeHtml } from '../../../src/content/html/sanitize.ts'
import { showsContent, showsText, withoutHidden } from '../../../src/content/html/shown.ts'
import { parseFragment, renderFragment, textOf } from '../../../src/content/html/tree.ts'
import { linkableTexts, setStructure } from '../../../src/content/seo/publication.ts'
import { imagesIn, pointImages } from '../../../src/providers/cms/host-images.ts'
import { toMarkdown as forNotion } from '../../../src/providers/cms/notion/markdown.ts'
import { toBlocks } from '../../../src/providers/cms/strapi/blocks.ts'

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
  'blocks for Strapi': toBlocks,
}

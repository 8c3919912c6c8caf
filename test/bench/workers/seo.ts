import { readContent } from '../../../src/content/seo/assess.ts'
import { checkArticle } from '../../../src/content/seo/check.ts'
import type { SeoExpectations } from '../../../src/content/seo/checks.ts'
import { saltSketch } from '../../../src/content/seo/sketch.ts'

const GIVEN: SeoExpectations = {
  keyword: 'garden shed',
  title: 'The garden shed',
  slug: 'garden-shed',
  metaDescription: 'A description.',
  language: 'English (US)',
  wordCount: 3000,
  tableOfContents: true,
  internalLinks: 3,
  siteKey: 'site.example',
  knownPages: new Set(['site.example/page-1']),
  exchangeSites: ['partner.example'],
  competitors: ['rival.example'],
  duplicateOf: null,
  bannedPhrases: Array.from({ length: 50 }, (_, n) => `banned phrase ${n}`),
}

/** Reads and checks the article HTML at `/check`; answers `0` at any other path. */
export default {
  fetch(request: Request, env: { HTML: string }): Response {
    if (new URL(request.url).pathname !== '/check') return new Response('0')
    const reading = readContent(env.HTML)
    saltSketch(reading.bands, 1)
    return new Response(String(checkArticle(reading.document, GIVEN).score))
  },
}

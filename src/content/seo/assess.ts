import type { SeoReport } from '../../../schema/values/seo.ts'
import { type HtmlDocument, readDocument } from '../html/document.ts'
import { checkArticle, findingIn } from './check.ts'
import type { SeoExpectations } from './checks.ts'
import { linkedKeys } from './links.ts'
import type { Surroundings } from './parts.ts'
import { wordTarget } from './rules.ts'
import { bandsOf, saltSketch, sharedPart } from './sketch.ts'

/** Content parsed before the database is queried. */
export type ContentReading = { document: HtmlDocument; bands: readonly number[]; linkedKeys: readonly string[] }

/** Reads an article's HTML: its document, the bands of its phrases, and the pages it links to. */
export const readContent = (html: string): ContentReading => {
  const document = readDocument(html)
  return { document, bands: bandsOf(document.text), linkedKeys: linkedKeys(document) }
}

/** Fields of an article that are judged, as they will be saved. */
export type JudgedArticle = {
  keyword: string
  title: string
  slug: string
  metaDescription: string
  articleStyle: string
  featureImage?: string | undefined
  /** True for a text by the service's own writer. */
  byWriter?: boolean | undefined
}

type Row = NonNullable<Surroundings['rows'][number]>

const nearest = (row: Row, bands: readonly number[]): SeoExpectations['duplicateOf'] => {
  if (!row.duplicate_protection) return null
  const sketch = saltSketch(bands, Number(row.project_id))
  const [best] = (row.similar ?? [])
    .map((other) => ({ articleId: other.id, title: other.title, share: sharedPart(sketch, other.sketch) }))
    .sort((a, b) => b.share - a.share)
  return best ?? null
}

const expectations = (row: Row, article: JudgedArticle, bands: readonly number[]): SeoExpectations => ({
  keyword: article.keyword,
  title: article.title,
  slug: article.slug,
  metaDescription: article.metaDescription,
  featureImage: article.featureImage,
  language: row.language,
  wordCount: wordTarget(article.articleStyle),
  tableOfContents: row.table_of_contents,
  internalLinks: Number(row.internal_links),
  siteKey: row.website_key,
  knownPages: row.known_pages && new Set(row.known_pages),
  exchangeSites: row.exchange_sites,
  competitors: row.competitors,
  bannedPhrases: row.banned_phrases,
  duplicateOf: nearest(row, bands),
  byWriter: article.byWriter,
})

/** Result of judging an article: its report, its sketch for finding duplicates in the project, and the pages it links to. */
export type Judgement = { report: SeoReport; sketch: number[]; linkedKeys: readonly string[] }

/**
 * Returns the SEO report and sketch of an article from the result of `surroundingsOf`; undefined if the project does not exist.
 *
 * `before` is the last report if the content did not change. Its finding on internal links is kept.
 */
export const judge = (
  found: Pick<Surroundings, 'rows'>,
  article: JudgedArticle,
  reading: ContentReading,
  before?: SeoReport | null,
): Judgement | undefined => {
  const [row] = found.rows
  if (!row) return undefined
  const kept = before === undefined ? {} : { broken_internal_links: findingIn(before, 'broken_internal_links') }
  const report = checkArticle(reading.document, expectations(row, article, reading.bands), kept)
  return {
    report,
    sketch: saltSketch(reading.bands, Number(row.project_id)),
    linkedKeys: reading.linkedKeys,
  }
}

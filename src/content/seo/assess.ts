import type { SQL } from 'drizzle-orm'
import type { SeoReport } from '../../../schema/values/seo.ts'
import type { Db } from '../../platform/db/client.ts'
import { type HtmlDocument, readDocument } from '../html/document.ts'
import { checkArticle, findingIn } from './check.ts'
import { linkedKeys } from './links.ts'
import { type Surroundings, surroundingsOf } from './queries.ts'
import type { SeoExpectations } from './report.ts'
import { wordTarget } from './rules.ts'
import { bandsOf, saltSketch, sharedPart } from './sketch.ts'

/** Content as it was read before anything was asked of the database. */
export type ContentReading = { document: HtmlDocument; bands: readonly number[]; linkedKeys: readonly string[] }

/** Reads the HTML of an article: what a reader sees, the bands of its phrases, the pages it links to. */
export const readContent = (html: string): ContentReading => {
  const document = readDocument(html)
  return { document, bands: bandsOf(document.text), linkedKeys: linkedKeys(document) }
}

/**
 * Returns the query a judgement needs, for the round trip that reads article or project. `reading` is the content being saved;
 * without one the stored content is judged again.
 */
export const seoQuery = (
  db: Db,
  project: SQL,
  articleId: number | undefined,
  reading: ContentReading | undefined,
): ReturnType<typeof surroundingsOf> => surroundingsOf(db, project, articleId, reading)

/** An article's own words, as they will be saved. */
export type JudgedArticle = {
  keyword: string
  title: string
  slug: string
  metaDescription: string
  articleStyle: string
  featureImage?: string | undefined
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
})

export type Judgement = { report: SeoReport; sketch: number[] }

/**
 * Judges an article by what `seoQuery` found. For content that did not change (`before` is its last report) the links are
 * as sound as they were when it was saved. Undefined when the project is not there.
 */
export const judge = (
  found: Pick<Surroundings, 'rows'>,
  article: JudgedArticle,
  reading: ContentReading,
  before?: SeoReport | null,
): Judgement | undefined => {
  const [row] = found.rows
  if (!row) return undefined
  const standing = before === undefined ? {} : { broken_internal_links: findingIn(before, 'broken_internal_links') }
  const report = checkArticle(reading.document, expectations(row, article, reading.bands), standing)
  return { report, sketch: saltSketch(reading.bands, Number(row.project_id)) }
}

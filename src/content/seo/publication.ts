import type { SQL } from 'drizzle-orm'
import type { SeoReport } from '../../../schema/values/seo.ts'
import type { Db } from '../../platform/db/client.ts'
import { pageKey } from '../../platform/lib/urls.ts'
import { type JudgedArticle, type Judgement, judge, readContent } from './assess.ts'
import { optimiseArticle, type Settings } from './optimise.ts'
import { linkablePages, type Surroundings, surroundingsOf } from './queries.ts'

/** Queries of publication beside the article, so that it can be optimised. */
export const publicationQueries = (db: Db, project: SQL, articleId: number) =>
  [surroundingsOf(db, project, articleId, undefined), linkablePages(db, articleId)] as const

/** Results of `publicationQueries`. */
export type PublicationFound = readonly [
  Pick<Surroundings, 'rows'>,
  Pick<Awaited<ReturnType<typeof linkablePages>>, 'rows'>,
]

const keyOf = (url: string | null): string | null => {
  if (url === null || !URL.canParse(url)) return null
  return pageKey(new URL(url))
}

/** An article that was not published yet. */
export type Unpublished = JudgedArticle & { content: string; url: string | null; seo: SeoReport | null }

/** An article as it is published: what changed of it, and the report on it. */
export type Optimised = { content: string; metaDescription: string; judgement: Judgement }

type Text = { content: string; metaDescription: string; url: string | null }

/** Applies to a text what is safe by itself, by the settings of its project. Undefined when the project is gone. */
const optimiseText = ([surroundings, pages]: PublicationFound, article: Text) => {
  const [project] = surroundings.rows
  if (!project) return undefined
  const settings: Settings = {
    language: project.language,
    tableOfContents: project.table_of_contents,
    internalLinks: Number(project.internal_links),
    siteKey: project.website_key,
    ownKey: keyOf(article.url),
    pages: pages.rows.map(({ url, url_key: key, title, keyword }) => ({ url, key, phrases: [keyword, title] })),
  }
  return optimiseArticle(article, settings)
}

/** Applies what is safe by itself to an article nobody claimed. Undefined when there is nothing to change. */
export const optimiseForPublication = async (
  found: PublicationFound,
  article: Unpublished,
): Promise<Optimised | undefined> => {
  const made = optimiseText(found, article)
  if (!made) return undefined
  if (made.content === article.content && made.metaDescription === article.metaDescription) return undefined
  const after = { ...article, metaDescription: made.metaDescription }
  const judgement = judge(found[0], after, readContent(made.content), article.seo)
  return judgement && { ...made, judgement }
}

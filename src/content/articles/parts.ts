import { and, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { articleRevisions, articles } from '../../../schema/articles.ts'
import type { Db } from '../../platform/db/client.ts'
import type { AnyPart, Part } from '../../platform/db/part.ts'
import { read } from '../../platform/db/read-parts.ts'
import { type Changes, insert, type Names, type Returning, update } from '../../platform/db/write-parts.ts'

/** Columns of a version of an article. */
type Version = 'id' | 'revision' | 'title' | 'metaDescription' | 'content' | 'featureImage' | 'altText'

/** Further columns of an article. */
const SHORT = {
  status: articles.status,
  scheduled_date: articles.scheduledAt,
  keyword: articles.mainKeyword,
  slug: articles.slug,
  article_style: articles.articleStyle,
  category: articles.category,
  tags: articles.tags,
  seo_title: articles.seoTitle,
  canonical_url: articles.canonicalUrl,
}

/** Columns of what an article says, as its site shows it. */
export const contentColumns = {
  content: articles.content,
  metaDescription: articles.metaDescription,
  featureImage: articles.featureImage,
  altText: articles.altText,
  category: articles.category,
  tags: articles.tags,
  seoTitle: articles.seoTitle,
  canonicalUrl: articles.canonicalUrl,
}

type Short = keyof typeof SHORT

type OldArticle = { where: SQL; lock?: 'update' | 'no key update'; from?: readonly AnyPart[]; name?: string }

/** A part that reads articles as they stand before the statement changes them, for `keepRevision`. */
export const oldArticle = ({ name = 'old', ...options }: OldArticle): Part<Version | Short> =>
  read(
    name,
    articles,
    {
      id: articles.id,
      revision: articles.revision,
      title: articles.title,
      metaDescription: articles.metaDescription,
      content: articles.content,
      featureImage: articles.featureImage,
      altText: articles.altText,
      ...SHORT,
    },
    options,
  )

/** A part that keeps the version an article had: one for each row of `old` whose article is in `changed`. */
export const keepRevision = (old: Part<Version>, changed: Part<'id'>, where?: SQL): Part =>
  insert(
    'kept_revision',
    articleRevisions,
    {
      articleId: old.c.id,
      revision: old.c.revision,
      title: old.c.title,
      metaDescription: old.c.metaDescription,
      content: old.c.content,
      featureImage: old.c.featureImage,
      altText: old.c.altText,
    },
    {
      from: [old],
      where: sql`${inArray(old.c.id, sql`(select ${changed.c.id} from ${changed.rows})`)}${where ? sql` and ${where}` : sql``}`,
      onConflict: 'ignore',
    },
  )

/** Returns the newest revision before the one an article has; no row if there is none. */
export const revisionBefore = (db: Db, id: number) =>
  db
    .select({ revision: articleRevisions.revision })
    .from(articleRevisions)
    .innerJoin(articles, eq(articles.id, articleRevisions.articleId))
    .where(and(eq(articles.id, id), lt(articleRevisions.revision, articles.revision)))
    .orderBy(desc(articleRevisions.revision))
    .limit(1)

/** Articles of a change of state, and the columns that change with it. */
type StateChange<R extends Returning> = {
  where: SQL
  from?: readonly AnyPart[]
  also?: Changes<typeof articles>
  /** Columns handed on beside those every such part has. */
  returning?: R
}

/** Columns from which a page of the site and the check of its links are made. */
const LIVE = {
  id: articles.id,
  projectId: articles.projectId,
  url: articles.url,
  title: articles.title,
  mainKeyword: articles.mainKeyword,
  metaDescription: articles.metaDescription,
}

const changeState = <R extends Returning>(
  name: string,
  changes: Changes<typeof articles>,
  { where, from, also, returning }: StateChange<R>,
): Part<keyof typeof LIVE | Names<R>> =>
  update(
    name,
    articles,
    { ...changes, ...also },
    { where, ...(from ? { from } : {}), returning: { ...LIVE, ...(returning as R) } },
  )

/** A part that writes what publishing learned of an article, or plans with it, without holding it. */
export const changeArticle = <R extends Returning = Record<never, SQL>>(
  name: string,
  changes: Changes<typeof articles>,
  options: Omit<StateChange<R>, 'also'>,
) => changeState(name, changes, options)

import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { articleRevisions, articles } from '../../../schema/articles.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import type { Db } from '../../platform/db/client.ts'
import { type Move, statusesFor } from './transitions.ts'

/** Returns the statuses from which the state table allows the move, as a condition on the columns of `alias`. */
export const statusAllows = (move: Move, alias = 'articles'): SQL => {
  const statuses = statusesFor(move).map((status) => `'${status}'`)
  return sql.raw(`${alias}.status in (${statuses.join(', ')})`)
}

/** Publish state of an article with a lease. */
const HELD: PublishState = 'publishing'

/** No publication, sync or rollback holds the article of `alias` at this instant. */
export const isNotHeld = (now: Date, alias = 'articles'): SQL => {
  const a = sql.raw(alias)
  const free = sql.raw(`${alias}.publish_state <> '${HELD}'`)
  return sql`(${free} or ${a}.publish_lease_until is null or ${a}.publish_lease_until <= ${now.toISOString()}::timestamptz)`
}

/**
 * SQL condition on the columns of `alias`: the status allows the move, and nobody has a lease on the article now.
 *
 * A lease is that of a writer, a publication or a sync.
 */
export const mayMove = (move: Move, now: Date, alias = 'articles'): SQL =>
  sql`${statusAllows(move, alias)} and ${sql.raw(alias)}.writing_started_at is null and ${isNotHeld(now, alias)}`

/** SQL condition on the columns of `alias`: the content has neither text nor a picture to show. Long content is not read. */
export const showsNothing = (alias = 'articles'): SQL => {
  const content = sql.raw(`${alias}.content`)
  return sql`(octet_length(${content}) < 500 and ${content} !~* '<(img|iframe|video|picture|table)'
  and regexp_replace(${content}, '<[^<>]*>|&nbsp;|\\s', '', 'g') = '')`
}

/** The same for an article that goes by `a`. */
export const SHOWS_NOTHING: SQL = showsNothing('a')

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

/** Returns the newest revision before the one an article has; no row if there is none. */
export const revisionBefore = (db: Db, id: number) =>
  db
    .select({ revision: articleRevisions.revision })
    .from(articleRevisions)
    .innerJoin(articles, eq(articles.id, articleRevisions.articleId))
    .where(and(eq(articles.id, id), lt(articleRevisions.revision, articles.revision)))
    .orderBy(desc(articleRevisions.revision))
    .limit(1)

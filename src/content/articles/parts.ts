import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { articleRevisions, articles } from '../../../schema/articles.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import type { Db } from '../../platform/db/client.ts'
import { invalidInput } from '../../platform/lib/errors.ts'
import { cutSlug, MAX_SLUG, type SlugChoice } from '../../platform/lib/slug.ts'
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

/** Returns an id for an article that is about to be created. */
export const nextArticleId = (db: Db) => db.execute<{ id: string }>(sql`select nextval('articles_id_seq') as id`)

const SUFFIXES = 1_000
const SUFFIX_LENGTH = '-1000'.length

/** The longest part in front of a suffix. */
const BEFORE_SUFFIX = sql.raw(String(MAX_SLUG - SUFFIX_LENGTH))

/** Returns the slug to try when every short suffix is taken. */
const slugWithId = (base: string, id: number): string => `${cutSlug(base, MAX_SLUG - 11)}-${id}`

/** Returns the slug an article is given when its words have no letter or digit to make one of. */
const fallbackSlug = (id: number): string => `article-${id}`

/**
 * Returns the slug in the project's language, and the first of it, `-2`, `-3`, … that is free; none past a thousand. Probes only
 * those that are taken.
 */
export const freeSlug = (db: Db, projectId: SQL, choice: SlugChoice, exceptId = 0) => {
  const last = sql.raw(String(SUFFIXES))
  const taken = sql`exists (select 1 from articles where project_id = ${projectId} and slug = candidate and id <> ${exceptId}::int)`
  return db.execute<{ base: string; slug: string | null }>(sql`
    with recursive wanted (base) as (
      select coalesce(${JSON.stringify(choice.byLanguage)}::jsonb ->> (select language from projects where id = ${projectId}), ${choice.usual}::text)),
    begun (base, short) as (
      select base, case when length(base) <= ${BEFORE_SUFFIX} then base
        else left(regexp_replace(left(base, ${BEFORE_SUFFIX} + 1), '-[^-]*$', ''), ${BEFORE_SUFFIX}) end from wanted),
    tried (n, candidate) as (
      select 1, base from begun
      union all
      select n + 1, short || '-' || (n + 1) from tried, begun where n < ${last} and ${taken})
    select base, case when n < ${last} or not ${taken} then candidate end as slug
    from (select n, candidate from tried order by n desc limit 1) as reached, begun`)
}

/** Slug that `freeSlug` found. */
export type FoundSlug = Awaited<ReturnType<typeof freeSlug>>

/** True if the words have a slug in the project's language. */
export const hasSlug = ({ rows: [found] }: FoundSlug): boolean => found !== undefined && found.base !== ''

/** Returns the slug for the article `id`; one made of the id if its words have none. */
export const slugFor = (slugs: FoundSlug, id: number): string => {
  const [found] = slugs.rows
  return found && hasSlug(slugs) ? (found.slug ?? slugWithId(found.base, id)) : fallbackSlug(id)
}

/** Throws 400 if a slug that the caller chose has nothing that a slug can be made of. */
export const checkGivenSlug = (slugs: FoundSlug, given: string | undefined): void => {
  if (given && !hasSlug(slugs))
    throw invalidInput([
      { field: 'slug', message: 'must have letters or digits that can be written in ASCII, such as garden-sheds' },
    ])
}

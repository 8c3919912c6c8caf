import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { articleRevisions, articles } from '../../../schema/articles.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import type { Db } from '../../platform/db/client.ts'
import { invalidInput } from '../../platform/lib/errors.ts'
import { cutSlug, MAX_SLUG, type SlugChoice } from '../../platform/lib/slug.ts'
import { type Move, statusesFor } from './transitions.ts'

/** SQL condition on the columns of `alias`: the state table allows the move from the article's status. */
export const statusAllows = (move: Move, alias = 'articles'): SQL => {
  const statuses = statusesFor(move).map((status) => `'${status}'`)
  return sql.raw(`${alias}.status in (${statuses.join(', ')})`)
}

/** Publish state of an article that a publication, sync or rollback has claimed. */
const HELD: PublishState = 'publishing'

/** SQL condition on the columns of `alias`: no publication, sync or rollback has a lease on the article now. */
export const isNotHeld = (now: Date, alias = 'articles'): SQL => {
  const a = sql.raw(alias)
  const free = sql.raw(`${alias}.publish_state <> '${HELD}'`)
  return sql`(${free} or ${a}.publish_lease_until is null or ${a}.publish_lease_until <= ${now.toISOString()}::timestamptz)`
}

/**
 * SQL condition on the columns of `alias`: the status allows the move, and no work has a lease on the article now.
 *
 * The work may be writing, a publication, a sync or a rollback.
 */
export const isMoveAllowed = (move: Move, now: Date, alias = 'articles'): SQL =>
  sql`${statusAllows(move, alias)} and ${sql.raw(alias)}.writing_started_at is null and ${isNotHeld(now, alias)}`

/** SQL condition on the columns of `alias`: the content has no text, picture, video or table. Long content is not parsed. */
export const isBlankContent = (alias = 'articles'): SQL => {
  const content = sql.raw(`${alias}.content`)
  return sql`(octet_length(${content}) < 500 and ${content} !~* '<(img|iframe|video|picture|table)'
  and regexp_replace(${content}, '<[^<>]*>|&nbsp;|\\s', '', 'g') = '')`
}

/** The same condition for the alias `a`. */
export const SHOWS_NOTHING: SQL = isBlankContent('a')

/** Columns with the content of an article that its site shows. */
export const contentColumns = {
  content: articles.content,
  metaDescription: articles.metaDescription,
  featureImage: articles.featureImage,
  altText: articles.altText,
  category: articles.category,
  tags: articles.tags,
  seoTitle: articles.seoTitle,
  canonicalUrl: articles.canonicalUrl,
  fields: articles.fields,
}

/** Selects the newest revision before the current one; no row if there is none. */
export const revisionBefore = (db: Db, id: number) =>
  db
    .select({ revision: articleRevisions.revision })
    .from(articleRevisions)
    .innerJoin(articles, eq(articles.id, articleRevisions.articleId))
    .where(and(eq(articles.id, id), lt(articleRevisions.revision, articles.revision)))
    .orderBy(desc(articleRevisions.revision))
    .limit(1)

/** Allocates an id for a new article. */
export const nextArticleId = (db: Db) => db.execute<{ id: string }>(sql`select nextval('articles_id_seq') as id`)

const SUFFIXES = 1_000
const SUFFIX_LENGTH = '-1000'.length

/** Length of the longest base that fits with a suffix. */
const BEFORE_SUFFIX = sql.raw(String(MAX_SLUG - SUFFIX_LENGTH))

/** Returns the slug to use if every numbered suffix is taken. */
const slugWithId = (base: string, id: number): string => `${cutSlug(base, MAX_SLUG - 11)}-${id}`

/** Returns the slug of an article whose words have no letters or digits. */
const fallbackSlug = (id: number): string => `article-${id}`

/**
 * Selects the slug in the project's language, and the first free one of it, `-2`, `-3`, …; null after a thousand.
 *
 * Checks no slugs after the first free one.
 */
export const freeSlug = (
  db: Db,
  projectId: SQL,
  choice: Pick<SlugChoice, 'byLanguage'> & { usual: string | SQL },
  exceptId = 0,
) => {
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

/** Result of `freeSlug`. */
export type FoundSlug = Awaited<ReturnType<typeof freeSlug>>

/** True if the words have a slug in the project's language. */
export const hasSlug = ({ rows: [found] }: FoundSlug): boolean => found !== undefined && found.base !== ''

/** Returns the slug of the article `id`. It is made from the id if its words have none. */
export const slugFor = (slugs: FoundSlug, id: number): string => {
  const [found] = slugs.rows
  return found && hasSlug(slugs) ? (found.slug ?? slugWithId(found.base, id)) : fallbackSlug(id)
}

/** Returns the warning on a slug made from the id; empty if the words have a slug. */
export const slugWarning = (slugs: FoundSlug, id: number): string[] =>
  hasSlug(slugs)
    ? []
    : [
        `The keyword has no letters that can be written in ASCII, so the slug is ${fallbackSlug(id)}. To choose another, send slug with PUT /articles/${id}, such as garden-sheds.`,
      ]

/** Throws 400 if the slug that the caller sent has no usable characters. */
export const checkGivenSlug = (slugs: FoundSlug, given: string | undefined): void => {
  if (given && !hasSlug(slugs))
    throw invalidInput([
      { field: 'slug', message: 'must have letters or digits that can be written in ASCII, such as garden-sheds' },
    ])
}

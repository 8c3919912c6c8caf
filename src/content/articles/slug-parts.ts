import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { invalidInput } from '../../platform/lib/errors.ts'
import { cutSlug, MAX_SLUG, type SlugChoice } from '../../platform/lib/slug.ts'

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

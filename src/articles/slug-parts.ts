import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { cutSlug, MAX_SLUG } from '../lib/slug.ts'

/** An id for an article that is about to be created. */
export const nextArticleId = (db: Db) => db.execute<{ id: string }>(sql`select nextval('articles_id_seq') as id`)

const SUFFIXES = 1_000
const SUFFIX_LENGTH = '-1000'.length

/** What is tried when every short suffix is taken. */
export const slugWithId = (base: string, id: number): string => `${cutSlug(base, MAX_SLUG - 11)}-${id}`

/** The first free slug of `base`, `base-2`, `base-3`, …; past a thousand of the same, none. Probes only those that are taken. */
export const freeSlug = (db: Db, projectId: SQL, base: string, exceptId = 0) => {
  const last = sql.raw(String(SUFFIXES))
  const taken = sql`exists (select 1 from articles where project_id = ${projectId} and slug = candidate and id <> ${exceptId}::int)`
  return db.execute<{ slug: string }>(sql`
    with recursive tried (n, candidate) as (
      select 1, ${base}::text
      union all
      select n + 1, ${cutSlug(base, MAX_SLUG - SUFFIX_LENGTH)}::text || '-' || (n + 1) from tried where n < ${last} and ${taken})
    select candidate as slug from (select n, candidate from tried order by n desc limit 1) as reached
    where n < ${last} or not ${taken}`)
}

/** The slug an article is given when its words have no letter or digit to make one of. */
export const fallbackSlug = (id: number): string => `article-${id}`

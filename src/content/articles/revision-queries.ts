import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import type { Paging } from '../../platform/db/paging.ts'

/** One version of an article; `current` is the one it has now. */
export type Version = {
  /** The revision, which also is the cursor of the list. */
  id: number
  title: string
  meta_description: string
  content_length: number
  /** Time of its save, ISO 8601. */
  saved_at: string
  current: boolean
}

/** A version with all that restoring puts back; the image is null in versions kept before images were. */
export type VersionInFull = Version & { content: string; feature_image: string | null; alt_text: string | null }

/** Selects the owner of an article. */
export const articleOwner = (db: Db, owner: SQL, id: number) =>
  db.execute<{ id: number; mine: boolean }>(
    sql`select id, coalesce(account_id = ${owner}, false) as mine from articles where id = ${id}::int`,
  )

/** A version is kept when the next one replaces it, so it was saved when the one before it was kept. */
const savedAt = sql`to_char(coalesce((select b.created_at from article_revisions b where b.article_id = v.article_id and b.revision < v.revision
    order by b.revision desc limit 1), v.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const versionsOf = (id: number): SQL =>
  sql`select a.id as article_id, a.revision, a.title, a.meta_description, a.content, a.feature_image, a.alt_text, a.created_at, true as current
      from articles a where a.id = ${id}::int
    union all
    select r.article_id, r.revision, r.title, r.meta_description, r.content, r.feature_image, r.alt_text, a.created_at, false
      from article_revisions r join articles a on a.id = r.article_id where r.article_id = ${id}::int and r.revision < a.revision`

/** Returns an article's versions, newest first, the current one included; one more than the page shows, without their content. */
export const versionRows = (db: Db, id: number, { limit, offset, beforeId }: Paging) =>
  db.execute<Version>(sql`
    select v.revision as id, v.title, v.meta_description, length(v.content) as content_length, ${savedAt} as saved_at, v.current
    from (${versionsOf(id)}) v where ${beforeId === undefined ? sql`true` : sql`v.revision < ${beforeId}::int`}
    order by v.revision desc limit ${limit + 1}::int offset ${offset}::int`)

/** Returns one version with its content. */
export const versionByNumber = (db: Db, id: number, revision: number) =>
  db.execute<VersionInFull>(sql`
    select v.revision as id, v.title, v.meta_description, v.content, v.feature_image, v.alt_text, length(v.content) as content_length, ${savedAt} as saved_at, v.current
    from (${versionsOf(id)}) v where v.revision = ${revision}::int`)

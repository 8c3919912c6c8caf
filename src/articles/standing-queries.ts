import { type SQL, sql } from 'drizzle-orm'
import { type Move, statusesFor } from './transitions.ts'

/**
 * The state table as a condition on the columns of `alias`: the article may make the move, and nobody holds it at this
 * instant: no writer, no live lease of a publication or sync.
 */
export const mayMove = (move: Move, now: Date, alias = 'articles'): SQL => {
  const a = sql.raw(alias)
  const statuses = sql.raw(
    statusesFor(move)
      .map((status) => `'${status}'`)
      .join(', '),
  )
  return sql`${a}.status in (${statuses}) and ${a}.writing_started_at is null
    and (${a}.publish_state <> 'publishing' or ${a}.publish_lease_until is null or ${a}.publish_lease_until <= ${now.toISOString()}::timestamptz)`
}

/** Whether the content of article `a` has neither text nor a picture to show. Long content is not looked into. */
export const SHOWS_NOTHING: SQL = sql`(octet_length(a.content) < 500 and a.content !~* '<(img|iframe|video|picture|table)'
  and regexp_replace(a.content, '<[^>]*>|&nbsp;|\\s', '', 'g') = '')`

import { and, eq, exists, lt, notInArray, sql } from 'drizzle-orm'
import { deliveries, deliveryAttempts, revisionText, sentHash } from '../../schema/deliveries.ts'
import { OPEN_DELIVERY_STATUSES } from '../../schema/values/publishing.ts'
import { SENT_DAYS } from '../../schema/values/retention.ts'
import { walkOn } from '../platform/db/walk.ts'
import { DAY_MS } from '../platform/lib/time.ts'
import type { Deps } from '../platform/runtime/ctx.ts'

type Clock = Pick<Deps, 'db' | 'now'>

const hasEnded = notInArray(deliveries.status, [...OPEN_DELIVERY_STATUSES])

const oldest = (now: Date): Date => new Date(now.getTime() - SENT_DAYS * DAY_MS)

/**
 * Deletes the texts of deliveries that ended 90 days ago. Returns how many.
 *
 * A text goes only if the article's revision is the same text, so that it can still be read. The text of a deleted article
 * goes once the article is not in the bin.
 */
export const forgetTexts = ({ db, now }: Clock): Promise<number> => {
  const before = oldest(now())
  // The payload may be of another service, whose ids are no numbers.
  const sentId = sql`case when ${deliveries.payload} ->> 'id' ~ '^[0-9]{1,9}$' then (${deliveries.payload} ->> 'id')::int end`
  const isKept = sql`case when ${deliveries.articleId} is null
    then not exists (select 1 from deleted_articles b where b.article_id = ${sentId})
    else ${deliveries.payload} ->> 'content_html' = ${revisionText()} end`
  return walkOn(db, now(), {
    name: 'texts',
    table: 'deliveries',
    until: { column: 'created_at', before },
    handle: (ids) =>
      db
        .update(deliveries)
        .set({
          contentHash: sentHash(),
          payload: sql`${deliveries.payload} - 'content_html' - 'content_markdown'`,
        })
        .where(
          and(
            sql`${deliveries.id} = any(${ids})`,
            hasEnded,
            lt(deliveries.updatedAt, before),
            sql`${deliveries.payload} -> 'content_html' is not null`,
            isKept,
          ),
        ),
  })
}

/** Deletes the attempts of 90 days ago, except the last of each delivery. Returns how many. */
export const forgetAttempts = ({ db, now }: Clock): Promise<number> =>
  walkOn(db, now(), {
    name: 'attempts',
    table: 'delivery_attempts',
    until: { column: 'started_at', before: oldest(now()) },
    handle: (ids) => {
      const delivery = db
        .select({ id: deliveries.id })
        .from(deliveries)
        .where(
          and(
            eq(deliveries.id, deliveryAttempts.deliveryId),
            lt(deliveryAttempts.number, deliveries.attempts),
            hasEnded,
          ),
        )
      return db.delete(deliveryAttempts).where(and(sql`${deliveryAttempts.id} = any(${ids})`, exists(delivery)))
    },
  })

import { and, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { trafficCounts, trafficDays } from '../../../schema/traffic.ts'
import type { TrafficKind } from '../../../schema/values/traffic.ts'
import type { Db } from '../../platform/db/client.ts'
import { insertWhere, listed } from '../../platform/db/writes.ts'
import { isKnown } from './rules.ts'

/** Number that a site counted for a post. */
type Counted = { postId: string; kind: TrafficKind; name: string; count: number }

/** Largest count that is stored. */
const MOST = 1_000_000_000

/**
 * Returns the statements that store what a site counted on a day, in place of what was stored of that day before.
 *
 * `site` is the site in the form of `articles.remote_site`. Posts that are no article of the project are left out.
 */
export const keepDay = (
  db: Db,
  { projectId, site, day, counts }: { projectId: number; site: string; day: string; counts: readonly Counted[] },
  isMet: SQL,
) => {
  const rows = counts.filter(isKnown).map(({ count, ...row }) => ({ ...row, count: Math.min(count, MOST) }))
  const columns = {
    postId: articles.remoteId,
    kind: trafficCounts.kind,
    name: trafficCounts.name,
    count: trafficCounts.count,
  }
  return {
    cleared: db
      .delete(trafficCounts)
      .where(and(eq(trafficCounts.projectId, projectId), eq(trafficCounts.day, day), isMet)),
    counts: insertWhere(
      trafficCounts,
      {
        articleId: sql`${articles.id}`,
        projectId,
        day,
        kind: sql`listed.kind`,
        name: sql`listed.name`,
        count: sql`listed.count`,
      },
      {
        from: sql`${listed(columns, rows)} join ${articles} on ${articles.projectId} = ${projectId}::int
          and ${articles.remoteId} = listed."postId" and ${articles.remoteSite} = ${site}::text`,
        if: isMet,
        onConflict: sql`do nothing`,
      },
    ),
    day: insertWhere(trafficDays, { projectId, day }, { if: isMet, onConflict: sql`do nothing` }),
  }
}

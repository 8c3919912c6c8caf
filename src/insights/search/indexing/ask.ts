import type { Ctx } from '../../../platform/runtime/ctx.ts'
import type { Asker, Open } from '../access.ts'
import type { Failure, SearchConsole } from '../port.ts'
import { propertyOver } from '../rules.ts'
import { claimInspections, type InspectedArticle } from './queries.ts'
import { type MOST_A_DAY, quotaDay } from './rules.ts'
import { notMeasured, type Seen, seenIn } from './writes.ts'

/** Google's answers about articles; some may lack one. `isUsedUp`: the day's share of the quota is used up. */
type Asked = { seen: Seen[]; failures: Failure[]; isUsedUp: boolean }

const NOT_COVERED = 'No property of the connected Google account covers this URL.'

type Asking = { google: SearchConsole; ask: Asker; row: Open; most: (typeof MOST_A_DAY)[keyof typeof MOST_A_DAY] }

/** Asks Google about some articles at once, if the project's share of the quota allows it. One failure loses no other answer. */
export const askAbout = async (
  ctx: Ctx,
  { google, ask, row, most }: Asking,
  some: readonly InspectedArticle[],
): Promise<Asked> => {
  const day = quotaDay(ctx.now())
  const asked: Asked = { seen: [], failures: [], isUsedUp: false }
  const byProperty = Map.groupBy(some, ({ url }) => propertyOver(url, row.property, row.properties ?? []))
  for (const [property, group] of byProperty) {
    if (property === undefined) {
      asked.seen.push(...group.map((article) => notMeasured(article, NOT_COVERED)))
      continue
    }
    const whose = { property, projectId: row.project_id, day, most }
    const { claimed } = await ctx.batch(
      { claimed: claimInspections(whose, group.length) },
      { unaudited: 'a count of questions to Google' },
    )
    if (claimed.length === 0) {
      asked.isUsedUp = true
      continue
    }
    await Promise.all(
      group.map(async (article) => {
        const found = await ask((token) => google.inspect(token, { property, url: article.url }))
        if ('ok' in found) asked.seen.push(seenIn(article, found.ok))
        else asked.failures.push(found.failure)
      }),
    )
  }
  return asked
}

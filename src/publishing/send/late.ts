import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import { releaseArticle } from '../../articles/parts.ts'
import { statusAllows } from '../../articles/standing-parts.ts'
import { at } from '../../db/instant.ts'
import { ONE_ROW, statement } from '../../db/statement.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import type { Attempt } from '../deliveries/attempt.ts'
import type { PublishOutcome } from '../target/publish-target.ts'

const AT_REST: PublishState = 'idle'

const noteOlderWords = (attempt: Attempt, articleId: number, answeredAt: Date): SQL => {
  const isOvertaken = sql`exists (select 1 from deliveries newer join delivery_attempts sent on sent.delivery_id = newer.id
    where newer.article_id = ${articleId}::int and newer.id > ${attempt.deliveryId}::int and newer.replay_of is null
      and sent.started_at <= ${at(answeredAt)})`
  const article = releaseArticle(
    'failed',
    `A process that was held up sent an older version after the newer one, so the site may show the older one. Send the saved version with POST /articles/${articleId}/sync.`,
    {
      where: sql`${and(
        eq(articles.id, articleId),
        eq(articles.publishState, AT_REST),
        ne(articles.revision, attempt.revision),
        statusAllows('sync'),
        isOvertaken,
      )}`,
    },
  )
  return statement({
    unaudited: 'what reached the target is on the deliveries; nothing was changed by anybody',
    parts: [article],
    answer: { gone: sql`not exists (select 1 from ${articles} where ${eq(articles.id, articleId)})` },
    answerFrom: ONE_ROW,
  })
}

/**
 * After the end of an attempt that did not hold its delivery any more: another was sent meanwhile, and where this one's answer came
 * after that one began, older words may be what readers see now. That is told on the article. Whether that was deleted meanwhile.
 *
 * `ended`: the row its end was written with. `answeredAt`: when the target answered.
 */
export const tellLateArrival = async (
  ctx: Ctx,
  attempt: Attempt,
  outcome: PublishOutcome,
  { ended, answeredAt }: { ended: { id: number | null } | undefined; answeredAt: Date },
): Promise<boolean> => {
  const { articleId, replayOf } = attempt
  const held = (ended?.id ?? null) !== null
  if (held || articleId === null || replayOf !== null || outcome.kind === 'refused') return false
  const [noted] = await ctx.write<{ gone: boolean }>(noteOlderWords(attempt, articleId, answeredAt))
  return noted?.gone ?? false
}

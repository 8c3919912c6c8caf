import { statusesFor } from '../articles/transitions.ts'
import { rowsOf } from '../db/client.ts'
import type { JobResult } from '../jobs/define.ts'
import { ApiError } from '../lib/errors.ts'
import type { Ctx, Deps } from '../runtime/ctx.ts'
import type { TargetFactory } from './port.ts'
import { publishArticle } from './publish.ts'
import { type PublishableRow, publishableById } from './queries.ts'
import { failDue, takeDue } from './statements.ts'

/** Refusals that end the matter: the article waits for its owner, with the reason. */
const FINAL = new Set(['no_cms_integration', 'empty_content'])

/** Whether the date still stands and nothing was begun: not moved or taken back meanwhile, no delivery that goes on by itself. */
const isDue = (article: PublishableRow | undefined): boolean =>
  article !== undefined &&
  statusesFor('go_live').includes(article.status) &&
  article.dueTakenAt !== null &&
  article.publishState === 'idle'

/** Publishes an article whose date has come. What its owner must mend is noted on the article; what passes is tried again. */
export const publishDue = async (
  ctx: Ctx,
  targets: TargetFactory,
  articleId: number,
  live: boolean,
): Promise<JobResult> => {
  const [rows] = await ctx.read((owner) => [publishableById(ctx.db, owner, articleId)])
  if (!isDue(rows[0]?.article)) return { kind: 'done' }
  try {
    await publishArticle(ctx, targets, articleId, live)
    return { kind: 'done' }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'not_found') return { kind: 'done' }
    if (!FINAL.has(error.code)) return { kind: 'again', reason: error.code }
    await ctx.write(failDue(ctx, articleId, error.message))
    return { kind: 'done' }
  }
}

/** Hands every article whose date has come to publishing, or makes it a draft, as its project asks; how many of each. */
export const takeDueArticles = async (deps: Deps): Promise<{ taken: number; drafted: number }> => {
  const [due] = await rowsOf<{ taken: string; drafted: string }>(deps.db, takeDue(deps.now()))
  return { taken: Number(due?.taken ?? 0), drafted: Number(due?.drafted ?? 0) }
}

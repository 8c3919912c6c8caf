import { statusesFor } from '../../articles/transitions.ts'
import { rowsOf } from '../../db/client.ts'
import type { JobResult } from '../../jobs/define.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Ctx, Deps } from '../../runtime/ctx.ts'
import { failDue, letDueGo, takeDue } from '../due/statements.ts'
import { takeNextDue } from '../due/take.ts'
import { type PublishableRow, publishableById } from '../read/queries.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { publishByClock } from './publish.ts'

/** Refusals that repeating does not change: the article waits for its owner, with the reason. */
const FINAL = new Set(['no_cms_integration', 'empty_content'])

/** Whether the date still stands and nothing was begun: not moved or taken back meanwhile, no delivery under way. */
const isStillDue = (article: PublishableRow | undefined): boolean =>
  article !== undefined &&
  statusesFor('go_live').includes(article.status) &&
  article.dueTakenAt !== null &&
  article.publishState === 'idle'

/**
 * Publishes an article whose date has come, in its project's turn. What its owner must fix is noted on the article; any other
 * refusal is tried again.
 */
export const publishDue = async (
  ctx: Ctx,
  targets: TargetFactory,
  articleId: number,
  live: boolean,
): Promise<JobResult> => {
  const [rows] = await ctx.read((owner) => [publishableById(ctx.db, owner, articleId)])
  const article = rows[0]?.article
  if (!article || !isStillDue(article)) return { kind: 'done' }
  try {
    const later = await publishByClock(ctx, targets, articleId, live)
    return later ? { kind: 'later', at: later } : { kind: 'done' }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'project_archived') {
      await ctx.write(letDueGo(articleId))
      return { kind: 'done' }
    }
    if (error.code === 'not_found') return { kind: 'done' }
    if (!FINAL.has(error.code)) return { kind: 'again', reason: error.code }
    await ctx.write(failDue(ctx, articleId, error.message))
    ctx.defer(takeNextDue(ctx, article.projectId))
    return { kind: 'done' }
  }
}

const MAX_BATCHES = 10

/**
 * Hands articles whose date has come to publishing, one of each project at a time, or makes them drafts, as the project
 * asks; how many of each. In batches, so that a project with many late ones does not keep others from being seen.
 */
export const takeDueArticles = async (deps: Deps): Promise<{ taken: number; drafted: number }> => {
  const all = { taken: 0, drafted: 0 }
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const [due] = await rowsOf<{ taken: string; drafted: string }>(deps.db, takeDue(deps.now(), null))
    const [taken, drafted] = [Number(due?.taken ?? 0), Number(due?.drafted ?? 0)]
    all.taken += taken
    all.drafted += drafted
    if (taken + drafted === 0) break
  }
  return all
}

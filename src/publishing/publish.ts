import { owned } from '../accounts/ownership.ts'
import { nextStatus, refusal } from '../articles/refusals.ts'
import { violatedUnique } from '../db/client.ts'
import { ApiError } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { TargetFactory } from './port.ts'
import { type PublishAnswer, publishedBody } from './present.ts'
import { type Publishable, publishableById, type TargetRow } from './queries.ts'
import { hasContent, LEASE_MS } from './rules.ts'
import { attempt, conclude, type Held, openTarget } from './send.ts'
import { snapshot } from './snapshot.ts'
import { claimOpenDelivery, claimWithNewDelivery } from './statements.ts'

const load = async (ctx: Ctx, id: number): Promise<Publishable> => {
  const [rows] = await ctx.read((owner) => [publishableById(ctx.db, owner, id)])
  return owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article')
}

export const noIntegration = (ctx: Ctx, projectId: number): ApiError => {
  const connectUrl = `${ctx.settings.publicUrl}/settings/integrations?project_id=${projectId}`
  return new ApiError('no_cms_integration', 'No CMS or webhook is connected to the project.', {
    connect_url: connectUrl,
    next_calls: [{ method: 'POST', path: `/projects/${projectId}/integrations`, why: 'Connects a webhook or a CMS.' }],
    instructions_for_agent: `Connect a webhook with POST /projects/${projectId}/integrations, or ask the user to connect the CMS at ${connectUrl}. Then publish again.`,
  })
}

const targetOf = (ctx: Ctx, { article, target }: Publishable): TargetRow => {
  if (!target) throw noIntegration(ctx, article.projectId)
  if (!hasContent(article.content))
    throw new ApiError('empty_content', 'The article has no content yet. Save content, then publish it.')
  return target
}

type Claimed = { id: number; attempts: number }

/** Claims the article with the delivery that is open for what it says now, or with a new one. Throws `publish_in_progress`. */
const claim = async (ctx: Ctx, { article, open }: Publishable, row: TargetRow, live: boolean) => {
  const now = ctx.now()
  const fresh = await snapshot(article, live, ctx.settings.publicUrl, now)
  const lease = new Date(now.getTime() + LEASE_MS)
  const common = { accountId: article.accountId, articleId: article.id, revision: article.revision, lease }
  const retaken = open !== null && open.key === fresh.key
  // What may have arrived before is sent again as it was, its date included.
  const request = retaken ? { ...fresh, article: open.payload, firstSentAt: open.createdAt.toISOString() } : fresh
  const target = { projectId: article.projectId, integrationId: row.id, replaces: open?.id ?? null }
  const statement = retaken
    ? claimOpenDelivery(ctx, { ...common, id: open.id })
    : claimWithNewDelivery(ctx, { ...common, ...target, live, request })
  const [claimed] = await ctx.write<Claimed>(statement).catch((error: unknown): Claimed[] => {
    if (violatedUnique(error) !== 'deliveries_open_unique') throw error
    return []
  })
  if (!claimed) throw refusal('publish_in_progress', 'publish', article.id)
  return { claimed, request, retaken }
}

/**
 * Publishes an article once: claims it, sends it, records the answer. 200 when the target has it (or had it before), 202
 * with the reason when the attempt failed, and then it is retried by itself where that can help. `live: false` sends a
 * draft. Throws 400 without a target or content, 404, 403, 409 while it is written or published.
 */
export const publishArticle = async (
  ctx: Ctx,
  targets: TargetFactory,
  id: number,
  live = true,
): Promise<PublishAnswer> => {
  const found = await load(ctx, id)
  const { article } = found
  if (nextStatus('publish', article, ctx.now()) === 'unchanged')
    return { status: 200, body: publishedBody(id, article.url) }
  const row = targetOf(ctx, found)
  const target = await openTarget(ctx, targets, row)
  if (!target) throw noIntegration(ctx, article.projectId)
  const { claimed, request, retaken } = await claim(ctx, found, row, live)
  const held: Held = {
    deliveryId: Number(claimed.id),
    number: Number(claimed.attempts),
    accountId: article.accountId,
    integrationId: row.id,
    articleId: id,
    shownArticleId: id,
    live,
    request,
  }
  // Whatever was under way before may have reached the target, so it is asked before anything is sent again.
  if (retaken && target.find) {
    const known = await target.find(request)
    if (known.kind === 'found') return await conclude(ctx, held, { ...known, kind: 'accepted' }, null)
    if (known.kind === 'unsure') return await conclude(ctx, held, { kind: 'unknown', reason: known.reason }, null)
  }
  return await attempt(ctx, target, held)
}

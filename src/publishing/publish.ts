import { owned } from '../accounts/ownership.ts'
import { nextStatus, refusal } from '../articles/refusals.ts'
import { violatedUnique } from '../db/client.ts'
import { ApiError } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { type PublicationFound, publicationQueries } from '../seo/publication.ts'
import { type ClaimRow, claimOpenDelivery, claimWithNewDelivery } from './claim-statements.ts'
import type { PublishRequest, PublishTarget, TargetFactory } from './port.ts'
import { type Prepared, prepareArticle } from './prepare.ts'
import { type PublishAnswer, publishedBody, unaccepted } from './present.ts'
import { type Publishable, projectOf, publishableById, type TargetRow } from './queries.ts'
import { askForReplaced } from './replaced.ts'
import { backAt, hasContent, leaseMs, TURN_WAITS_MS } from './rules.ts'
import { attempt, conclude, type Held, lookUpAgainAt, openTarget } from './send.ts'
import { snapshot } from './snapshot.ts'

const load = async (ctx: Ctx, id: number): Promise<Publishable & { asked: PublicationFound }> => {
  const [rows, ...asked] = await ctx.read((owner) => [
    publishableById(ctx.db, owner, id),
    ...publicationQueries(ctx.db, projectOf(id), id),
  ])
  return { ...owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article'), asked }
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

type Claimed =
  | { kind: 'claimed'; deliveryId: number; number: number; request: PublishRequest; retaken: boolean }
  | { kind: 'busy' | 'full' }

type Ready = {
  found: Publishable
  prepared: Prepared
  fresh: PublishRequest
  row: TargetRow
  live: boolean
  byClock: boolean
}

/**
 * Claims the article and the project's turn with the delivery that is open for what it says now, or with a new one. `busy`:
 * another article of the project is being published. Throws `publish_in_progress` when it is this one.
 */
const claim = async (ctx: Ctx, { found, prepared, fresh, row, live, byClock }: Ready): Promise<Claimed> => {
  const now = ctx.now()
  const { open } = found
  const { article, columns } = prepared
  const { accountId, projectId, revision } = article
  const lease = new Date(now.getTime() + leaseMs(row.platform))
  const readRevision = found.article.revision
  const holding = { accountId, projectId, articleId: article.id, revision, readRevision, columns, lease, byClock }
  const retaken = open !== null && open.key === fresh.key
  // What may have arrived before is sent again as it was, its date included.
  const request = retaken ? { ...fresh, article: open.payload, firstSentAt: open.createdAt.toISOString() } : fresh
  const statement = retaken
    ? claimOpenDelivery(ctx, { ...holding, id: open.id })
    : claimWithNewDelivery(ctx, { ...holding, integrationId: row.id, replaces: open?.id ?? null, live, request })
  const [got] = await ctx.write<ClaimRow>(statement).catch((error: unknown): ClaimRow[] => {
    if (violatedUnique(error) !== 'deliveries_open_unique') throw error
    return []
  })
  if (got?.id) return { kind: 'claimed', deliveryId: Number(got.id), number: Number(got.attempts), request, retaken }
  if (!got || got.held) throw refusal('publish_in_progress', 'publish', article.id)
  return { kind: got.busy ? 'busy' : 'full' }
}

/** Claims as soon as the project has no other publication under way; gives up after some 10 s. */
const claimInTurn = async (ctx: Ctx, ready: Ready): Promise<Claimed> => {
  for (const waitMs of TURN_WAITS_MS) {
    const claimed = await claim(ctx, ready)
    if (claimed.kind !== 'busy') return claimed
    await ctx.wait(waitMs * (0.5 + ctx.random()))
  }
  return await claim(ctx, ready)
}

/** Sends what is claimed. Whatever was under way before may have reached the target, so it is asked first then. */
const send = async (ctx: Ctx, target: PublishTarget, held: Held, retaken: boolean): Promise<PublishAnswer> => {
  if (retaken && target.find) {
    const known = await target.find(held.request)
    if (known.kind === 'found') return await conclude(ctx, held, { ...known, kind: 'accepted' }, null)
    if (known.kind === 'unsure') return await conclude(ctx, held, { kind: 'unknown', reason: known.reason }, null)
  }
  return await attempt(ctx, target, held)
}

type Given = { id: number; live: boolean; byClock: boolean }
type Outcome =
  | { kind: 'answered'; answer: PublishAnswer }
  | { kind: 'busy' | 'full' }
  | { kind: 'unsure'; answer: PublishAnswer }

/** The article as it goes out now, as a change of the post an earlier delivery left. Else the answer that this is not known. */
const compose = async (
  ctx: Ctx,
  target: PublishTarget,
  row: TargetRow,
  { found, prepared, live }: Pick<Ready, 'found' | 'prepared' | 'live'>,
): Promise<PublishRequest | { kind: 'unsure'; answer: PublishAnswer }> => {
  const now = ctx.now()
  const make = (remoteId: string | null) =>
    snapshot({ ...prepared.article, remoteId }, live, ctx.settings.publicUrl, now)
  const fresh = await make(found.article.remoteId)
  const left = await askForReplaced(ctx, target, found, fresh)
  if (left.kind === 'known') return left.remoteId === found.article.remoteId ? fresh : await make(left.remoteId)
  const held = { shownArticleId: found.article.id, deliveryId: left.deliveryId, platform: row.platform }
  const ending = { status: 'unknown' as const, error: left.reason, nextAt: lookUpAgainAt(ctx) }
  return { kind: 'unsure', answer: unaccepted(held, ending, { kind: 'unknown', reason: left.reason }) }
}

const publish = async (ctx: Ctx, targets: TargetFactory, { id, live, byClock }: Given): Promise<Outcome> => {
  const found = await load(ctx, id)
  const { article } = found
  if (nextStatus('publish', article, ctx.now()) === 'unchanged')
    return { kind: 'answered', answer: { status: 200, body: publishedBody(id, article.url) } }
  const row = targetOf(ctx, found)
  const target = await openTarget(ctx, targets, row)
  if (!target) throw noIntegration(ctx, article.projectId)
  const prepared = await prepareArticle(article, found.asked, found.isSent, ctx.now())
  const fresh = await compose(ctx, target, row, { found, prepared, live })
  if ('kind' in fresh) return fresh
  const ready = { found, prepared, fresh, row, live, byClock }
  const claimed = byClock ? await claim(ctx, ready) : await claimInTurn(ctx, ready)
  if (claimed.kind !== 'claimed') return claimed
  const held: Held = {
    deliveryId: claimed.deliveryId,
    number: claimed.number,
    lookups: claimed.retaken ? (found.open?.lookups ?? 0) : 0,
    platform: row.platform,
    accountId: article.accountId,
    projectId: article.projectId,
    integrationId: row.id,
    articleId: id,
    shownArticleId: id,
    due: article.dueTakenAt !== null,
    live,
    request: claimed.request,
  }
  return { kind: 'answered', answer: await send(ctx, target, held, claimed.retaken) }
}

/**
 * Publishes an article once: claims it, sends it, records the answer. 200 when the target has it (or had it before), 202
 * with the reason when the attempt failed, and then it is retried by itself where that can help. `live: false` sends a
 * draft. Waits up to some 10 s while another article of the project is published. Throws 400 without a target or content,
 * 404, 403, 409 while it is written or published, or when the project's turn did not come.
 */
export const publishArticle = async (
  ctx: Ctx,
  targets: TargetFactory,
  id: number,
  live = true,
): Promise<PublishAnswer> => {
  const outcome = await publish(ctx, targets, { id, live, byClock: false })
  if ('answer' in outcome) return outcome.answer
  throw new ApiError(
    'publish_in_progress',
    'Other articles of the project are being published, one at a time. Nothing was sent of this one; repeat the call.',
    { retry_after: 5 },
  )
}

/**
 * The same for what the clock sends, which waits for nothing: undefined when it ended, else when to come back, because
 * another article of the project is being published or the account has had its publications of this minute.
 */
export const publishByClock = async (
  ctx: Ctx,
  targets: TargetFactory,
  id: number,
  live: boolean,
): Promise<Date | undefined> => {
  const outcome = await publish(ctx, targets, { id, live, byClock: true })
  if (outcome.kind === 'answered') return undefined
  return outcome.kind === 'unsure' ? lookUpAgainAt(ctx) : backAt(outcome.kind, ctx.now(), ctx.random())
}

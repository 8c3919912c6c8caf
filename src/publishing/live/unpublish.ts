import type { PublishState } from '../../../schema/values/articles.ts'
import { proposedArticle } from '../../accounts/approvals/rules.ts'
import { refusalOrQuestion } from '../../accounts/policy/read.ts'
import { refuseArchived } from '../../accounts/projects/scope.ts'
import { detachCall, nextStatus, refusal } from '../../content/articles/refusals.ts'
import { statusAfter } from '../../content/articles/transitions.ts'
import { releaseArticle } from '../../content/articles/writes.ts'
import { noArticlePage } from '../../content/site/writes.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { noteUse } from '../connect/writes.ts'
import { takeCopiesDown } from '../copies/writes.ts'
import { tellGone } from '../engines/writes.ts'
import { settlePull, withdrawPull } from '../pulls/follow.ts'
import { liveSiteOf, type PublishableRow, publishableById, standingOf } from '../queries.ts'
import {
  changeInTime,
  continuesFields,
  continuesText,
  liveFailure,
  lookedUpFields,
  upstreamName,
  warningsOf,
} from '../send/answers.ts'
import { targetName } from '../send/approval.ts'
import { snapshot } from '../send/prepare.ts'
import { leaseMs } from '../send/rules.ts'
import { lookUpAgainAt } from '../send/run.ts'
import { noTarget, openTarget } from '../target/open.ts'
import type { PublishRequest, PublishTarget, TargetFactory, UnpublishOutcome } from '../target/publish-target.ts'
import { endOf, endProposed, failChange, forget, holdLive, type LiveChange } from './hold.ts'

type Removing = PublishTarget & { unpublish: NonNullable<PublishTarget['unpublish']> }

const canUnpublish = (target: PublishTarget): target is Removing => target.unpublish !== undefined

const unsupported = (why: string, id: number): ApiError =>
  new ApiError('unsupported_for_sync', `${why} Take the post down on the site itself.`, {
    article_id: id,
    next_calls: [detachCall(id)],
  })

const read = (ctx: Ctx, id: number) =>
  ctx.read((owner) => ({ rows: publishableById(ctx.db, owner, id), live: liveSiteOf(ctx.db, id) }))

const load = async (ctx: Ctx, targets: TargetFactory, id: number, { rows, live }: Awaited<ReturnType<typeof read>>) => {
  const { article, target: row } = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article')
  refuseArchived(article.projectId, article.projectStatus)
  nextStatus('unpublish', standingOf({ article, target: row }), ctx.now())
  const target = row && (await openTarget(ctx, targets, row))
  if (!row || !target) throw noTarget(ctx, article.projectId)
  if (live[0] && (live[0].platform !== row.platform || live[0].url !== row.url))
    throw unsupported('The article was published to a site that is no longer connected to the project.', id)
  if (!canUnpublish(target))
    throw unsupported(
      row.platform === 'webhook'
        ? 'A webhook has no event that takes a post down.'
        : `${row.platform} cannot take a post down.`,
      id,
    )
  return { article, row, target }
}

/** Returns the sentence about a post that readers no longer see. */
const stateText = (outcome: Extract<UnpublishOutcome, { kind: 'taken_down' | 'gone' }>): string => {
  if (outcome.kind === 'gone') return 'The site no longer has the post, so the article is a draft.'
  return outcome.siteStatus === undefined
    ? 'The post is now a draft at the site, and so is the article here.'
    : `The post has the status "${outcome.siteStatus}" at the site, so readers do not see it. The article here is a draft.`
}

const takenDown = (article: PublishableRow, outcome: Extract<UnpublishOutcome, { kind: 'taken_down' | 'gone' }>) => ({
  status: 'unpublished' as const,
  article_id: article.id,
  message: `${stateText(outcome)} POST /articles/${article.id}/publish ${outcome.kind === 'gone' ? 'creates it again' : 'publishes the same post again'}.`,
  ...warningsOf(outcome.kind === 'gone' ? undefined : outcome.notes),
})

/** Returns the error for a caller whose post a slow CMS has not taken down yet. */
const stillRemoving = (id: number, platform: string, reason: string): ApiError =>
  new ApiError('unpublish_failed', `${reason} ${continuesText(id, 'The post is still being taken down')}`, {
    article_id: id,
    upstream: { name: upstreamName(platform), message: reason },
    ...continuesFields(`/articles/${id}`),
  })

type Loaded = Awaited<ReturnType<typeof load>>

/** `answer`: kept for the caller, if a call brought it about. `states`: as in `endOf`. */
type Down = { isThere: boolean; answer?: object; states?: readonly PublishState[] }

/**
 * Makes the article a draft again. If the post still exists (`isThere`), its remote id and address are kept.
 *
 * The next publication then uses the same post.
 */
export const endTakenDown = async (
  ctx: Ctx,
  change: Pick<LiveChange, 'articleId' | 'accountId' | 'integrationId' | 'token'>,
  { isThere, answer, states }: Down,
): Promise<void> => {
  const now = ctx.now()
  const { articleId: id, accountId: account } = change
  const { lock, held, isHeld } = endOf(ctx, change, states)
  await ctx.batch({
    lock,
    ...when(isHeld, {
      noArticlePage: (isMet) => noArticlePage(ctx.db, id, { if: isMet }),
      told: tellGone(ctx, id),
      copies: takeCopiesDown(ctx, id),
      noteUse: noteUse(ctx.db, change.integrationId, null, now),
      forget: (isMet) => forget(ctx, id, { if: isMet, now }),
      kept: answer && ctx.keepDone(answer),
      audit: audit(ctx, { account, action: 'article.unpublish', on: ['article', id] }),
    }),
    releaseArticle: releaseArticle(ctx.db, 'idle', null, held, {
      status: statusAfter('unpublish'),
      sentAsDraftAt: isThere ? now : null,
      ...(isThere ? {} : { remoteId: null, url: null }),
      dueTakenAt: null,
      receipt: null,
      updatedAt: now,
    }),
  })
  ctx.defer(ctx.wakeQueue())
}

/** Leaves the article published, with the reason why its post was not, or may not have been, taken down. */
const endNotTakenDown = async (
  ctx: Ctx,
  change: LiveChange,
  error: string,
  nextAt: Date | undefined,
): Promise<void> => {
  const { articleId: id, accountId: account } = change
  const { lock, isHeld } = endOf(ctx, change)
  await ctx.batch({
    lock,
    ...when(isHeld, {
      noteUse: noteUse(ctx.db, change.integrationId, error, ctx.now()),
      dropped: ctx.keepDropped(),
      audit: audit(ctx, { account, action: 'article.unpublish_failed', on: ['article', id] }),
    }),
    failChange: failChange(ctx, change, { error, nextAt }),
  })
  if (nextAt) ctx.defer(ctx.wakeQueue())
}

/** Takes the post of a held article down and records the outcome. Throws 502 with the target's reason. */
const removePost = async (ctx: Ctx, change: LiveChange, { article, target }: Loaded, request: PublishRequest) => {
  await ctx.step('claimed')
  const outcome = await target.unpublish(request)
  await ctx.step('answered')
  if (outcome.kind === 'taken_down' || outcome.kind === 'gone') {
    const answer = takenDown(article, outcome)
    await endTakenDown(ctx, change, { isThere: outcome.kind === 'taken_down', answer })
    return answer
  }
  if (outcome.kind === 'proposed') {
    const answer = {
      status: 'awaiting_merge' as const,
      article_id: article.id,
      pull_request: outcome.url,
      message: 'Readers see the article until somebody merges the pull request, which takes it down.',
    }
    await endProposed(ctx, change, outcome.reason, answer)
    return answer
  }
  const nextAt = outcome.kind === 'unknown' ? lookUpAgainAt(ctx) : undefined
  await endNotTakenDown(ctx, change, storableText(outcome.reason), nextAt)
  throw liveFailure('unpublish_failed', change, outcome, nextAt ? lookedUpFields(article.id) : {})
}

/**
 * Closes the pull request of an article that is not published yet. It becomes a draft.
 *
 * Throws 404, 403, 409 if the pull request was merged or closed meanwhile, and 502 with the host's reason.
 */
export const withdrawArticle = async (ctx: Ctx, targets: TargetFactory, id: number) => {
  const [row] = (await read(ctx, id)).rows
  const { article, open } = owned(row && { row, mine: row.mine }, 'article')
  const isWaiting = open?.status === 'awaiting_merge' && article.status !== 'Published'
  const withdrawn = isWaiting ? await withdrawPull(ctx, targets, open.id) : undefined
  if (withdrawn) return withdrawn
  throw refusal('sync_in_progress', 'unpublish', id)
}

/**
 * Takes a published article down: it becomes a draft at the target and here, with the same slug and remote id. Closes the pull request of
 * an article that is not published yet.
 *
 * Throws 400 (not published, no target, unsupported target), 404, 403, 409 while another change runs, and 502 with the
 * target's reason. If the outcome is unknown, the article stays published here until the site was asked, and the call can
 * be repeated.
 */
export const unpublishArticle = async (ctx: Ctx, targets: TargetFactory, id: number) => {
  const first = await read(ctx, id)
  const found = first.rows[0]
  const open = found?.mine && found.open?.status === 'awaiting_merge' ? found.open : undefined
  if (open && found?.article.status !== 'Published') return await withdrawArticle(ctx, targets, id)
  if (open) await settlePull(ctx, targets, open.id)
  const loaded = await load(ctx, targets, id, open ? await read(ctx, id) : first)
  const { article, row } = loaded
  const now = ctx.now()
  const request = await snapshot(ctx, article, false, now)
  const subject = `unpublish:${id}`
  const change: LiveChange = {
    kind: 'unpublish',
    subject,
    articleId: id,
    accountId: article.accountId,
    projectId: article.projectId,
    integrationId: row.id,
    platform: row.platform,
    token: ctx.newId(),
    lease: new Date(now.getTime() + leaseMs(row.platform)),
  }
  const { isHeld, rule } = await holdLive(ctx, change)
  if (!isHeld && rule)
    throw await refusalOrQuestion(ctx, article.projectId, rule, 'unpublish', () => ({
      kind: 'unpublish',
      projectId: article.projectId,
      subject,
      articleId: id,
      target: targetName(row),
      proposed: proposedArticle(request.article),
    }))
  if (!isHeld) throw refusal('sync_in_progress', 'unpublish', id)
  const removing = removePost(ctx, change, loaded, request)
  return await changeInTime(ctx, row.platform, removing, (reason) => stillRemoving(id, row.platform, reason))
}

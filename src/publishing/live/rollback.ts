import { and, eq, sql } from 'drizzle-orm'
import { remoteVersions } from '../../../schema/remote.ts'
import type { Proposed } from '../../../schema/values/approvals.ts'
import { refusalOrQuestion } from '../../accounts/policy/read.ts'
import { refuseArchived } from '../../accounts/projects/scope.ts'
import { revisionBefore } from '../../content/articles/parts.ts'
import { nextStatus, refusal } from '../../content/articles/refusals.ts'
import { releaseArticle } from '../../content/articles/writes.ts'
import { markUndone } from '../../insights/effects/writes.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { audit } from '../../platform/db/writes.ts'
import { finishJob } from '../../platform/jobs/enqueue.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { noteUse } from '../connect/writes.ts'
import { lostRollbackJob } from '../jobs.ts'
import { checkLivePage } from '../live-page.ts'
import { type PublishableRow, publishableById, standingOf } from '../queries.ts'
import { keepingOf, versionsOf } from '../remote.ts'
import { changeInTime, continuesFields, continuesText, warningsOf } from '../send/answers.ts'
import { targetName } from '../send/approval.ts'
import { leaseMs } from '../send/rules.ts'
import { noTarget, openTarget } from '../target/open.ts'
import type { PublishTarget, TargetFactory } from '../target/publish-target.ts'
import { endOf, type Hold, holdLive, releaseLost } from './hold.ts'
import type { RollbackArticleInput } from './operations.ts'

type Restoring = PublishTarget & { restore: NonNullable<PublishTarget['restore']> }

const canRestore = (target: PublishTarget): target is Restoring => target.restore !== undefined

/** Returns the error for a target that keeps no versions. `older`: the article's previous revision. */
const unsupported = (platform: string, id: number, older: number | undefined): ApiError =>
  new ApiError(
    'unsupported_for_sync',
    `A ${platform} target does not keep what readers saw before, so nothing can be restored from it. Restore a revision of the article and sync it.`,
    {
      next_calls: [
        ...(older === undefined
          ? []
          : [
              {
                method: 'POST',
                path: `/articles/${id}/revisions/${older}/restore`,
                body: { sync: true },
                why: 'Saves the version before the present one and sends it to the site.',
              },
            ]),
        { method: 'GET', path: `/articles/${id}/revisions`, why: 'Lists the versions saved here.' },
        { method: 'POST', path: `/articles/${id}/sync`, why: 'Sends the article to the site as it is saved.' },
      ],
    },
  )

const nothingKept = (): ApiError =>
  new ApiError(
    'nothing_to_roll_back',
    'No earlier version of this post is kept: it has not been changed since it was published.',
  )

const load = async (ctx: Ctx, targets: TargetFactory, id: number, input: RollbackArticleInput) => {
  const [rows, versions, [before]] = await ctx.read((owner) => [
    publishableById(ctx.db, owner, id),
    versionsOf(ctx.db, id, input.version_id),
    revisionBefore(ctx.db, id),
  ])
  const found = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article')
  refuseArchived(found.article.projectId, found.article.projectStatus)
  nextStatus('rollback', standingOf(found), ctx.now())
  const target = found.target && (await openTarget(ctx, targets, found.target))
  if (!found.target || !target) throw noTarget(ctx, found.article.projectId)
  if (!canRestore(target)) throw unsupported(found.target.platform, id, before?.revision)
  const version = versions[0]
  if (!version || version.integrationId !== found.target.id || found.article.remoteId === null) throw nothingKept()
  return { article: found.article, remoteId: found.article.remoteId, target, row: found.target, version }
}

const rolledBack = (
  article: PublishableRow,
  { url, isHidden, notes }: { url: string | null; isHidden: boolean; notes: readonly string[] | undefined },
  versionId: number,
) => ({
  status: 'rolled_back' as const,
  article_id: article.id,
  version_id: versionId,
  url: isHidden ? null : (url ?? article.url),
  message: `The ${isHidden ? 'post has the earlier version again, which readers do not see' : 'site shows the earlier version again'}. The version that it replaced is kept, so rolling back again undoes this. The article saved here was not changed.`,
  ...warningsOf(notes),
})

/** Returns the error for a caller of a rollback that a slow CMS has not finished. */
const stillRestoring = (id: number, platform: string, reason: string): ApiError =>
  new ApiError('rollback_failed', `${reason} ${continuesText(id, 'The rollback continues')}`, {
    article_id: id,
    upstream: { name: platform, message: reason },
    ...continuesFields(`/articles/${id}`),
  })

/** Returns the texts of a version with their names. Each platform stores versions in its own form. */
const textsOf = (version: unknown, name = ''): [name: string, text: string][] => {
  if (typeof version === 'string') return version.trim() === '' ? [] : [[name, version]]
  if (typeof version !== 'object' || version === null) return []
  return Object.entries(version).flatMap(([key, value]) => textsOf(value, name === '' ? key : `${name}.${key}`))
}

/** Returns a version as the person who approves it reads it. Its longest text is the body. */
const proposedVersion = (title: string, { id, version, takenAt }: Loaded['version']): Proposed => {
  const texts = textsOf(version)
  const [name, body] = texts.reduce((most, text) => (text[1].length > most[1].length ? text : most), ['', ''])
  const kept = { 'Kept version': String(id), 'Shown until': takenAt.toISOString() }
  const fields = Object.fromEntries(texts.filter(([other]) => other !== name))
  return { title, body, format: body.includes('<') ? 'html' : 'text', fields: { ...kept, ...fields } }
}

type Loaded = Awaited<ReturnType<typeof load>>

/** Puts the version back for a held article and records the outcome. Throws 502 with the CMS's reason. */
const putBack = async (ctx: Ctx, rollback: Hold, { article, remoteId, target, row, version }: Loaded) => {
  const id = article.id
  await ctx.step('claimed')
  const outcome = await target.restore(remoteId, version.version, keepingOf(ctx, row.id, id))
  await ctx.step('answered')
  const error = outcome.kind === 'accepted' ? null : storableText(outcome.reason)
  const url = outcome.kind === 'accepted' ? (outcome.url ?? null) : null
  const notes = outcome.kind === 'accepted' ? outcome.notes : undefined
  const isHidden = outcome.kind === 'accepted' && outcome.isHidden === true
  const answer = rolledBack(article, { url, isHidden, notes }, version.id)
  const now = ctx.now()
  const { lock, held, isHeld } = endOf(ctx, rollback)
  const entry = {
    account: rollback.accountId,
    action: error === null ? 'article.rollback' : 'article.rollback_failed',
    on: ['article', id],
    detail: { version: version.id },
  } as const
  await ctx.batch([
    lock,
    ctx.db
      .update(remoteVersions)
      .set({ restoredAt: error === null ? now : null })
      .where(and(eq(remoteVersions.id, version.id), isHeld)),
    noteUse(ctx.db, row.id, error, { if: isHeld, now }),
    finishJob(ctx.db, lostRollbackJob, id, { if: isHeld, now }),
    // If the outcome is unknown, readers may see the version too.
    ...(outcome.kind === 'refused' ? [] : markUndone(ctx.db, rollback, { if: isHeld, now })),
    error === null && checkLivePage(rollback, url, { if: isHeld, now }),
    error === null ? ctx.keepDone(answer, { if: isHeld }) : ctx.keepDropped({ if: isHeld }),
    audit(ctx, { ...entry, if: isHeld }),
    releaseArticle(ctx.db, error === null ? 'idle' : 'failed', error, held, {
      ...(url === null ? {} : { url }),
      ...(error === null ? { receipt: null } : {}),
    }),
  ])
  ctx.defer(ctx.wakeQueue())
  if (error === null) return answer
  throw new ApiError('rollback_failed', error, {
    article_id: id,
    retryable: outcome.kind !== 'refused' || outcome.retryable,
    upstream: {
      name: row.platform,
      ...(outcome.httpStatus === undefined ? {} : { status: outcome.httpStatus }),
      message: error,
    },
  })
}

/**
 * Puts back what the CMS showed before this service's last change there, or the given version.
 *
 * The version that readers see now is kept first. Throws 400 (not published, no target, unsupported platform), 404, and
 * 403, also if the policy forbids it. Throws 409 while another change runs or if no version was kept, and 502 with the
 * CMS's reason.
 */
export const rollbackArticle = async (ctx: Ctx, targets: TargetFactory, id: number, input: RollbackArticleInput) => {
  const loaded = await load(ctx, targets, id, input)
  const { article, row } = loaded
  const lease = new Date(ctx.now().getTime() + leaseMs(row.platform))
  const { accountId, projectId } = article
  const { version } = loaded
  const subject = `rollback:${id}:${version.id}:${version.integrationId}`
  const rollback = { articleId: id, accountId, projectId, target: row.platform, lease, subject }
  const { isHeld, rule } = await holdLive(ctx, rollback, 'rollback', lostRollbackJob)
  if (!isHeld && rule)
    throw await refusalOrQuestion(ctx, projectId, rule, 'rollback', () => ({
      kind: 'rollback',
      projectId,
      subject,
      articleId: id,
      target: targetName(row),
      proposed: proposedVersion(article.title, version),
      body: { version_id: version.id },
    }))
  if (!isHeld) throw refusal('sync_in_progress', 'sync', id)
  const restoring = putBack(ctx, rollback, loaded)
  return await changeInTime(ctx, row.platform, restoring, (reason) => stillRestoring(id, row.platform, reason))
}

const LOST =
  'The rollback was interrupted, so it is not known whether the site shows the earlier version. Check the page; roll back again if it does not.'

/** Releases an article whose rollback crashed before it recorded its outcome. */
export const releaseLostRollback = async (ctx: Ctx, articleId: number, lease: Date): Promise<JobResult> => {
  const { id: accountId } = await ctx.account()
  const projectId = sql`(select project_id from articles where id = ${articleId}::int)`
  const changed = { articleId, accountId, projectId }
  await releaseLost(ctx, { articleId, lease }, LOST, (isHeld) =>
    markUndone(ctx.db, changed, { if: isHeld, now: ctx.now() }),
  )
  return { kind: 'done' }
}

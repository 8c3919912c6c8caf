import { and, eq } from 'drizzle-orm'
import { remoteVersions } from '../../../schema/remote.ts'
import type { Proposed } from '../../../schema/values/approvals.ts'
import { refusalOrQuestion } from '../../accounts/policy/read.ts'
import { refuseArchived } from '../../accounts/projects/scope.ts'
import { revisionBefore } from '../../content/articles/parts.ts'
import { nextStatus, refusal } from '../../content/articles/refusals.ts'
import { releaseArticle } from '../../content/articles/writes.ts'
import { markUndone } from '../../insights/effects/writes.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { noteUse } from '../connect/writes.ts'
import { checkLivePage } from '../live-page.ts'
import { settlePull } from '../pulls/follow.ts'
import { isComingDownNow, type PublishableRow, publishableById, standingOf } from '../queries.ts'
import { keepingOf, versionsOf } from '../remote.ts'
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
import type { PublishRequest, PublishTarget, TargetFactory } from '../target/publish-target.ts'
import { endOf, endProposed, failChange, forget, holdLive, type LiveChange } from './hold.ts'
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

const read = (ctx: Ctx, id: number, input: RollbackArticleInput) =>
  ctx.read((owner) => ({
    rows: publishableById(ctx.db, owner, id),
    versions: versionsOf(ctx.db, id, input.version_id),
    before: revisionBefore(ctx.db, id),
  }))

/** Reads an article and its kept versions. If its pull request was merged or closed meanwhile, that is recorded first. */
const readSettled = async (ctx: Ctx, targets: TargetFactory, id: number, input: RollbackArticleInput) => {
  const found = await read(ctx, id, input)
  const open = found.rows[0]?.mine ? found.rows[0].open : null
  const isSettled = open?.status === 'awaiting_merge' && (await settlePull(ctx, targets, open.id))
  return isSettled ? await read(ctx, id, input) : found
}

const load = async (ctx: Ctx, targets: TargetFactory, id: number, input: RollbackArticleInput) => {
  const {
    rows,
    versions,
    before: [before],
  } = await readSettled(ctx, targets, id, input)
  const found = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article')
  refuseArchived(found.article.projectId, found.article.projectStatus)
  nextStatus('rollback', standingOf(found), ctx.now())
  if (isComingDownNow(found.article)) throw refusal('sync_in_progress', 'rollback', id)
  const target = found.target && (await openTarget(ctx, targets, found.target))
  if (!found.target || !target) throw noTarget(ctx, found.article.projectId)
  if (!canRestore(target)) throw unsupported(found.target.platform, id, before?.revision)
  const version = versions[0]
  if (!version || version.integrationId !== found.target.id || found.article.remoteId === null) throw nothingKept()
  return { article: found.article, target, row: found.target, version }
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

const proposedAnswer = (id: number, versionId: number, url: string) => ({
  status: 'awaiting_merge' as const,
  article_id: id,
  version_id: versionId,
  pull_request: url,
  message:
    'Readers see the present version until somebody merges the pull request, which brings the earlier one back. The article saved here was not changed.',
})

/** Returns the error for a caller of a rollback that a slow CMS has not finished. */
const stillRestoring = (id: number, versionId: number, platform: string, reason: string): ApiError =>
  new ApiError('rollback_failed', `${reason} ${continuesText(id, 'The rollback continues')}`, {
    article_id: id,
    version_id: versionId,
    upstream: { name: upstreamName(platform), message: reason },
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

/** Records that the site shows the version again. `url`: the post's address, if the site returned one. */
export const endRestored = async (ctx: Ctx, change: LiveChange, url: string | null, answer?: object): Promise<void> => {
  const now = ctx.now()
  const { articleId: id, versionId = 0, accountId: account } = change
  const { lock, held, isHeld } = endOf(ctx, change)
  await ctx.batch({
    lock,
    ...when(isHeld, {
      changedRemoteVersions: (isMet) =>
        ctx.db
          .update(remoteVersions)
          .set({ restoredAt: now })
          .where(and(eq(remoteVersions.id, versionId), isMet)),
      noteUse: noteUse(ctx.db, change.integrationId, null, now),
      forget: (isMet) => forget(ctx, id, { if: isMet, now }),
      markUndone: (isMet) => markUndone(ctx.db, change, { if: isMet, now }),
      checkLivePage: (isMet) => checkLivePage({ ...change, isRestored: true }, url, { if: isMet, now }),
      kept: answer && ctx.keepDone(answer),
      audit: audit(ctx, {
        account,
        action: 'article.rollback',
        on: ['article', id],
        detail: { version: versionId },
      }),
    }),
    releaseArticle: releaseArticle(ctx.db, 'idle', null, held, { ...(url === null ? {} : { url }), receipt: null }),
  })
  ctx.defer(ctx.wakeQueue())
}

/** Records that the version was not put back, or may not have been. */
const endNotRestored = async (
  ctx: Ctx,
  change: LiveChange,
  { error, nextAt }: { error: string; nextAt: Date | undefined },
): Promise<void> => {
  const now = ctx.now()
  const { articleId: id, versionId: version = 0, accountId: account } = change
  const { lock, isHeld } = endOf(ctx, change)
  await ctx.batch({
    lock,
    noteUse: noteUse(ctx.db, change.integrationId, error, now)(isHeld),
    // If the outcome is unknown, readers may see the version too.
    markUndone: nextAt ? markUndone(ctx.db, change, { if: isHeld, now }) : [],
    ...when(isHeld, {
      dropped: ctx.keepDropped(),
      audit: audit(ctx, {
        account,
        action: 'article.rollback_failed',
        on: ['article', id],
        detail: { version },
      }),
    }),
    failChange: failChange(ctx, change, { error, nextAt }),
  })
  if (nextAt) ctx.defer(ctx.wakeQueue())
}

/** Puts the version back for a held article and records the outcome. Throws 502 with the CMS's reason. */
const putBack = async (
  ctx: Ctx,
  change: LiveChange,
  { article, target, row, version }: Loaded,
  request: PublishRequest,
) => {
  const id = article.id
  await ctx.step('claimed')
  const outcome = await target.restore(request, version.version, keepingOf(ctx, row.id, id))
  await ctx.step('answered')
  if (outcome.kind === 'proposed') {
    const answer = proposedAnswer(id, version.id, outcome.url)
    await endProposed(ctx, change, outcome.reason, answer)
    return answer
  }
  if (outcome.kind === 'accepted') {
    const { url = null, notes, isHidden = false } = outcome
    const answer = rolledBack(article, { url, isHidden, notes }, version.id)
    await endRestored(ctx, change, url, answer)
    return answer
  }
  const nextAt = outcome.kind === 'unknown' ? lookUpAgainAt(ctx) : undefined
  await endNotRestored(ctx, change, { error: storableText(outcome.reason), nextAt })
  const why = 'Continues the rollback to the same version.'
  const again = { method: 'POST', path: `/articles/${id}/rollback`, body: { version_id: version.id }, why }
  const { next_calls: looks = [], ...more } = nextAt ? lookedUpFields(id) : {}
  throw liveFailure('rollback_failed', change, outcome, {
    version_id: version.id,
    ...more,
    next_calls: [...looks, again],
  })
}

/**
 * Puts back what the CMS showed before this service's last change there, or the given version. If changes go to pull requests, one is
 * opened for it.
 *
 * Until a rollback succeeds, the same call goes to the version that the first one chose.
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
  const change: LiveChange = {
    kind: 'rollback',
    articleId: id,
    accountId,
    projectId,
    integrationId: row.id,
    platform: row.platform,
    token: ctx.newId(),
    lease,
    versionId: version.id,
    subject,
  }
  // Made before the article is held: what fails here leaves nothing behind.
  const request = await snapshot(ctx, article, true, ctx.now())
  const { isHeld, rule } = await holdLive(ctx, change)
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
  const restoring = putBack(ctx, change, loaded, request)
  return await changeInTime(ctx, row.platform, restoring, (reason) =>
    stillRestoring(id, version.id, row.platform, reason),
  )
}

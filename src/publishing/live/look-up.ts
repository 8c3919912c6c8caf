import { eq, sql } from 'drizzle-orm'
import { liveChanges } from '../../../schema/remote.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import { releaseArticle } from '../../content/articles/writes.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { closedError } from '../pulls/follow.ts'
import { askPullAgainMs, waitsText } from '../pulls/rules.ts'
import { type PublishableRow, publishableById } from '../queries.ts'
import { dropVersion, liveChangeOf, versionsKept } from '../remote.ts'
import { snapshot } from '../send/prepare.ts'
import { askAgainMs } from '../send/rules.ts'
import { lookUpAgainAt } from '../send/run.ts'
import { openTarget, type TargetRow } from '../target/open.ts'
import type { FindOutcome, PublishTarget, TargetFactory } from '../target/publish-target.ts'
import { endOf, endProposed, failChange, forget, type LiveChange } from './hold.ts'
import { endRestored } from './rollback.ts'
import { endTakenDown } from './unpublish.ts'

const CANNOT_ASK = 'The site of the post is no longer connected to the project.'

/** End of a change as the site shows it. `dropped`: id of the version that was kept for nothing. */
type End =
  | { kind: 'made'; isThere: boolean }
  | { kind: 'not_made'; error: string; dropped?: number | undefined }
  | { kind: 'unsure'; reason: string }

const STILL_SHOWN = 'The post was not taken down: readers still see it. Unpublish the article again.'
const NOT_RESTORED =
  'The rollback was not made: the site shows the post as it was before. Roll back again; the call continues to the same version.'
const NEITHER =
  'The post at the site is neither the earlier version nor the one that the rollback replaced. Look at the page, then roll back again if it is not right.'

/** Asks the site whether the post is public, in words of a take-down. */
const lookAtPost = async (ctx: Ctx, target: PublishTarget, article: PublishableRow): Promise<End> => {
  const request = await snapshot(ctx, article, true, ctx.now())
  const known: FindOutcome = (await target.find?.(request)) ?? { kind: 'unsure', reason: CANNOT_ASK }
  if (known.kind === 'found') return { kind: 'not_made', error: STILL_SHOWN }
  return known.kind === 'unsure' ? known : { kind: 'made', isThere: known.remoteId !== undefined }
}

type Kept = Awaited<ReturnType<typeof versionsKept>>[number]

/** Returns the version that a rollback to another one kept. */
const replacedOf = (versions: readonly Kept[], versionId: number | null): Kept | undefined =>
  versions.find(({ id }) => versionId !== null && id > versionId)

/** Compares the post with the version that the rollback goes to, then with the one that it replaces. */
const lookAtVersion = async (
  target: PublishTarget,
  remoteId: string,
  versions: readonly Kept[],
  versionId: number | null,
): Promise<End> => {
  const wanted = versions.find(({ id }) => id === versionId)
  const replaced = replacedOf(versions, versionId)
  if (!wanted || !target.hasVersion) return { kind: 'not_made', error: NEITHER }
  const is = await target.hasVersion(remoteId, wanted.version)
  if (is.kind === 'unsure') return is
  if (is.kind === 'found') return { kind: 'made', isThere: true }
  const was = replaced && (await target.hasVersion(remoteId, replaced.version))
  if (was?.kind === 'unsure') return was
  return was?.kind === 'found'
    ? { kind: 'not_made', error: NOT_RESTORED, dropped: replaced?.id }
    : { kind: 'not_made', error: NEITHER }
}

/**
 * Looks at the pull request of a take-down or a rollback. Returns `open` while nobody merged or closed it; undefined if the site has to
 * be asked: after the merge of a take-down.
 */
const lookAtPull = async (
  ctx: Ctx,
  target: PublishTarget,
  article: PublishableRow,
  { kind, versionId }: typeof liveChanges.$inferSelect,
  versions: readonly Kept[],
): Promise<End | 'open' | undefined> => {
  const pull = await target.pull?.(await snapshot(ctx, article, true, ctx.now()))
  if (pull?.kind !== 'done' || pull.value.state === 'open' || pull.value.state === 'none') return 'open'
  const { state, url, said } = pull.value
  if (state === 'merged') return kind === 'rollback' ? { kind: 'made', isThere: true } : undefined
  return { kind: 'not_made', error: closedError(url, said), dropped: replacedOf(versions, versionId)?.id }
}

const TOO_LONG: Readonly<Record<LiveChange['kind'], string>> = {
  unpublish:
    'The pull request that takes the post down was neither merged nor closed for 30 days. Unpublish the article again.',
  rollback:
    'The pull request with the earlier version was neither merged nor closed for 30 days. Roll the article back again.',
}

/** Returns when the pull request of a change is looked at again; undefined after 30 days. */
const nextLook = (ctx: Ctx, since: Date): Date | undefined => {
  const waitMs = askPullAgainMs((ctx.now().getTime() - since.getTime()) * ctx.settings.retryTimeScale)
  return waitMs === undefined ? undefined : lookUpAgainAt(ctx, waitMs)
}

/** Returns the address of the open pull request that has the change of a call that crashed; undefined if there is none. */
const proposedAt = async (
  ctx: Ctx,
  target: PublishTarget,
  article: PublishableRow,
  { kind, versionId }: typeof liveChanges.$inferSelect,
  versions: readonly Kept[],
): Promise<string | undefined> => {
  const version = versions.find(({ id }) => id === versionId)?.version
  const change =
    kind === 'unpublish' ? ({ intent: 'take_down' } as const) : version && { intent: 'restore' as const, version }
  if (!target.pull || !change) return undefined
  const pull = await target.pull(await snapshot(ctx, article, true, ctx.now()), change)
  const isOpen = pull.kind === 'done' && pull.value.state === 'open' && pull.value.isCurrent
  return isOpen ? (pull.value.url ?? undefined) : undefined
}

const load = async (ctx: Ctx, articleId: number) => {
  const { rows, changes, versions } = await ctx.read((owner) => ({
    rows: publishableById(ctx.db, owner, articleId),
    changes: liveChangeOf(ctx.db, articleId),
    versions: versionsKept(ctx.db, articleId),
  }))
  return { found: rows[0], change: changes[0], versions }
}

const changeOf = (article: PublishableRow, target: TargetRow, row: typeof liveChanges.$inferSelect): LiveChange => ({
  kind: row.kind,
  articleId: article.id,
  accountId: article.accountId,
  projectId: article.projectId,
  integrationId: target.id,
  platform: target.platform,
  token: row.token,
  lease: article.publishLeaseUntil ?? row.updatedAt,
  ...(row.versionId === null ? {} : { versionId: row.versionId }),
})

/** Records the end of a change that was looked up. */
const conclude = async (ctx: Ctx, change: LiveChange, end: Exclude<End, { kind: 'unsure' }>): Promise<void> => {
  if (end.kind === 'made' && change.kind === 'unpublish') {
    await endTakenDown(ctx, change, { isThere: end.isThere })
    return
  }
  if (end.kind === 'made') return await endRestored(ctx, change, null)
  const { lock, isHeld } = endOf(ctx, change)
  await ctx.batch(
    {
      lock,
      dropVersion: end.dropped !== undefined && dropVersion(ctx.db, end.dropped, isHeld),
      failChange: failChange(ctx, change, { error: end.error }),
    },
    { unaudited: 'the call is in the audit log; this is what the site showed afterwards' },
  )
}

/** Records that the site could not say how a change ended. Returns when it is asked again; undefined if it is given up. */
const askLater = async (ctx: Ctx, change: LiveChange, lookups: number, reason: string): Promise<Date | undefined> => {
  const waitMs = askAgainMs(lookups + 1)
  const nextAt = waitMs === undefined ? undefined : lookUpAgainAt(ctx, waitMs)
  const { lock, isHeld } = endOf(ctx, change)
  const error = storableText(
    nextAt
      ? `It is not known whether the change was made. ${reason}`
      : `The site gave no clear answer for a day, so it is not known whether the change was made. Look at the page. ${reason}`,
  )
  await ctx.batch(
    {
      lock,
      changedLiveChanges: ctx.db
        .update(liveChanges)
        .set({ lookups: sql`${liveChanges.lookups} + 1` })
        .where(sql`${eq(liveChanges.articleId, change.articleId)} and ${isHeld}`),
      failChange: failChange(ctx, change, { error, nextAt }),
    },
    { unaudited: 'nobody did anything; the article shows that it is not known what the site has' },
  )
  return nextAt
}

/**
 * Asks the site how a rollback or a take-down ended, and records it. Asks again later if the site cannot say.
 *
 * Does nothing if another change followed or the end is known.
 */
export const lookUpLiveChange = async (
  ctx: Ctx,
  targets: TargetFactory,
  articleId: number,
  token: string,
): Promise<JobResult> => {
  const { found, change: row, versions } = await load(ctx, articleId)
  if (!found || row?.token !== token || found.article.publishToken !== token) return { kind: 'done' }
  const { article } = found
  const until = article.publishState === 'publishing' ? article.publishLeaseUntil : null
  if (until && until > ctx.now()) return { kind: 'later', at: until }
  const isHere = found.target?.id === row.integrationId && article.remoteId !== null
  const target = found.target && isHere ? await openTarget(ctx, targets, found.target) : undefined
  if (!found.target || !target) {
    await giveUpLiveChange(ctx, articleId, token, CANNOT_ASK)
    return { kind: 'done' }
  }
  const change = changeOf(article, found.target, row)
  const pull =
    article.publishState === 'awaiting_merge' ? await lookAtPull(ctx, target, article, row, versions) : undefined
  if (pull === 'open') {
    const at = nextLook(ctx, row.updatedAt)
    if (at) return { kind: 'later', at }
  }
  const proposed =
    pull === undefined && article.publishState !== 'awaiting_merge'
      ? await proposedAt(ctx, target, article, row, versions)
      : undefined
  if (proposed !== undefined) {
    await endProposed(ctx, change, waitsText(proposed))
    return { kind: 'settled' }
  }
  const ended = pull === 'open' ? ({ kind: 'not_made', error: TOO_LONG[row.kind] } as const) : pull
  const end =
    ended ??
    (row.kind === 'unpublish'
      ? await lookAtPost(ctx, target, article)
      : await lookAtVersion(target, article.remoteId ?? '', versions, row.versionId))
  if (end.kind !== 'unsure') {
    await conclude(ctx, change, end)
    return { kind: 'settled' }
  }
  const at = await askLater(ctx, change, row.lookups, end.reason)
  return at ? { kind: 'settled' } : { kind: 'done' }
}

/** Releases an article whose change is not looked up any more. */
export const giveUpLiveChange = async (ctx: Ctx, articleId: number, token: string, reason: string): Promise<void> => {
  const { lock } = endOf(ctx, { articleId, token })
  const error = `It is not known whether the change was made at the site. Look at the page. ${reason}`
  await ctx.batch(
    { lock, failChange: failChange(ctx, { articleId, token }, { error }) },
    {
      unaudited: 'nobody did anything; the article shows that it is not known what the site has',
    },
  )
}

/** Visibility of a published article to readers. `unsaid`: the target cannot be asked. */
type Standing = { kind: 'shown' | 'hidden' | 'unsaid' } | { kind: 'unsure'; reason: string }

const NOT_RIGHT: readonly PublishState[] = ['unknown', 'failed']

/**
 * Asks the site whether readers see a published article whose last change failed or has no known end.
 *
 * A post that they do not see makes the article a draft, so that it can be published. A take-down that was not made is
 * forgotten.
 */
export const standingAtSite = async (
  ctx: Ctx,
  target: PublishTarget,
  row: TargetRow,
  article: PublishableRow,
): Promise<Standing> => {
  const { id: articleId, accountId, publishToken: token } = article
  if (!target.find || article.remoteId === null || token === null) return { kind: 'unsaid' }
  const seen = await lookAtPost(ctx, target, article)
  if (seen.kind === 'unsure') return seen
  const change = { articleId, accountId, integrationId: row.id, token }
  if (seen.kind === 'made') {
    await endTakenDown(ctx, change, { isThere: seen.isThere, states: NOT_RIGHT })
    return { kind: 'hidden' }
  }
  const { lock, held, isHeld } = endOf(ctx, change, NOT_RIGHT)
  if (article.liveChange === 'unpublish' && article.siteLacks.length === 0)
    await ctx.batch(
      {
        lock,
        forget: forget(ctx, articleId, { if: isHeld, now: ctx.now() }),
        releaseArticle: releaseArticle(ctx.db, 'idle', null, held),
      },
      { unaudited: 'nothing changed; the site shows the post' },
    )
  return { kind: 'shown' }
}

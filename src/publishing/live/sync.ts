import type { SQL } from 'drizzle-orm'
import { awaitingBody } from '../../accounts/approvals/rules.ts'
import { policyRefusal } from '../../accounts/policy/read.ts'
import { refuseArchived } from '../../accounts/projects/scope.ts'
import { assess, assessmentQueries } from '../../content/articles/assess.ts'
import { hostDataImages, readSent, removedNote, shownIn } from '../../content/articles/content.ts'
import { nextStatus, refusal } from '../../content/articles/refusals.ts'
import { showsContent } from '../../content/html/shown.ts'
import type { ContentReading } from '../../content/seo/assess.ts'
import { type ChangedPreview, withPreviews } from '../../content/stored/previews.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { checkUnchanged, etagOf, withTag } from '../../platform/lib/etag.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { currentDryRun } from '../../platform/runtime/dry-run.ts'
import { adoptedForm } from '../adopt/queries.ts'
import {
  checkAdoptedParts,
  notRead,
  notSeen,
  notSpliced,
  notStrict,
  notWritten,
  previewNotes,
  sameText,
} from '../adopt/rules.ts'
import { settlePull } from '../pulls/follow.ts'
import { LOOK_AT_PULL_MS } from '../pulls/rules.ts'
import { isComingDownNow, type PublishableRow, publishableById, standingOf } from '../queries.ts'
import { keepingOf, spliceAt } from '../remote.ts'
import {
  changeInTime,
  continuesFields,
  liveFailure,
  lookedUpFields,
  noAddress,
  upstreamName,
  warningsOf,
} from '../send/answers.ts'
import { proposalOf } from '../send/approval.ts'
import { noteOlderVersion } from '../send/late.ts'
import { snapshot } from '../send/prepare.ts'
import { leaseMs } from '../send/rules.ts'
import { arrivedStatus, lookUpAgainAt, targetAnswer } from '../send/run.ts'
import { CMS_FIELDS, type CmsField } from '../target/cms-adapter.ts'
import { noTarget, openTarget, type TargetRow } from '../target/open.ts'
import type { PublishOutcome, PublishTarget, TargetFactory } from '../target/publish-target.ts'
import type { Attempt, Ending, NewAttempt } from '../writes.ts'
import type { SyncArticleInput } from './operations.ts'
import { isTextAccepted } from './queries.ts'
import { applyEdits } from './sync-edits.ts'
import { askToSync, claimSync, endSync, type Saving } from './sync-statements.ts'

const read = (ctx: Ctx, id: number, reading: ContentReading | undefined) =>
  ctx.read((owner) => ({
    rows: publishableById(ctx.db, owner, id),
    text: isTextAccepted(ctx.db, id),
    assessed: assessmentQueries(ctx, { articleId: id }, reading),
    form: adoptedForm(ctx.db, id),
  }))

/** Reads an article for a sync. If its pull request was merged or closed meanwhile, that is recorded first. */
const readSettled = async (ctx: Ctx, targets: TargetFactory, id: number, reading: ContentReading | undefined) => {
  const found = await read(ctx, id, reading)
  const open = found.rows[0]?.mine ? found.rows[0].open : null
  const isSettled = open?.status === 'awaiting_merge' && (await settlePull(ctx, targets, open.id))
  return isSettled ? await read(ctx, id, reading) : found
}

const load = async (ctx: Ctx, targets: TargetFactory, id: number, reading: ContentReading | undefined) => {
  const {
    rows,
    text: [text],
    assessed,
    form: [form],
  } = await readSettled(ctx, targets, id, reading)
  const found = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article')
  refuseArchived(found.article.projectId, found.article.projectStatus)
  checkUnchanged(ctx.ifMatch, etagOf(found.article.updatedAt, found.article.revision))
  nextStatus('sync', standingOf(found), ctx.now())
  if (isComingDownNow(found.article)) throw refusal('sync_in_progress', 'sync', id)
  const target = found.target && (await openTarget(ctx, targets, found.target))
  if (!found.target || !target) throw noTarget(ctx, found.article.projectId)
  return { article: found.article, target, row: found.target, assessed, form, isAccepted: text?.isAccepted ?? false }
}

type Loaded = Awaited<ReturnType<typeof load>>

/** Maximum number of attempts at a sync if another article takes a partner's last credit in the meantime. */
const LINK_TRIES = 5

/**
 * Reads an adopted post and checks that the text can be put into it, before anything is saved or a person is asked.
 *
 * Throws 400 for a text that would lose something, and 409 if people changed the post.
 */
const checkText = async (ctx: Ctx, target: PublishTarget, article: PublishableRow, row: TargetRow): Promise<void> => {
  const read = article.remoteId === null ? undefined : await target.posts?.read({ postId: article.remoteId })
  if (!read) return
  if (read.kind !== 'done') throw notRead(row.platform, read)
  if (read.value === null) return
  // A page builder may have taken over since the adoption.
  checkAdoptedParts(article.id, ['html'], read.value)
  if (read.value.unread !== undefined) throw notSeen(read.value.unread)
  const result = await spliceAt(ctx, article.id, read.value, article.content)
  if (result.kind === 'refused') throw notSpliced(article.id, result)
}

/**
 * Checks that a change of a post that was read from its page can be sent to its receiver, before anything is saved or a person is asked.
 *
 * Throws 400 for a text that nobody wrote here, since it may lack what the page has, and after a wrong answer of the receiver.
 */
const checkReceiver = (form: NonNullable<Loaded['form']>, after: PublishableRow, { id }: TargetRow): void => {
  if (form.asRead === after.content) throw notWritten(after.id)
  if (form.unknownStatus !== null && form.unknownStatus !== 404) throw notStrict(id, form.unknownStatus)
}

/** Returns the article as the SEO checks see it after the edits. */
const assessedOf = (article: PublishableRow, after: PublishableRow) => ({
  keyword: after.mainKeyword,
  title: after.title,
  slug: after.slug,
  metaDescription: after.metaDescription,
  featureImage: after.featureImage,
  articleStyle: after.articleStyle,
  stored: { content: article.content, seo: article.seo },
})

/**
 * Returns advice after a refused update: send it again without a body, because the edit is saved.
 *
 * There is no advice if no error status came back, because the update may have arrived and a repeat could make a second
 * post. If a receiver does not know the post, replaying its publication makes it again.
 */
const afterFailure = (
  { articleId, platform }: Attempt,
  httpStatus: number | undefined,
  publication: number | null | undefined,
) => {
  if (httpStatus === undefined || httpStatus < 400) return {}
  const why = 'Without a body: sends the article as it is saved, once the cause is fixed.'
  const next_calls = [{ method: 'POST', path: `/articles/${articleId}/sync`, why }]
  if (platform !== 'webhook' || !publication || (httpStatus !== 404 && httpStatus !== 410)) return { next_calls }
  const path = `/webhook-deliveries/${publication}/replay`
  return {
    next_calls: [{ method: 'POST', path, body: { force: true }, why: 'Creates the post again.' }, ...next_calls],
    instructions_for_agent: `The receiver does not know the post. To create it again, replay its publication: POST ${path} with {"force": true}. Then send the edit with POST /articles/${articleId}/sync.`,
  }
}

/** Returns the warnings for an accepted update. */
const notesOf = (
  { notes, isHidden }: Extract<PublishOutcome, { kind: 'accepted' }>,
  articleId: number | null,
  url: string | undefined,
): readonly string[] => notes ?? (url === undefined && !isHidden ? [noAddress(articleId)] : [])

/**
 * Returns the parts that the site lacks after an update: the `unsent` ones if it was not made. Undefined if it may have
 * been made; those that the claim stored stay.
 */
const lacksAfter = (outcome: PublishOutcome, unsent: readonly string[]): readonly string[] | undefined => {
  if (outcome.kind === 'accepted') return []
  return outcome.kind === 'refused' && !outcome.wasWritten ? unsent : undefined
}

const SAVED_AND_PROPOSED =
  'The article is saved. Readers see the change when somebody merges the pull request; closing it sends the change back with the comments.'

/** Sends a claimed update once and records the outcome. Throws `sync_failed` with the target's reason. */
const sendUpdate = async (
  ctx: Ctx,
  target: PublishTarget,
  attempt: Attempt,
  saved: Record<string, unknown>,
  { isEdited, unsent, notes }: { isEdited: boolean; unsent: readonly string[]; notes: readonly string[] },
) => {
  await ctx.step('claimed')
  const startedAt = ctx.now().getTime()
  const { request, deliveryId, articleId } = attempt
  const outcome = await target.deliver(request, keepingOf(ctx, attempt.integrationId, articleId))
  const answeredAt = ctx.now()
  await ctx.step('answered')
  const error = outcome.kind === 'accepted' ? null : storableText(outcome.reason)
  const isLookedUp = outcome.kind === 'unknown' && target.hasUpdate !== undefined
  const isProposed = outcome.kind === 'proposed'
  const unsureStatus = isProposed ? 'awaiting_merge' : isLookedUp ? 'unknown' : 'failed'
  const status = outcome.kind === 'accepted' ? arrivedStatus(outcome) : unsureStatus
  const url = outcome.kind === 'accepted' ? (outcome.url ?? request.article.url) : undefined
  const told = outcome.kind === 'accepted' ? notesOf(outcome, articleId, url) : isProposed ? (outcome.notes ?? []) : []
  const warnings = [...notes, ...told]
  const common = { article_id: articleId, delivery_id: deliveryId, ...warningsOf(warnings), ...saved }
  const answer = isProposed
    ? { status: 'awaiting_merge', pull_request: outcome.url, message: SAVED_AND_PROPOSED, ...common }
    : {
        status: 'synced',
        url: outcome.kind === 'accepted' && outcome.isHidden ? null : (url ?? null),
        ...common,
      }
  const ending: Ending = {
    status,
    error,
    nextAt: isProposed ? lookUpAgainAt(ctx, LOOK_AT_PULL_MS) : isLookedUp ? lookUpAgainAt(ctx) : null,
    durationMs: answeredAt.getTime() - startedAt,
    answer: targetAnswer(outcome),
    warnings,
  }
  const remoteId = request.article.external_id ?? (outcome.kind === 'accepted' ? outcome.remoteId : undefined)
  const lacks = lacksAfter(outcome, unsent)
  const { wasHeld, publication } = await endSync(ctx, attempt, ending, { url, remoteId, lacks }, answer)
  if (!wasHeld) await noteOlderVersion(ctx, attempt, outcome, answeredAt)
  if (outcome.kind === 'accepted' || isProposed) return answer
  throw liveFailure('sync_failed', attempt, outcome, {
    delivery_id: deliveryId,
    // Without an edit nothing was saved here.
    saved: isEdited,
    ...(isLookedUp && articleId !== null
      ? lookedUpFields(articleId)
      : afterFailure(attempt, outcome.httpStatus, publication)),
  })
}

/** Returns the error for a caller of an update that a slow CMS has not finished. */
const stillSyncing = ({ articleId, deliveryId, platform }: Attempt, isEdited: boolean, reason: string): ApiError =>
  new ApiError(
    'sync_failed',
    `${reason} The ${isEdited ? 'edit is saved and' : 'article is'} still being sent: GET /webhook-deliveries/${deliveryId} shows the outcome.`,
    {
      article_id: articleId,
      delivery_id: deliveryId,
      saved: isEdited,
      upstream: { name: upstreamName(platform), message: reason },
      ...continuesFields(`/webhook-deliveries/${deliveryId}`),
    },
  )

/** Returns the attempt that updates the post, before it is claimed. */
const updateOf = async (
  ctx: Ctx,
  after: PublishableRow,
  row: TargetRow,
  { only, isRepeat }: { only: CmsField[] | undefined; isRepeat: boolean },
  now: Date,
): Promise<NewAttempt> => ({
  accountId: after.accountId,
  projectId: after.projectId,
  integrationId: row.id,
  platform: row.platform,
  articleId: after.id,
  replayOf: null,
  lease: new Date(now.getTime() + leaseMs(row.platform)),
  token: ctx.newId(),
  revision: after.revision,
  live: true,
  request: {
    ...(await snapshot(ctx, after, true, now, isRepeat)),
    ...(only ? { only } : {}),
  },
  claimsNext: false,
})

/**
 * Options of a sync. `notes` are added to the answer. `whole` sends all parts. `suggestion`: id of the suggestion whose
 * rewrite it is. `previews`: kept blocks whose previews the caller changed.
 */
type How = {
  notes?: Record<string, unknown>
  previews?: readonly ChangedPreview[]
  whole?: boolean
  suggestion?: number | undefined
  /** Change of a set: the revision that it was made of, and the condition that a person approved the set. */
  release?: { atRevision: number; isApproved: SQL }
}

/**
 * Asks a person to approve the change. Returns the answer for the caller; undefined if the article changed since it was
 * read.
 */
const awaitApproval = async (
  ctx: Ctx,
  saving: Saving,
  after: PublishableRow,
  told: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> => {
  const { proposal } = saving
  const asked = await askToSync(ctx, saving, after.revision)
  if (!asked) return undefined
  const waiting = awaitingBody(ctx.settings.publicUrl, proposal, asked)
  if (proposal.kind === 'suggestion') return waiting
  return withTag({ ...waiting, revision: after.revision, ...told }, etagOf(after.updatedAt, after.revision))
}

/**
 * Saves edits of a published article as a revision and sends them once, as an update with the same slug and dates.
 *
 * A CMS receives only the changed parts, or the whole article without edits or with `whole`. If a person must approve
 * the change first, the answer has the status `awaiting_approval`.
 *
 * Throws 400 (not published, no target, no content), 404, and 403, also if the policy forbids it. Throws 409 while
 * another sync runs, and 502 if the target does not accept it; the edits stay saved then.
 */
export const syncArticle = async (
  ctx: Ctx,
  targets: TargetFactory,
  id: number,
  input: SyncArticleInput,
  how: How = {},
  tries = LINK_TRIES,
): Promise<Record<string, unknown>> => {
  const { notes = {}, whole = false, suggestion, release, previews } = how
  const { safe: sent } = await readSent(ctx, input)
  const { article, target, row, assessed, form, isAccepted } = await load(ctx, targets, id, sent?.reading)
  if (release && article.revision !== release.atRevision)
    throw new ApiError('changed_since_staged', 'The article was changed since. Nothing was saved or sent.')
  if (form && sent && previews === undefined && sent.html !== article.content) {
    const { html, changed: left } = withPreviews(article.content, sent.html)
    const again = { ...input, content: html, content_format: html === undefined ? undefined : ('html' as const) }
    const isLeft = html === undefined && !Object.values(again).some((value) => value !== undefined)
    if (isLeft && article.siteLacks.length === 0) throw sameText(id, left)
    if (html !== sent.html) return await syncArticle(ctx, targets, id, again, { ...how, previews: left }, tries)
  }
  // Links to videos of an adopted post stay links.
  const safe = article.origin === 'own' ? shownIn(sent, article) : sent
  const reading = safe?.reading
  const now = ctx.now()
  const { edits, after, only: changed, unsent } = applyEdits(article, input, safe, now)
  const isOwn = article.origin === 'own'
  const only = whole && isOwn ? undefined : changed
  if (form) checkAdoptedParts(id, only ?? CMS_FIELDS, form)
  if (!showsContent(after.content))
    throw new ApiError('empty_content', 'A published article cannot be empty. Nothing was changed or sent.')
  if (form && row.platform === 'webhook') checkReceiver(form, after, row)
  if (form && only?.includes('html') && !currentDryRun()) await checkText(ctx, target, after, row)
  const judged = await assess(ctx, assessed, { articleId: id }, assessedOf(article, after), reading)
  const assessment = await hostDataImages(ctx, safe?.images, judged)
  const isRepeat = isAccepted && after.revision === article.revision
  const update = await updateOf(ctx, after, row, { only, isRepeat }, now)
  const saving = {
    articleId: id,
    readRevision: article.revision,
    readAt: ctx.ifMatch && article.updatedAt,
    savedAt: after.updatedAt,
    edits: safe && after !== article ? { ...edits, contentSent: safe.hash } : edits,
    unsent,
    sends: only ?? CMS_FIELDS,
    assessment,
    proposal: await proposalOf({
      kind: suggestion === undefined ? 'sync' : 'suggestion',
      subject: suggestion === undefined ? undefined : `suggestion:${suggestion}`,
      article: after,
      request: update.request,
      row,
    }),
  }
  const { begun, rule } = await claimSync(ctx, update, saving, release?.isApproved)
  if (!begun && rule === 'needs_approval' && !release) {
    const told = {
      ...assessment.answer,
      ...removedNote(safe?.removed),
      ...warningsOf(previewNotes(previews ?? [])),
      ...notes,
    }
    const waiting = await awaitApproval(ctx, saving, after, told)
    if (waiting) return waiting
  } else if (!begun && rule) throw await policyRefusal(ctx, article.projectId, rule, 'sync')
  if (!begun) {
    // Throws the current obstacle: another sync, or a change since the version that the caller named.
    const again = await load(ctx, targets, id, sent?.reading)
    const isSame = again.article.revision === article.revision
    if (assessment.isCurrent && isSame && tries > 1) return await syncArticle(ctx, targets, id, input, how, tries - 1)
    throw refusal('sync_in_progress', 'sync', id)
  }
  const attempt = { ...update, deliveryId: begun.id, number: begun.attempts, lookups: 0 }
  const tag = etagOf(after.updatedAt, after.revision)
  const told = { revision: after.revision, ...assessment.answer, ...removedNote(safe?.removed), ...notes }
  const saved = withTag(told, tag)
  const isEdited = after.revision !== article.revision
  const sending = sendUpdate(ctx, target, attempt, saved, { isEdited, unsent, notes: previewNotes(previews ?? []) })
  const answer = await changeInTime(ctx, row.platform, sending, (reason) => stillSyncing(attempt, isEdited, reason))
  return withTag(answer, tag)
}

import { and, eq, type SQL, sql } from 'drizzle-orm'
import { changeSets, changes } from '../../../schema/changes.ts'
import type { ChangedFields, ChangeSetState, ChangeState } from '../../../schema/values/changes.ts'
import { isRefusedForNow } from '../../accounts/policy/read.ts'
import { askAgainAt } from '../../accounts/policy/rules.ts'
import { audit } from '../../platform/db/writes.ts'
import { type JobResult, shownReason } from '../../platform/jobs/job.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { syncArticle } from '../live/sync.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { type NextChange, nextChange } from './queries.ts'
import { fieldsOf, hasFields } from './rules.ts'

/** Time after which a run makes way for other work, ms. */
const RUN_MS = 20_000
/** Time until an article whose sync is under way is looked at again, ms. */
const LOOK_MS = 10_000

type Step = NextChange & { change: NonNullable<NextChange['change']>; article: NonNullable<NextChange['article']> }

/** Condition: the set is still being worked on in this direction. */
const isWorking = ({ set }: NextChange): SQL =>
  sql`exists (select 1 from ${changeSets} where ${and(eq(changeSets.id, set.id), eq(changeSets.state, set.state))})`

type Mark = { state: ChangeState; error?: string | null; sentRevision?: number }

/** Records the state of a change. */
const mark = async (ctx: Ctx, step: Step, { state, error = null, ...sent }: Mark): Promise<void> => {
  const { setId, position } = step.change
  await ctx.batch(
    {
      marked: ctx.db
        .update(changes)
        .set({ state, error, ...sent })
        .where(and(eq(changes.setId, setId), eq(changes.position, position), isWorking(step))),
      set: ctx.db
        .update(changeSets)
        .set({ updatedAt: ctx.now() })
        .where(and(eq(changeSets.id, setId), eq(changeSets.state, step.set.state))),
    },
    { unaudited: 'a step of the change set; each sync and the end of the set are audited' },
  )
}

/** Ends the work on a set. */
const end = async (ctx: Ctx, { set }: NextChange, state: ChangeSetState, error: string | null): Promise<void> => {
  const itself = and(eq(changeSets.id, set.id), eq(changeSets.state, set.state)) as SQL
  await ctx.batch({
    audit: audit(ctx, {
      account: set.accountId,
      action: `changes.${state === 'stopped' ? 'stopped' : state === 'released' ? 'released' : 'reverted'}`,
      on: ['change_set', set.id],
      detail: error === null ? {} : { error },
      if: sql`exists (select 1 from ${changeSets} where ${itself})`,
    }),
    ended: ctx.db.update(changeSets).set({ state, error, updatedAt: ctx.now() }).where(itself),
  })
}

const CHANGED = 'Somebody changed the article since the set was made, so it is left out.'
const CHANGED_SINCE = 'Somebody changed the article since it was sent, so it keeps its text.'
const GONE = 'The article is not published any more, so it is left out.'
const NOT_SENT = 'It is not known whether the site has the change. It is saved in the article.'

type Aim = { fields: ChangedFields; base: number | null; done: ChangeState; begun: ChangeState }

/** Returns what a step is to reach: the values, and the revision from which it starts. */
const aimOf = ({ change, set }: Step): Aim =>
  set.state === 'reverting'
    ? { fields: change.before, base: change.sentRevision, done: 'reverted', begun: 'reverting' }
    : { fields: change.fields, base: change.baseRevision, done: 'sent', begun: 'sending' }

type Turn = 'go' | 'send_again' | 'wait' | 'done' | { left: string } | { refused: string }

/**
 * Returns what to do with a change, from what its article is now. So a run that crashed is followed by one that neither sends twice nor
 * leaves anything half done.
 */
const turnOf = (step: Step): Turn => {
  const { change, article, set } = step
  const { fields, base, begun } = aimOf(step)
  if (article.status !== 'Published') return { left: GONE }
  if (article.publishState === 'publishing' || article.publishState === 'unknown') return 'wait'
  const isReached = hasFields(fields, fieldsOf(article))
  const isRevert = set.state === 'reverting'
  // A change that was refused may be saved in the article, or not at all.
  const isLoose = isRevert && change.sentRevision === null
  if (isLoose && hasFields(change.before, fieldsOf(article)) && article.siteLacks.length === 0) return 'done'
  if (isLoose && article.revision === change.baseRevision + 1 && hasFields(change.fields, fieldsOf(article)))
    return 'go'
  if (article.revision === base) return 'go'
  // A revert that was refused leaves the change sent, and its values saved in the article.
  const isAgain =
    change.state === 'again' || (isRevert && change.state === 'sent' && article.revision === (base ?? 0) + 1)
  const isOwnSave = isReached && (change.state === begun || isAgain)
  if (!isOwnSave) return { left: isRevert ? CHANGED_SINCE : CHANGED }
  if (article.siteLacks.length === 0 || article.publishState === 'awaiting_merge') return 'done'
  return isAgain ? 'send_again' : { refused: article.publishError ?? NOT_SENT }
}

const later = (ctx: Ctx, ms: number): JobResult => ({
  kind: 'later',
  at: new Date(ctx.now().getTime() + ms / ctx.settings.retryTimeScale),
})

/** Result of a step: the next one follows, or what the job does. */
type Outcome = 'next' | JobResult

const refuse = async (ctx: Ctx, step: Step, error: string): Promise<JobResult> => {
  // A revert that was refused may be tried again, so the change stays sent.
  const isSent = step.set.state === 'reverting' && step.change.sentRevision !== null
  await mark(ctx, step, { state: isSent ? 'sent' : 'refused', error })
  await end(ctx, step, 'stopped', `${step.article.title}: ${error}`)
  return { kind: 'done' }
}

/** Sends one change, or what is left of it. */
const send = async (ctx: Ctx, targets: TargetFactory, step: Step, isAgain: boolean): Promise<Outcome> => {
  const { change, article, set } = step
  const { fields, done, begun } = aimOf(step)
  // A change that is sent again keeps its state until the site has answered, so that a run that was put off sends it again, too.
  if (!isAgain) await mark(ctx, step, { state: begun })
  await ctx.step('marked')
  try {
    const isApproved = sql`exists (select 1 from ${changeSets} where ${eq(changeSets.id, set.id)} and ${changeSets.isApproved})`
    const release = { atRevision: article.revision, isApproved }
    const { revision } = await syncArticle(ctx, targets, change.articleId, isAgain ? {} : fields, { release })
    await ctx.step('synced')
    await mark(ctx, step, { state: done, ...(done === 'sent' ? { sentRevision: Number(revision) } : {}) })
    return 'next'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'changed_since_staged') {
      await mark(ctx, step, { state: 'left_out', error: set.state === 'reverting' ? CHANGED_SINCE : CHANGED })
      return 'next'
    }
    if (isRefusedForNow(error)) return { kind: 'later', at: askAgainAt(ctx.now(), ctx.settings.retryTimeScale) }
    if (error.code === 'sync_failed') {
      // The site's answer is in the article; the next run reads it.
      await mark(ctx, step, { state: begun })
      return later(ctx, 0)
    }
    if (error.retryable) return { kind: 'again', reason: error.code }
    return await refuse(ctx, step, error.message)
  }
}

const advance = async (ctx: Ctx, targets: TargetFactory, step: Step): Promise<Outcome> => {
  const turn = turnOf(step)
  const { done } = aimOf(step)
  if (turn === 'wait') return later(ctx, LOOK_MS)
  if (turn === 'go' || turn === 'send_again') return await send(ctx, targets, step, turn === 'send_again')
  if (turn === 'done') {
    await mark(ctx, step, { state: done, ...(done === 'sent' ? { sentRevision: step.article.revision } : {}) })
    return 'next'
  }
  if ('refused' in turn) return await refuse(ctx, step, turn.refused)
  await mark(ctx, step, { state: 'left_out', error: turn.left })
  return 'next'
}

/** Selects the next step in the direction in which the set is being worked on; undefined if there is no such work. */
const nextOf = async (ctx: Ctx, id: number): Promise<NextChange | undefined> => {
  const { release, revert } = await ctx.read((owner) => ({
    release: nextChange(ctx.db, owner, id, false),
    revert: nextChange(ctx.db, owner, id, true),
  }))
  return release[0] ?? revert[0]
}

/**
 * Releases or reverts a change set for a while, one article after the other, and comes back until all are handled.
 *
 * It stops at the first article that is refused. What the policy forbids for now waits. An article that somebody changed since is left
 * out.
 */
export const continueChanges = async (ctx: Ctx, targets: TargetFactory, id: number): Promise<JobResult> => {
  const until = ctx.now().getTime() + RUN_MS
  for (;;) {
    const found = await nextOf(ctx, id)
    if (!found) return { kind: 'done' }
    const { change, article } = found
    if (!change || !article) {
      await end(ctx, found, found.set.state === 'reverting' ? 'reverted' : 'released', null)
      return { kind: 'done' }
    }
    const outcome = await advance(ctx, targets, { ...found, change, article })
    if (outcome !== 'next') return outcome
    if (ctx.now().getTime() > until) return { kind: 'later', at: ctx.now() }
  }
}

const GAVE_UP = 'The site did not answer for a long time. Send the same call again: what the site has stays as it is.'

/** Stops a set whose job was given up, with the reason. */
export const giveUpChanges = async (ctx: Ctx, id: number, reason: string): Promise<void> => {
  const found = await nextOf(ctx, id)
  if (found) await end(ctx, found, 'stopped', shownReason(reason, GAVE_UP))
}

import { and, eq, isNull, lte, or, type SQL } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { includesScope, keyMayNot } from '../../platform/accounts/scopes.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { instantOf } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import type { UndoInput } from '../operations.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import {
  type Chosen,
  causesOf,
  chosenEntries,
  currentArticles,
  currentPosts,
  currentSuggestions,
  keyOf,
} from './queries.ts'
import { checkStep, revertStep } from './revert.ts'
import { type Entry, idIn, type Now, notUndone, type Outcome, type Plan, planOf, type Step, undone } from './rules.ts'

const PAGE = { default: 20, max: 50 }

/**
 * Time during which one call starts further steps, and its lease against other calls. One verb may wait half a minute
 * for a site.
 */
const GOES_ON_MS = 20_000
const LEASE_MS = 120_000

const UNAUDITED = { unaudited: 'what is taken back is in the audit log, change by change' }

const OTHERS = 'Undoing changes of another key'

/** Throws 400 if the body has neither a request nor a time. */
const checkNamed = ({ request_id, since }: UndoInput): void => {
  if (request_id === undefined && since === undefined)
    throw invalidInput([
      { field: 'since', message: 'is required without request_id: changes of the key from then on are undone' },
    ])
}

const noChange = (): ApiError =>
  new ApiError('not_found', 'No change of this request is stored.', {
    next_calls: [{ method: 'GET', path: '/audit-log', why: 'Lists changes with the ids of their requests.' }],
  })

/** Returns the key whose changes of a request an admin means. Throws 404 if there is none, and 400 if there are several. */
const onlyKeyOf = (causes: readonly string[]): string => {
  const [first, ...others] = causes.filter((actor) => actor.startsWith('key:'))
  if (first === undefined) throw noChange()
  if (others.length === 0) return first
  const ids = [first, ...others].map((actor) => actor.slice('key:'.length))
  const message = `is required: several keys used this request_id (${ids.join(', ')})`
  throw invalidInput([{ field: 'key_id', message, allowed: ids }])
}

/**
 * Returns the selection of changes that the caller may undo: its own, or with `admin` those of the named key. Throws 404, 403.
 *
 * Callers choose ids of requests, so the same one may be in changes of others. Those are never selected.
 */
const chosenBy = async (ctx: Ctx, input: UndoInput): Promise<Chosen> => {
  const { key_id, request_id, since } = input
  const { keys, found } = await ctx.read((owner) => ({
    keys: keyOf(ctx.db, owner, key_id ?? 0),
    found: causesOf(ctx.db, owner, request_id ?? ''),
  }))
  const causes = found.map(({ actor }) => actor)
  const { key } = await ctx.account()
  const isAdmin = key === undefined || includesScope(key.scopes, 'admin')
  const caller = ctx.actor()
  const first = { since: since === undefined ? undefined : instantOf(since, 'UTC'), request: request_id }
  const refuseOthers = (actor: string) => {
    if (!isAdmin && actor !== caller) throw keyMayNot(ctx.settings.publicUrl, key?.scopes ?? [], 'admin', OTHERS)
  }
  if (key_id !== undefined) {
    owned(keys[0] && { row: keys[0], mine: keys[0].mine }, 'API key')
    refuseOthers(`key:${key_id}`)
    return { ...first, actor: `key:${key_id}` }
  }
  if (request_id === undefined || causes.includes(caller)) return { ...first, actor: caller }
  if (isAdmin) return { ...first, actor: onlyKeyOf(causes) }
  const other = causes.find((actor) => actor.startsWith('key:'))
  if (other === undefined) throw noChange()
  refuseOthers(other)
  return { ...first, actor: caller }
}

const idsOf = (entries: readonly Entry[], kind: string): number[] => [
  ...new Set(entries.filter(({ subject }) => subject.startsWith(`${kind}:`)).map(({ subject }) => idIn(subject))),
]

const byId = <T extends { id: number }>(rows: readonly T[]): Map<number, T> => new Map(rows.map((row) => [row.id, row]))

const nowOf = async (ctx: Ctx, entries: readonly Entry[]): Promise<Now> => {
  const articleIds = [...new Set(entries.flatMap(({ articleId }) => articleId ?? []))]
  const { articles, posts, suggestions } = await ctx.read((owner: SQL) => ({
    articles: currentArticles(ctx.db, owner, articleIds, ctx.now()),
    posts: currentPosts(ctx.db, owner, idsOf(entries, 'social_post')),
    suggestions: currentSuggestions(ctx.db, owner, idsOf(entries, 'suggestion')),
  }))
  const states = articles.rows.map((row) => ({
    id: row.id,
    isLive: row.status === 'Published',
    isHeld: row.is_held === true,
    isWritten: row.is_written,
    wasSent: row.was_sent,
    canUnpublish: row.takes_down,
    platform: row.platform,
  }))
  return { articles: byId(states), posts: byId(posts), suggestions: byId(suggestions) }
}

/** Returns the outcome for a step that threw. */
const failure = (ctx: Ctx, error: unknown): Outcome => {
  if (error instanceof ApiError) return notUndone(error.message, ...((error.extras.next_calls ?? []) as []))
  ctx.log('error', 'undo.failed', errorFields(error))
  return notUndone('The undo failed for a reason on our side. Nothing is known to have changed. Repeat the call.')
}

const STOPPED = notUndone('A later change of the same thing could not be undone, so this one stays.')
const NO_TIME = notUndone('There was no time left for it. Repeat the call; it skips what is already undone.')

/**
 * Runs the steps of a plan in order. After a failure or at `endsAt`, the remaining steps of the same thing are skipped.
 */
const runPlan = async (ctx: Ctx, { steps }: Plan, endsAt: number, go: (step: Step) => Promise<readonly string[]>) => {
  const outcomes = new Map<number, Outcome>()
  let stopped: Outcome | undefined
  for (const step of steps) {
    if (ctx.now().getTime() > endsAt) stopped ??= NO_TIME
    const ended = stopped ?? (await go(step).catch((error) => failure(ctx, error)))
    for (const entry of step.entries) outcomes.set(entry.id, 'result' in ended ? ended : undone(entry, step, ended))
    if ('result' in ended) stopped ??= STOPPED
  }
  return outcomes
}

const messageOf = (undone: number, count: number, isDry: boolean, hasMore: boolean): string => {
  const more = hasMore ? ' There are older changes: repeat the call with before_id.' : ''
  if (count === 0) return `There is nothing to undo.${more}`
  return isDry
    ? `${undone} of ${count} changes can be undone. Nothing was changed.${more}`
    : `${undone} of ${count} changes are undone.${more}`
}

/**
 * Undoes one page of the chosen changes, newest first, and returns the outcome of each. With `isDry` nothing is
 * changed.
 */
const undoPage = async (ctx: Ctx, targets: TargetFactory, chosen: Chosen, input: UndoInput, isDry: boolean) => {
  const endsAt = ctx.now().getTime() + GOES_ON_MS
  const limit = Math.min(input.limit ?? PAGE.default, PAGE.max)
  const found = await ctx.read((owner) => chosenEntries(ctx.db, owner, chosen, { beforeId: input.before_id, limit }))
  const entries: Entry[] = found.slice(0, limit)
  const plans = planOf(entries, await nowOf(ctx, entries))
  const outcomes = new Map(plans.flatMap(({ known }) => [...known]))
  const go = (step: Step) => (isDry ? checkStep(ctx, step) : revertStep(ctx, targets, step))
  for (const plan of plans) for (const [id, outcome] of await runPlan(ctx, plan, endsAt, go)) outcomes.set(id, outcome)
  const shown = entries.map(({ id, at, action, subject, articleId }) => ({
    id,
    at: at.toISOString(),
    action,
    subject,
    article_id: articleId,
    ...(outcomes.get(id) ?? STOPPED),
  }))
  const done = shown.filter(({ result }) => result === 'undone').length
  const hasMore = found.length > limit
  return {
    dry_run: isDry,
    entries: shown,
    count: shown.length,
    undone: done,
    not_undone: shown.length - done,
    limit,
    before_id: hasMore ? (entries.at(-1)?.id ?? null) : null,
    message: messageOf(done, shown.length, isDry, hasMore),
  }
}

/**
 * Undoes the changes of a key or a request, newest first, as far as possible. `dry_run` only reports what would happen.
 *
 * Only one call per account runs at a time, so that no change is undone twice. Throws 400, 404, 403, and 409 while
 * another call runs.
 */
export const undo = async (ctx: Ctx, targets: TargetFactory, input: UndoInput) => {
  checkNamed(input)
  const chosen = await chosenBy(ctx, input)
  if (input.dry_run === true) return await undoPage(ctx, targets, chosen, input, true)
  const { id } = await ctx.account()
  const now = ctx.now()
  const until = new Date(now.getTime() + LEASE_MS)
  const isFree = or(isNull(accounts.undoUntil), lte(accounts.undoUntil, now))
  const lease = ctx.db
    .update(accounts)
    .set({ undoUntil: until })
    .where(and(eq(accounts.id, id), isFree))
  const { taken } = await ctx.batch({ taken: lease.returning({ id: accounts.id }) }, UNAUDITED)
  if (taken.length === 0)
    throw new ApiError(
      'edit_conflict',
      'Another call is undoing changes of the account. Nothing was changed; repeat the call shortly.',
      {
        retry_after: 5,
      },
    )
  try {
    return await undoPage(ctx, targets, chosen, input, false)
  } finally {
    const mine = and(eq(accounts.id, id), eq(accounts.undoUntil, until))
    await ctx.batch({ changedAccounts: ctx.db.update(accounts).set({ undoUntil: null }).where(mine) }, UNAUDITED)
  }
}

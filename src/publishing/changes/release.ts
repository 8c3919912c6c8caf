import { and, eq, inArray, sql } from 'drizzle-orm'
import { changeSets, changes } from '../../../schema/changes.ts'
import type { ChangeSetState } from '../../../schema/values/changes.ts'
import { approvalOf, policyAllows, ruleOf } from '../../accounts/policy/parts.ts'
import { refusalOrQuestion } from '../../accounts/policy/read.ts'
import { isPerson } from '../../accounts/policy/rules.ts'
import { refuseArchived } from '../../accounts/projects/scope.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, decideOnce } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { changesJob } from '../jobs.ts'
import { noTarget } from '../target/open.ts'
import type { ReleaseChangesInput } from './operations.ts'
import { pageOf } from './rules.ts'
import { readSet } from './show.ts'

type Direction = 'release' | 'revert'

/** States from which each call starts. A set that stopped goes on in either direction. */
const FROM: Readonly<Record<Direction, readonly ChangeSetState[]>> = {
  release: ['draft', 'stopped'],
  revert: ['released', 'stopped'],
}

const TO = { release: 'releasing', revert: 'reverting' } as const

const WHAT: Readonly<Record<Direction, string>> = { release: 'released', revert: 'reverted' }

const notNow = (id: number, state: ChangeSetState, direction: Direction): ApiError =>
  new ApiError(
    'invalid_transition',
    `A change set that is ${state} cannot be ${WHAT[direction]}. Nothing was changed.`,
    {
      status: state,
      next_calls: [{ method: 'GET', path: `/changes/${id}`, why: 'Shows the set.' }],
    },
  )

/**
 * Starts to release or revert a change set. Its job sends the changes one after the other.
 *
 * If the policy asks for approvals, one covers the whole set and its later revert. Throws 404, 403, 400 without a target, and 409 in
 * another state.
 */
const begin = async (
  ctx: Ctx,
  id: number,
  direction: Direction,
  { skip_refused: skips = false }: ReleaseChangesInput,
) => {
  const { set, projectStatus, target, changes: rows } = await readSet(ctx, id)
  const { accountId, projectId } = set
  refuseArchived(projectId, projectStatus)
  if (!FROM[direction].includes(set.state)) throw notNow(id, set.state, direction)
  if (!target) throw noTarget(ctx, projectId)
  const now = ctx.now()
  const subject = `change_set:${id}`
  // Adopted articles ask for an approval more often than others.
  const article = rows.find((row) => row.article.origin === 'adopted') ?? rows[0]
  const approval = set.isApproved ? { isApproved: sql`true` } : approvalOf(ctx, now, subject)
  const outward = {
    activity: 'sync',
    now,
    target: target.platform,
    ...(article ? { articleId: article.change.articleId } : {}),
    ...approval,
    isLater: true,
  } as const
  const isApproved = set.isApproved || ctx.approval !== undefined || isPerson(ctx.actor())
  const itself = and(
    eq(changeSets.id, id),
    eq(changeSets.accountId, accountId),
    inArray(changeSets.state, [...FROM[direction]]),
  )
  const { statement: decided, isMet } = decideOnce(
    sql`exists (select 1 from ${changeSets} where ${itself}) and ${policyAllows(projectId, outward)}`,
  )
  const answer = {
    status: TO[direction],
    change_set_id: id,
    message: `The set is being ${WHAT[direction]}. GET /changes/${id} shows the progress.`,
  }
  const { rule, started } = await ctx.batch({
    set: ctx.db.select({ id: changeSets.id }).from(changeSets).where(itself).for('update'),
    rule: ruleOf(projectId, outward),
    decided,
    ...when(isMet, {
      refused:
        direction === 'release' &&
        ((met) =>
          ctx.db
            .update(changes)
            .set({ state: skips ? 'left_out' : 'again' })
            .where(and(eq(changes.setId, id), eq(changes.state, 'refused'), met))),
      started: (met) =>
        ctx.db
          .update(changeSets)
          .set({ state: TO[direction], isApproved, error: null, updatedAt: now })
          .where(and(eq(changeSets.id, id), met))
          .returning({ id: changeSets.id }),
      // The run of an earlier call may be about to end, and so not see this one.
      job: enqueue(changesJob, { change_set_id: id }, { account: accountId, runAt: now, open: 'move' }),
      kept: ctx.keepAnswer(answer),
      audit: audit(ctx, { account: accountId, action: `changes.${direction}`, on: ['change_set', id] }),
    }),
  })
  const forbidden = rule[0]?.rule
  if (started.length === 0 && forbidden)
    throw await refusalOrQuestion(ctx, projectId, forbidden, 'sync', () => ({
      kind: 'changes',
      projectId,
      subject,
      target: `${target.platform} ${target.url}`.trim(),
      proposed: {
        title: set.name,
        body: pageOf(rows),
        format: 'html',
        fields: { Articles: String(rows.length), 'Change set': set.hash },
      },
      body: { skip_refused: skips },
    }))
  if (started.length === 0) throw notNow(id, (await readSet(ctx, id)).set.state, direction)
  ctx.defer(ctx.wakeQueue())
  return answer
}

/** Starts to release a change set, or goes on with one that stopped. */
export const releaseChanges = (ctx: Ctx, id: number, input: ReleaseChangesInput) => begin(ctx, id, 'release', input)

/** Starts to revert a change set. */
export const revertChanges = (ctx: Ctx, id: number) => begin(ctx, id, 'revert', {})

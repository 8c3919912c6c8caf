import { and, eq, exists, isNull, SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { oneOf } from '../../../schema/columns.ts'
import { projects } from '../../../schema/projects.ts'
import type { ApprovedCall, WantedApproval } from '../../../schema/values/approvals.ts'
import { ERROR_CODES } from '../../../schema/values/errors.ts'
import type { Statement, Steps } from '../../platform/db/steps.ts'
import { AuditStatement, type If } from '../../platform/db/writes.ts'
import type { AskPerson } from '../../platform/http/deps.ts'
import { type Operation, usualStatus } from '../../platform/http/operation.ts'
import { type Answer, type Input, type Route, statusOf } from '../../platform/http/route.ts'
import { ACCOUNT_CLOSED, type JobResult } from '../../platform/jobs/job.ts'
import { ApiError, errorBody } from '../../platform/lib/errors.ts'
import type { Account, Ctx } from '../../platform/runtime/ctx.ts'
import { NeedsApproval } from '../../platform/runtime/needs-approval.ts'
import { isRefusedForNow } from '../policy/read.ts'
import { askAgainAt } from '../policy/rules.ts'
import { approvedCallById } from './queries.ts'
import { awaitingBody, contentHash, type Proposal } from './rules.ts'
import { askPerson, auditDecision, DECIDED } from './writes.ts'

/** Returns the proposal for a call, which an approval is bound to: its content, its target, and the input of the call. */
export const proposalOfCall = async (
  accountId: number,
  call: ApprovedCall,
  wanted: WantedApproval,
): Promise<Proposal> => {
  const { kind, projectId, target, proposed, articleId = null } = wanted
  const hash = await contentHash(kind, target, [call, proposed])
  const subject = wanted.subject ?? `${kind}:${projectId}:${hash}`
  return { accountId, projectId, kind, subject, articleId, revision: null, target, proposed, hash, call }
}

/** Stores a call and asks people to approve it. The same call sent again is the same question. */
export const askAboutCall: AskPerson = async (ctx, call, wanted) => {
  const { id: accountId } = await ctx.account()
  const proposal = await proposalOfCall(accountId, call, wanted)
  const project = ctx.db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, wanted.projectId), eq(projects.accountId, accountId)))
  const asked = await askPerson(ctx, proposal, exists(project))
  if (!asked) throw new ApiError('not_found', 'The project does not exist.')
  return awaitingBody(ctx.settings.publicUrl, proposal, asked)
}

/** Condition: the call of an approval has not ended. */
const isUnended = (id: number): SQL =>
  sql`${and(eq(approvals.id, id), isNull(approvals.result), oneOf(approvals.status, ['approved', 'used']))}`

const jsonOf = (body: unknown): SQL =>
  body instanceof SQL ? sql`(${body})::jsonb` : sql`${typeof body === 'string' ? body : JSON.stringify(body)}::jsonb`

type Ended = { to: 'used' | 'failed'; status: number; body: unknown; error?: string }

const conditionOf = (condition: If): SQL | undefined => (condition === 'always' ? undefined : condition)

/**
 * Returns the statement that writes the outcome of a call with an audit entry, unless an outcome is written already.
 *
 * It is a single statement because `keepAnswer` returns one, and because only the update knows if it ended the call.
 */
const endCall = (ctx: Ctx, id: number, accountId: number, { to, status, body, error }: Ended, condition?: SQL) => {
  const ended = ctx.db
    .update(approvals)
    .set({ status: to, result: sql`jsonb_build_object('status', ${status}::int, 'body', ${jsonOf(body)})` })
    .where(and(isUnended(id), condition))
    .returning(DECIDED)
  const noted = auditDecision(ctx, 'always', accountId, to, { comment: error, from: sql`ended as ${approvals}` })
  return new AuditStatement(sql`with ended as ${ended} ${noted}`.queryChunks)
}

/** Returns the `keep` functions for an approved call. Their statements also use up the approval, so that the call runs once. */
const keepStatements = (ctx: Ctx, id: number, accountId: number, usual: number) => {
  const used: Ctx['keepAnswer'] =
    (body, { status = usual } = {}) =>
    (isMet) =>
      endCall(ctx, id, accountId, { to: 'used', status, body }, conditionOf(isMet))
  return {
    keepAnswer: used,
    keepRunning: () => (isMet: If) =>
      ctx.db
        .update(approvals)
        .set({ status: 'used' })
        .where(and(isUnended(id), conditionOf(isMet))),
    keepDone: used,
    keepDropped: () => () => undefined,
  } satisfies Partial<Ctx>
}

type Row = Awaited<ReturnType<typeof approvedCallById>>[number]

/**
 * Returns the account with the key that asked, since that key's budgets apply.
 *
 * The key may have been revoked since then: a person has approved exactly this call, so it is still carried out.
 */
const callerOf = ({ key, caller }: Row): Account => {
  if (key === null) return caller
  return { ...caller, keyId: key.id, key: { name: key.name, scopes: key.scopes, expiresAt: key.expiresAt } }
}

/** Returns the context of an approved call. It acts for the key that asked, and its batches lock the approval, so they take turns. */
const ctxOf = (ctx: Ctx, row: Row, account: Account, usual: number): Ctx => {
  const lock = sql`select 1 from ${approvals} where ${eq(approvals.id, row.id)} for no key update`
  const batch = async (steps: Steps, options?: { unaudited: string }) =>
    (await ctx.batch({ lock, steps }, options)).steps
  const acting: Ctx = { ...ctx, actor: () => row.requestedBy }
  return {
    ...acting,
    account: async () => account,
    approval: row.id,
    ...keepStatements(acting, row.id, account.id, usual),
    batch: batch as Ctx['batch'],
  }
}

/** True if the same call may succeed later. A call that lacks budget (402), or a rollback or take-down that the site refused, is not retried. */
const mayPass = ({ code }: ApiError): boolean =>
  ERROR_CODES[code].retryable &&
  ERROR_CODES[code].status !== 402 &&
  code !== 'rollback_failed' &&
  code !== 'unpublish_failed'

/** Returns the statements that record a failed call on the rows that waited for it. `which`: condition on `approvals`. */
export type NoteFailure = (ctx: Pick<Ctx, 'now' | 'db'>, which: SQL, error: string) => Statement[]

const endAs = async (ctx: Ctx, id: number, ended: Ended, noted: readonly Statement[] = []): Promise<void> => {
  const { id: accountId } = await ctx.account()
  await ctx.batch({ noted: noted, endCall: endCall(ctx, id, accountId, ended) })
}

/** Approval, with the function that records the failure of its call. */
type Failing = { id: number; noteFailure: NoteFailure }

const fail = async (ctx: Ctx, { id, noteFailure }: Failing, error: ApiError): Promise<JobResult> => {
  const body = errorBody(error, ctx.newId(), ctx.settings.publicUrl)
  const noted = noteFailure(ctx, sql`${and(eq(approvals.id, id), isUnended(id))}`, error.message)
  await endAs(ctx, id, { to: 'failed', status: error.status, body, error: error.message }, noted)
  return { kind: 'done' }
}

const CHANGED =
  'The content or the target changed since the approval. Nothing was sent. Repeat the call to ask for approval again.'
const LOST =
  'The approved call started, but its answer was lost. The service finishes what it began; GET /webhook-deliveries shows it.'

/** Handles an approved call that was refused: it waits for a policy rule, is retried, or has failed. */
const refused = async (ctx: Ctx, failing: Failing, error: ApiError): Promise<JobResult> => {
  if (error instanceof NeedsApproval) return await fail(ctx, failing, new ApiError('superseded', CHANGED))
  if (isRefusedForNow(error)) return { kind: 'later', at: askAgainAt(ctx.now(), ctx.settings.retryTimeScale) }
  return mayPass(error) ? { kind: 'again', reason: error.code } : await fail(ctx, failing, error)
}

/**
 * Carries out an approved call once, through the handler of its operation. The other policy rules and the budgets apply as they are
 * now. An interrupted call continues.
 */
export const runApprovedCall = async (
  ctx: Ctx,
  routes: readonly Route[],
  id: number,
  noteFailure: NoteFailure = () => [],
): Promise<JobResult> => {
  const [row] = await ctx.read((owner) => approvedCallById(ctx.db, owner, id))
  if (!row?.call || row.result !== null) return { kind: 'done' }
  const failing = { id, noteFailure }
  const isBegun = row.status === 'used'
  if (!isBegun && (row.status !== 'approved' || row.expiresAt <= ctx.now())) return { kind: 'done' }
  const { call } = row
  const route = routes.find(({ operation }) => operation.id === call.operation)
  if (!route) return { kind: 'unknown', reason: `no operation named ${call.operation}` }
  // A replay that has begun made a delivery with its own attempts, so the call is not repeated.
  if (isBegun && row.kind === 'replay') return await fail(ctx, failing, new ApiError('superseded', LOST))
  const { operation, handler } = route
  const usual = usualStatus(operation)
  const input = call.input as Input<Operation>
  try {
    const account = callerOf(row)
    const returned = await handler(ctxOf(ctx, row, account, usual), input)
    const status = statusOf(returned)
    const body = status === undefined ? returned : (returned as Answer).body
    await endAs(ctx, row.id, { to: 'used', status: status ?? usual, body })
    return { kind: 'done' }
  } catch (error) {
    if (error instanceof ApiError) return await refused(ctx, failing, error)
    throw error
  }
}

const GAVE_UP = 'The call was approved, but it failed for a reason on our side. Repeat the call.'

/** Marks an approved call as failed after too many attempts, or because its account is closed. */
export const giveUpCall = async (
  ctx: Ctx,
  id: number,
  reason: string,
  noteFailure: NoteFailure = () => [],
): Promise<void> => {
  const isClosed = reason === ACCOUNT_CLOSED
  const error = isClosed ? new ApiError('account_inactive', ACCOUNT_CLOSED) : new ApiError('internal', GAVE_UP)
  await fail(ctx, { id, noteFailure }, error)
}

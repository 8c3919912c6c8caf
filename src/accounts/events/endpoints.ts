import { and, eq, exists, type SQL, sql } from 'drizzle-orm'
import { eventEndpoints } from '../../../schema/events.ts'
import type { AuditAction } from '../../../schema/values/audit.ts'
import { EVENT_DAYS } from '../../../schema/values/events.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { holdAccount } from '../../platform/accounts/parts.ts'
import { pageOf, pagingOf } from '../../platform/db/paging.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { enqueue, finishJob } from '../../platform/jobs/enqueue.ts'
import { newSigningSecret, seal, sealedAnswer, unseal } from '../../platform/lib/crypto.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import { checkPublicUrl, isLoopbackHost, WEB_PORTS } from '../../platform/lib/urls.ts'
import { rotated, type SigningSecrets } from '../../platform/lib/webhook-signature.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { pushJob } from './jobs.ts'
import type { ChangeEndpointInput, CreateEndpointInput, ListAttemptsInput, ReplayInput } from './operations.ts'
import {
  attemptRows,
  type EndpointRow,
  endpointById,
  endpointRows,
  endpointsOf,
  keptPart,
  newestEntry,
  nextEndpointId,
  projectById,
} from './queries.ts'
import { sendEvent } from './send.ts'

const MAX_ENDPOINTS = 10

/** Returns the context that the secrets of an endpoint are sealed with. */
const contextOf = (id: number): string => `event_endpoint:${id}`

/** Returns the signing secrets of an endpoint. */
export const secretsOf = async (ctx: Ctx, { id, sealedSecrets }: Pick<EndpointRow, 'id' | 'sealedSecrets'>) =>
  JSON.parse(await unseal(ctx.settings.secretsKeys, sealedSecrets, contextOf(id))) as SigningSecrets

const sealSecrets = (ctx: Ctx, id: number, secrets: SigningSecrets): Promise<string> =>
  seal(ctx.settings.secretsKeys, JSON.stringify(secrets), contextOf(id))

type Shown = Omit<EndpointRow, 'sealedSecrets' | 'cursorId' | 'failures'>

const shown = (row: Shown) => ({
  id: row.id,
  url: row.url,
  description: row.description,
  kinds: row.kinds,
  project_id: row.projectId,
  status: row.status,
  failing_since: row.failingSince?.toISOString() ?? null,
  next_attempt_at: row.nextAttemptAt === null ? null : new Date(row.nextAttemptAt).toISOString(),
  last_sent_at: row.lastSentAt?.toISOString() ?? null,
  last_error: row.lastError,
  created_at: row.createdAt.toISOString(),
})

/** Throws 400 with the field's name if the service may not call the address. */
const checkAddress = (ctx: Ctx, url: string): void => {
  const checked = checkPublicUrl(url, ctx.settings.allowPrivateHosts)
  if ('url' in checked && (checked.url.protocol === 'https:' || isLoopbackHost(checked.url.hostname))) return
  const message = 'refusal' in checked && checked.refusal === 'port' ? WEB_PORTS : 'must be a public https address'
  throw new ApiError('forbidden_url', `url: ${message}`, { details: [{ field: 'url', message }] })
}

/** Reads an endpoint, and the project that a change names. Throws 404, 403, and 400 for an archived project. */
const readEndpoint = async (ctx: Ctx, id: number, projectId?: number): Promise<EndpointRow> => {
  const {
    found: [row],
    project,
  } = await ctx.read((owner) => ({
    found: endpointById(ctx.db, owner, id),
    project: projectId !== undefined && projectById(ctx.db, owner, projectId),
  }))
  const endpoint = owned(row && { row, mine: row.mine }, 'event endpoint')
  if (projectId !== undefined) checkProject(project?.[0])
  return endpoint
}

const checkProject = (found: { isActive: boolean; mine: boolean } | undefined): void => {
  if (!owned(found && { row: found, mine: found.mine }, 'project').isActive)
    throw invalidInput([{ field: 'project_id', message: 'is archived: unarchive the project first' }])
}

const limitReached = () =>
  new ApiError('endpoint_limit', `The account has ${MAX_ENDPOINTS} event endpoints, the maximum. Nothing was added.`, {
    next_calls: [
      {
        method: 'GET',
        path: '/event-endpoints',
        why: 'Lists the endpoints; DELETE /event-endpoints/:id removes one that is not needed.',
      },
    ],
  })

/** Adds an endpoint, which receives what happens from now on. Throws 400, 404, 403, and 409 if there are ten. */
export const createEndpoint = async (ctx: Ctx, input: CreateEndpointInput) => {
  const { url, kinds = [], project_id: projectId, description = '' } = input
  checkAddress(ctx, url)
  const { project, drawn } = await ctx.read((owner) => ({
    project: projectId !== undefined && projectById(ctx.db, owner, projectId),
    drawn: nextEndpointId(ctx.db),
  }))
  if (projectId !== undefined) checkProject(project?.[0])
  const { id: accountId } = await ctx.account()
  const id = Number(drawn.rows[0]?.id)
  const secret = newSigningSecret()
  const now = ctx.now()
  const row = { id, accountId, projectId: projectId ?? null, url, description, kinds, createdAt: now, updatedAt: now }
  const answer = {
    event_endpoint: shown({
      ...row,
      status: 'active',
      failingSince: null,
      nextAttemptAt: null,
      lastSentAt: null,
      lastError: null,
    }),
    signing_secret: secret,
    message: 'Store signing_secret now: it is not shown again. POST /event-endpoints/:id/test sends a test event.',
  }
  const isMade = exists(ctx.db.select({ id: eventEndpoints.id }).from(eventEndpoints).where(eq(eventEndpoints.id, id)))
  const sealedSecrets = await sealSecrets(ctx, id, { signing_secret: secret })
  const { made } = await ctx.batch({
    account: holdAccount(accountId),
    made: insertWhere(
      eventEndpoints,
      { ...row, sealedSecrets, cursorId: newestEntry(sql`${accountId}::int`) },
      { if: sql`${endpointsOf(ctx.db, accountId)} < ${MAX_ENDPOINTS}::int`, returning: { id: eventEndpoints.id } },
    ),
    ...when(isMade, {
      audit: audit(ctx, { account: accountId, action: 'event_endpoint.create', on: ['event_endpoint', id] }),
      kept: ctx.keepAnswer(await sealedAnswer(ctx.settings.secretsKeys, accountId, answer), { status: 201 }),
    }),
  })
  if (made.length === 0) throw limitReached()
  return answer
}

/** Returns the account's endpoints. */
export const listEndpoints = async (ctx: Ctx) => {
  const rows = await ctx.read((owner) => endpointRows(ctx.db, owner))
  return { event_endpoints: rows.map(shown), count: rows.length }
}

/** Returns an endpoint. Throws 404 and 403. */
export const getEndpoint = async (ctx: Ctx, id: number) => ({ event_endpoint: shown(await readEndpoint(ctx, id)) })

type Change = {
  set: Partial<{ [Key in keyof typeof eventEndpoints.$inferInsert]: (typeof eventEndpoints.$inferInsert)[Key] | SQL }>
  action: AuditAction
  detail?: Record<string, unknown>
  /** True: what waits for the endpoint is sent now. */
  sends?: boolean
  message: string
}

/** Changes an endpoint that was read, and returns it as it is then. Throws 404 if it was deleted meanwhile. */
const changeEndpoint = async (ctx: Ctx, row: EndpointRow, { set, action, detail = {}, sends, message }: Change) => {
  const { id: account } = await ctx.account()
  const isIt = and(eq(eventEndpoints.id, row.id), eq(eventEndpoints.accountId, account))
  const isThere = exists(ctx.db.select({ id: eventEndpoints.id }).from(eventEndpoints).where(isIt))
  const { changed } = await ctx.batch({
    held: ctx.db.select({ id: eventEndpoints.id }).from(eventEndpoints).where(isIt).for('no key update'),
    changed: ctx.db
      .update(eventEndpoints)
      .set({ ...set, updatedAt: ctx.now() } as typeof eventEndpoints.$inferInsert)
      .where(isIt)
      .returning({
        id: eventEndpoints.id,
        url: eventEndpoints.url,
        description: eventEndpoints.description,
        kinds: eventEndpoints.kinds,
        projectId: eventEndpoints.projectId,
        status: eventEndpoints.status,
        failingSince: eventEndpoints.failingSince,
        lastSentAt: eventEndpoints.lastSentAt,
        lastError: eventEndpoints.lastError,
        createdAt: eventEndpoints.createdAt,
      }),
    ...when(isThere, {
      job: sends && enqueue(pushJob, { endpoint_id: row.id }, { account, runAt: ctx.now(), open: 'move' }),
      audit: audit(ctx, { account, action, on: ['event_endpoint', row.id], detail }),
    }),
  })
  const [after] = changed
  if (!after) throw new ApiError('not_found', 'The event endpoint does not exist any more. Nothing was changed.')
  if (sends) ctx.defer(ctx.wakeQueue())
  const nextAttemptAt = after.failingSince === null || after.status === 'paused' ? null : row.nextAttemptAt
  return { event_endpoint: shown({ ...after, nextAttemptAt }), message }
}

/** Changes what an endpoint receives, or where. Throws 400, 404 and 403. */
export const updateEndpoint = async (ctx: Ctx, id: number, input: ChangeEndpointInput) => {
  if (Object.values(input).every((value) => value === undefined))
    throw new ApiError('no_fields', 'Send at least one of url, kinds, project_id and description.')
  const { url, kinds, project_id: projectId, description } = input
  if (url !== undefined) checkAddress(ctx, url)
  const row = await readEndpoint(ctx, id, projectId || undefined)
  const set = {
    ...(url === undefined ? {} : { url }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(projectId === undefined ? {} : { projectId: projectId === 0 ? null : projectId }),
    ...(description === undefined ? {} : { description }),
  }
  const detail = { fields: Object.keys(set) }
  return await changeEndpoint(ctx, row, {
    set,
    action: 'event_endpoint.update',
    detail,
    message: 'The endpoint was changed.',
  })
}

/** Deletes an endpoint with its attempts. Throws 404 and 403. */
export const removeEndpoint = async (ctx: Ctx, id: number) => {
  await readEndpoint(ctx, id)
  const { id: account } = await ctx.account()
  const isIt = and(eq(eventEndpoints.id, id), eq(eventEndpoints.accountId, account))
  const isThere = exists(ctx.db.select({ id: eventEndpoints.id }).from(eventEndpoints).where(isIt))
  await ctx.batch({
    held: ctx.db.select({ id: eventEndpoints.id }).from(eventEndpoints).where(isIt).for('update'),
    ...when(isThere, {
      audit: audit(ctx, { account, action: 'event_endpoint.delete', on: ['event_endpoint', id] }),
      job: finishJob(ctx.db, pushJob, id, { now: ctx.now() }),
    }),
    removed: ctx.db.delete(eventEndpoints).where(isIt),
  })
  return { id, deleted: true as const, message: 'The endpoint was deleted. Nothing more is sent to it.' }
}

/** Sends a test event, which is not in the feed. Throws 404 and 403. */
export const testEndpoint = async (ctx: Ctx, id: number) => {
  const row = await readEndpoint(ctx, id)
  const at = ctx.now()
  const { httpStatus, error } = await sendEvent(ctx, row.url, await secretsOf(ctx, row), `test_${id}_${at.getTime()}`, {
    id: 0,
    at: at.toISOString(),
    type: 'endpoint.test',
    actor: ctx.actor(),
    actor_name: null,
    subject: `event_endpoint:${id}`,
    project_id: row.projectId,
    article_id: null,
    detail: {},
  })
  return {
    id,
    status: error === null ? ('delivered' as const) : ('failed' as const),
    http_status: httpStatus,
    error,
    message: error === null ? 'The endpoint accepted the test event.' : `The test event failed. ${error}`,
  }
}

/** Makes a new signing secret. The previous one also signs for a day. Throws 404, 403, and 409 if another call was faster. */
export const rotateSecret = async (ctx: Ctx, id: number) => {
  const row = await readEndpoint(ctx, id)
  const { id: account } = await ctx.account()
  const secrets = rotated(await secretsOf(ctx, row), ctx.now())
  const sealedSecrets = await sealSecrets(ctx, id, secrets)
  const answer = {
    id,
    signing_secret: secrets.signing_secret,
    previous_signs_until: secrets.previous_signs_until,
    message: 'Store signing_secret now: it is not shown again. For 24 hours, events carry signatures of both secrets.',
  }
  const asRead = and(
    eq(eventEndpoints.id, id),
    eq(eventEndpoints.accountId, account),
    eq(eventEndpoints.sealedSecrets, row.sealedSecrets),
  )
  const isAsRead = exists(ctx.db.select({ id: eventEndpoints.id }).from(eventEndpoints).where(asRead))
  const { changed } = await ctx.batch({
    held: ctx.db
      .select({ id: eventEndpoints.id })
      .from(eventEndpoints)
      .where(eq(eventEndpoints.id, id))
      .for('no key update'),
    ...when(isAsRead, {
      audit: audit(ctx, { account, action: 'event_endpoint.rotate_secret', on: ['event_endpoint', id] }),
      kept: ctx.keepAnswer(await sealedAnswer(ctx.settings.secretsKeys, account, answer)),
    }),
    changed: ctx.db
      .update(eventEndpoints)
      .set({ sealedSecrets, updatedAt: ctx.now() })
      .where(asRead)
      .returning({ id: eventEndpoints.id }),
  })
  if (changed.length === 0)
    throw new ApiError(
      'edit_conflict',
      'The secret was changed at the same time. Nothing was saved; repeat the call.',
      {
        retry_after: 1,
      },
    )
  return answer
}

/** Returns the cursor for an entry: the entry itself, or the last one before the part of the feed that is kept. */
const cursorAt = async (ctx: Ctx, entryId: number): Promise<number> => {
  const since = new Date(ctx.now().getTime() - EVENT_DAYS * DAY_MS)
  const { rows } = await ctx.read((owner) => keptPart(ctx.db, owner, entryId, since))
  const [part] = rows
  return part?.is_kept ? entryId : (part?.before_id ?? 0)
}

const ON = { status: 'active', failures: 0, failingSince: null, lastError: null } as const

/** Sends the events behind an entry again. Throws 404 and 403. */
export const replayEvents = async (ctx: Ctx, id: number, { after }: ReplayInput) => {
  const row = await readEndpoint(ctx, id)
  return await changeEndpoint(ctx, row, {
    set: { ...ON, cursorId: await cursorAt(ctx, after) },
    action: 'event_endpoint.replay',
    detail: { after },
    sends: true,
    message: 'The events behind the cursor are being sent again, with the same IDs.',
  })
}

/** Resumes a paused endpoint, or tries a failing one again now. Throws 404 and 403. */
export const resumeEndpoint = async (ctx: Ctx, id: number) => {
  const row = await readEndpoint(ctx, id)
  return await changeEndpoint(ctx, row, {
    set: { ...ON, cursorId: await cursorAt(ctx, row.cursorId) },
    action: 'event_endpoint.resume',
    sends: true,
    message: 'The endpoint is active. Events since its last success are being sent.',
  })
}

const PAGE = { default: 50, max: 200 }

/** Returns the attempts to send events to an endpoint, newest first. Throws 404 and 403. */
export const listAttempts = async (ctx: Ctx, id: number, input: ListAttemptsInput) => {
  const paging = pagingOf(input, PAGE)
  const { found, attempts } = await ctx.read((owner) => ({
    found: endpointById(ctx.db, owner, id),
    attempts: attemptRows(ctx.db, id, paging),
  }))
  const [row] = found
  owned(row && { row, mine: row.mine }, 'event endpoint')
  const { rows, page } = pageOf(attempts, paging)
  return {
    attempts: rows.map(({ at, ...attempt }) => ({
      ...attempt,
      at: at.toISOString(),
      status: attempt.error === null ? ('delivered' as const) : ('failed' as const),
    })),
    ...page,
  }
}

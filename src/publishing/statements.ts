import { type SQL, sql } from 'drizzle-orm'
import { mayMove } from '../articles/standing-queries.ts'
import { auditCte } from '../db/effects.ts'
import { verifyCte } from '../exchange/verify-statements.ts'
import { articlePageCte } from '../research/page-statements.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { PublishRequest, TargetAnswer } from './port.ts'
import { RECEIPT_AFTER_MS } from './rules.ts'

export const at = (instant: Date | null) => sql`${instant?.toISOString() ?? null}::timestamptz`

/** The outbox row of a delivery: it wakes the delivery at its next attempt, or when the lease of a lost one has ended. */
export const wakeRow = (from: SQL, accountId: number, runAt: Date, now: Date): SQL =>
  sql`, woken as (insert into outbox (account_id, job, key, payload, run_at, offered_at)
      select ${accountId}::int, 'publishing.deliver', 'deliver:' || ${from}.id, jsonb_build_object('delivery_id', ${from}.id), ${at(runAt)}, ${at(now)}
      from ${from}
      on conflict (key) where done_at is null and dead_at is null do update set run_at = excluded.run_at, offered_at = excluded.offered_at
      returning id)`

export const attemptRow = (now: Date): SQL =>
  sql`, tried as (insert into delivery_attempts (delivery_id, number, status, started_at)
      select del.id, del.attempts, 'sending', ${at(now)} from del returning id)`

/** Ends attempts whose process died: nobody else will. */
export const interrupted = (from: SQL): SQL =>
  sql`, lost as (update delivery_attempts set status = 'failed', error = 'The attempt was interrupted; its outcome is not known.'
      where delivery_id in (select id from ${from}) and status = 'sending' returning id)`

export type NewDelivery = {
  accountId: number
  projectId: number
  articleId: number
  integrationId: number
  revision: number
  live: boolean
  request: PublishRequest
  lease: Date
}

export const insertDelivery = (
  d: Omit<NewDelivery, 'articleId'>,
  articleId: SQL,
  from: SQL,
  now: Date,
  replayOf: number | null,
): SQL =>
  sql`insert into deliveries (account_id, project_id, integration_id, article_id, event_type, status, idempotency_key, revision, live,
        payload, replay_of, attempts, lease_until, created_at, updated_at)
      select ${d.accountId}::int, ${d.projectId}::int, ${d.integrationId}::int, ${articleId}, ${d.request.event}, 'sending', ${d.request.key},
        ${d.revision}::int, ${d.live}::boolean, ${JSON.stringify(d.request.article)}::jsonb, ${replayOf}::int, 1, ${at(d.lease)}, ${at(now)}, ${at(now)}
      from ${from} returning id, attempts`

/** The edited columns of a published article, with their casts. */
export type Edits = Record<string, SQL>

/** What else a save changes: columns that follow from others, and CTEs over the one that has the saved article's id. */
type Derived = { columns: Edits; effects: (saved: SQL) => SQL }

/** What follows from a live article (`art`): it is a page of the site, and its links to partners are looked for there. */
const articleLives = (ctx: Ctx, accountId: number, url: string | undefined): SQL =>
  sql`${articlePageCte(sql`art`, url, ctx.now())} ${verifyCte(ctx, sql`art`, accountId)}`

/**
 * Saves edits of a published article as a new revision and opens the update that carries them. A sync that died is called
 * off. No row: another sync holds the article, or it was changed meanwhile.
 */
export const claimSync = (ctx: Ctx, d: NewDelivery & { readRevision: number; edits: Edits }, derived: Derived): SQL => {
  const now = ctx.now()
  const sets = [
    ...Object.entries({ ...d.edits, ...derived.columns }).map(([column, value]) => sql`${sql.raw(column)} = ${value}`),
    sql`revision = ${d.revision}::int, publish_state = 'publishing', publish_lease_until = ${at(d.lease)}, publish_error = null`,
    ...(d.revision === d.readRevision ? [] : [sql`updated_at = ${at(now)}`]),
  ]
  return sql`with old as materialized (
      select id, revision, title, meta_description, content from articles where id = ${d.articleId}::int and account_id = ${d.accountId}::int for update),
    art as (update articles a set ${sql.join(sets, sql`, `)} from old
      where a.id = old.id and a.revision = ${d.readRevision}::int and ${mayMove('sync', now, 'a')}
      returning a.id),
    kept as (insert into article_revisions (article_id, revision, title, meta_description, content)
      select old.id, old.revision, old.title, old.meta_description, old.content from old, art where old.revision <> ${d.revision}::int
      on conflict do nothing returning id),
    called_off as (update deliveries set status = 'superseded', error = 'Replaced by a later sync.', next_attempt_at = null, lease_until = null,
        updated_at = ${at(now)}
      where article_id in (select id from art) and status in ('sending', 'retrying', 'unknown') and replay_of is null returning id),
    silenced as (update outbox set done_at = ${at(now)} where key in (select 'deliver:' || id from called_off) and done_at is null and dead_at is null returning id),
    held as materialized (select art.id, (select count(*) from called_off) as called_off from art),
    del as (${insertDelivery(d, sql`held.id`, sql`held`, now, null)})
    ${interrupted(sql`called_off`)} ${attemptRow(now)} ${wakeRow(sql`del`, d.accountId, d.lease, now)} ${derived.effects(sql`art`)} ${ctx.recordRunning(sql`del`, d.lease)}
    select id, attempts from del`
}

/** Writes how a sync ended: the article stays published either way, its new content saved. */
export const finishSync = (
  ctx: Ctx,
  f: Finishing,
  error: string | null,
  url: string | undefined,
  answer: unknown,
): SQL => {
  const now = ctx.now()
  const status = error === null ? 'delivered' : 'failed'
  return sql`with ${endAttempt(f, { status, error, nextAt: null }, now)},
    art as (update articles set publish_state = ${error === null ? 'idle' : 'failed'}, publish_error = ${error}, publish_lease_until = null,
        url = coalesce(${url ?? null}, url)
      where id in (select article_id from del) and status = 'Published' returning id, project_id, url, title, main_keyword, meta_description)
    ${auditCte(ctx, sql`del`, sql`${f.accountId}::int`, error === null ? 'article.sync' : 'article.sync_failed', sql`'delivery:' || del.id`)}
    ${error === null ? articleLives(ctx, f.accountId, url) : sql``}
    ${error === null ? ctx.recordDone(sql`del`, 200, answer) : ctx.recordForgotten(sql`del`)}
    select id from del`
}

/** Opens a delivery that repeats an earlier one and leaves the article as it is. */
export const insertReplay = (
  ctx: Ctx,
  d: Omit<NewDelivery, 'articleId'> & { articleId: number | null; replayOf: number },
): SQL => {
  const now = ctx.now()
  return sql`with del as (${insertDelivery(d, sql`${d.articleId}::int`, sql`(select 1) as once`, now, d.replayOf)})
    ${attemptRow(now)} ${wakeRow(sql`del`, d.accountId, d.lease, now)} ${ctx.recordRunning(sql`del`, d.lease)}
    select id, attempts from del`
}

/** Claims a replay that waits for its next attempt; the article is not touched. */
export const claimReplay = (ctx: Ctx, d: { id: number; accountId: number; lease: Date }): SQL => {
  const now = ctx.now()
  return sql`with del as (update deliveries set status = 'sending', attempts = attempts + 1, lease_until = ${at(d.lease)}, next_attempt_at = null, updated_at = ${at(now)}
      where id = ${d.id}::int and (status in ('retrying', 'unknown') or (status = 'sending' and lease_until <= ${at(now)})) returning id, attempts)
    ${interrupted(sql`del`)} ${attemptRow(now)} ${wakeRow(sql`del`, d.accountId, d.lease, now)}
    select id, attempts from del`
}

/** One attempt that is being finished. `articleId` is absent for replays, which leave the article alone. */
export type Finishing = {
  projectId: number
  deliveryId: number
  number: number
  accountId: number
  integrationId: number
  articleId?: number | undefined
  durationMs: number | null
  /** The target was only asked, and could not say. */
  wasLookup: boolean
  answer: TargetAnswer
}

type Ending = { status: 'delivered' | 'retrying' | 'unknown' | 'failed'; error: string | null; nextAt: Date | null }

/** The project's row, locked before its deliveries and articles by everyone who needs it and them. */
const lockProject = (projectId: SQL): SQL =>
  sql`prj as materialized (select id from projects where id = ${projectId} for no key update)`

/** Gives the project's turn to publish back, if these deliveries had it. */
const giveTurnBack = sql`, freed as (update projects set publishing_delivery_id = null, publishing_until = null from del
    where projects.id = (select id from prj) and projects.publishing_delivery_id = del.id returning projects.id)`

/** The parts every ending shares: the project's turn, delivery, attempt, integration and the outbox row, all only if this attempt still holds the delivery. */
const endAttempt = (f: Finishing, ending: Ending, now: Date): SQL =>
  sql`${lockProject(sql`${f.projectId}::int`)}, del as (update deliveries set status = ${ending.status}, error = ${ending.error}, next_attempt_at = ${at(ending.nextAt)}, lease_until = null,
        lookups = lookups + ${f.wasLookup ? 1 : 0}, updated_at = ${at(now)}
      where id = ${f.deliveryId}::int and status = 'sending' and attempts = ${f.number}::int
        and exists (select 1 from prj) returning id, account_id, article_id)
    ${giveTurnBack},
    tried as (update delivery_attempts set status = ${ending.status}, error = ${ending.error}, http_status = ${f.answer.httpStatus ?? null}::int,
        duration_ms = ${f.durationMs}::int, response_excerpt = ${f.answer.excerpt ?? null}
      where delivery_id in (select id from del) and number = ${f.number}::int returning id),
    used as (update integrations set last_used_at = ${at(now)}, last_error = ${ending.status === 'delivered' ? null : ending.error}
      where id = ${f.integrationId}::int and exists (select 1 from del) returning id),
    woken as (update outbox set done_at = ${at(ending.nextAt ? null : now)}, run_at = coalesce(${at(ending.nextAt)}, run_at), offered_at = null,
        lease_until = null
      where key in (select 'deliver:' || id from del) and done_at is null and dead_at is null returning id)`

const noArticle = sql`, art as (select id as id from del)`

/** The target has it: the article's new state, id and URL, the receipt's job and the kept answer leave in this one statement. */
export const finishAccepted = (
  ctx: Ctx,
  f: Finishing,
  result: { live: boolean; publishedAt: Date | null; url?: string | undefined; remoteId?: string | undefined },
  answer: unknown,
): SQL => {
  const now = ctx.now()
  const receiptAt = new Date(now.getTime() + RECEIPT_AFTER_MS)
  const art =
    f.articleId === undefined
      ? noArticle
      : sql`, art as (update articles set status = ${result.live ? 'Published' : 'Draft'}, publish_state = 'idle', publish_error = null,
          publish_lease_until = null, url = coalesce(${result.url ?? null}, url), remote_id = coalesce(${result.remoteId ?? null}, remote_id),
          published_at = coalesce(${at(result.publishedAt)}, published_at), due_taken_at = null, receipt = null,
          sent_as_draft_at = ${result.live ? sql`sent_as_draft_at` : at(now)}, updated_at = ${at(now)}
        where id in (select article_id from del) and status in ('Draft', 'Planned') returning id, project_id, url, title, main_keyword, meta_description)`
  const receipt =
    f.articleId === undefined || !result.live
      ? sql``
      : sql`, checked as (insert into outbox (account_id, job, key, payload, run_at)
          select ${f.accountId}::int, 'publishing.receipt', 'receipt:' || art.id, jsonb_build_object('article_id', art.id), ${at(receiptAt)}
          from art where art.url is not null
          on conflict (key) where done_at is null and dead_at is null do nothing returning id)
        ${articleLives(ctx, f.accountId, result.url)}`
  return sql`with ${endAttempt(f, { status: 'delivered', error: null, nextAt: null }, now)} ${art} ${receipt}
    ${auditCte(ctx, sql`del`, sql`${f.accountId}::int`, result.live ? 'article.publish' : 'article.send_as_draft', sql`'delivery:' || del.id`, { attempt: f.number })}
    ${ctx.recordDone(sql`del`, 200, answer)}
    select id from del`
}

/** The target does not have it, or may have: the reason, and when it is tried or asked again. */
export const finishUnaccepted = (ctx: Ctx, f: Finishing, ending: Ending, answer: unknown): SQL => {
  const now = ctx.now()
  const art =
    f.articleId === undefined
      ? noArticle
      : sql`, art as (update articles set publish_state = ${ending.status}, publish_error = ${ending.error}, publish_lease_until = null
          where id in (select article_id from del) and status in ('Draft', 'Planned') returning id)`
  return sql`with ${endAttempt(f, ending, now)} ${art}
    ${auditCte(ctx, sql`del`, sql`${f.accountId}::int`, 'delivery.attempt_failed', sql`'delivery:' || del.id`, { attempt: f.number, outcome: ending.status })}
    ${ctx.recordDone(sql`del`, 202, answer)}
    select id from del`
}

/** Ends a delivery that can never be sent (its target is gone), unless an attempt is under way. */
export const abandonDelivery = (ctx: Ctx, id: number, reason: string): SQL => {
  const now = ctx.now()
  return sql`with ${lockProject(sql`(select project_id from deliveries where id = ${id}::int)`)},
    del as (update deliveries set status = 'failed', error = ${reason}, next_attempt_at = null, lease_until = null, updated_at = ${at(now)}
      where id = ${id}::int and exists (select 1 from prj) and (status in ('retrying', 'unknown') or (status = 'sending' and lease_until <= ${at(now)}))
      returning id, article_id, replay_of)
    ${giveTurnBack} ${interrupted(sql`del`)},
    art as (update articles set publish_state = 'failed', publish_error = ${reason}, publish_lease_until = null
      where id in (select article_id from del where replay_of is null) returning id)
    select id from del`
}

/** Keeps what the look at the live page found. */
export const storeReceipt = (articleId: number, url: string, receipt: Record<string, unknown>): SQL =>
  sql`update articles set receipt = ${JSON.stringify(receipt)}::jsonb where id = ${articleId}::int and url = ${url} and status = 'Published' returning id`

import { type SQL, sql } from 'drizzle-orm'
import { mayMove } from '../articles/standing-queries.ts'
import { auditCte } from '../db/effects.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { PublishRequest, TargetAnswer } from './port.ts'
import { RECEIPT_AFTER_MS } from './rules.ts'

const at = (instant: Date | null) => sql`${instant?.toISOString() ?? null}::timestamptz`

/** The outbox row of a delivery: it wakes the delivery at its next attempt, or when the lease of a lost one has ended. */
const wakeRow = (from: SQL, accountId: number, runAt: Date, now: Date): SQL =>
  sql`, woken as (insert into outbox (account_id, job, key, payload, run_at, offered_at)
      select ${accountId}::int, 'publishing.deliver', 'deliver:' || ${from}.id, jsonb_build_object('delivery_id', ${from}.id), ${at(runAt)}, ${at(now)}
      from ${from}
      on conflict (key) where done_at is null and dead_at is null do update set run_at = excluded.run_at, offered_at = excluded.offered_at
      returning id)`

const attemptRow = (now: Date): SQL =>
  sql`, tried as (insert into delivery_attempts (delivery_id, number, status, started_at)
      select del.id, del.attempts, 'sending', ${at(now)} from del returning id)`

/** Ends attempts whose process died: nobody else will. */
const interrupted = (from: SQL): SQL =>
  sql`, lost as (update delivery_attempts set status = 'failed', error = 'The attempt was interrupted; its outcome is not known.'
      where delivery_id in (select id from ${from}) and status = 'sending' returning id)`

type Holding = { articleId: number; accountId: number; revision: number; lease: Date }

/** Takes an article for publishing if nobody holds it and its content is still the one that was read. */
const holdArticle = (d: Holding, now: Date, only: SQL): SQL =>
  sql`art as (update articles set publish_state = 'publishing', publish_lease_until = ${at(d.lease)}
      where id = ${d.articleId}::int and account_id = ${d.accountId}::int and revision = ${d.revision}::int
        and ${mayMove('publish', now)} and ${only}
      returning id)`

/** The article is as it was read: never sent as a draft since, and no delivery came to wait meanwhile that nobody has seen. */
const asRead = ({ articleId, replaces, request }: NewDelivery & { replaces: number | null }): SQL =>
  sql`(sent_as_draft_at is not null) = ${request.event === 'update_articles'}::boolean and not exists (select 1 from deliveries where article_id = ${articleId}::int and status in ('sending', 'retrying', 'unknown')
        and replay_of is null and id is distinct from ${replaces}::int)`

type NewDelivery = {
  accountId: number
  projectId: number
  articleId: number
  integrationId: number
  revision: number
  live: boolean
  request: PublishRequest
  lease: Date
}

const insertDelivery = (
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

/**
 * Claims the article and opens a new delivery for it; `replaces`, the one still open for other content, is called off. No
 * row: somebody else holds it, or it is not as it was read. Two at once may violate `deliveries_open_unique`.
 */
export const claimWithNewDelivery = (ctx: Ctx, d: NewDelivery & { replaces: number | null }): SQL => {
  const now = ctx.now()
  // `held` is materialized, or the planner drops the unread count and inserts before the open delivery is called off, which
  // `deliveries_open_unique` refuses.
  return sql`with ${holdArticle(d, now, asRead(d))},
    called_off as (update deliveries set status = 'superseded', error = 'Replaced by a delivery of newer content.', next_attempt_at = null,
        lease_until = null, updated_at = ${at(now)}
      where article_id in (select id from art) and status in ('sending', 'retrying', 'unknown') and replay_of is null returning id),
    silenced as (update outbox set done_at = ${at(now)} where key in (select 'deliver:' || id from called_off) and done_at is null and dead_at is null returning id),
    held as materialized (select art.id, (select count(*) from called_off) as called_off from art),
    del as (${insertDelivery(d, sql`held.id`, sql`held`, now, null)})
    ${interrupted(sql`called_off`)} ${attemptRow(now)} ${wakeRow(sql`del`, d.accountId, d.lease, now)} ${ctx.recordRunning(sql`del`, d.lease)}
    select id, attempts from del`
}

type Retake = Holding & { id: number }

/** Claims the article and the delivery already open for the same content. No row: somebody else holds it. */
export const claimOpenDelivery = (ctx: Ctx, d: Retake): SQL => {
  const now = ctx.now()
  // Locked first: a delivery that ends at this moment must not leave its article held for nothing.
  return sql`with open as materialized (select id from deliveries
      where id = ${d.id}::int and status in ('sending', 'retrying', 'unknown') for update),
    ${holdArticle(d, now, sql`exists (select 1 from open)`)},
    del as (update deliveries set status = 'sending', attempts = attempts + 1, lease_until = ${at(d.lease)}, next_attempt_at = null, updated_at = ${at(now)}
      from art where deliveries.id = ${d.id}::int and deliveries.article_id = art.id and deliveries.status in ('sending', 'retrying', 'unknown')
      returning deliveries.id, deliveries.attempts)
    ${interrupted(sql`del`)} ${attemptRow(now)} ${wakeRow(sql`del`, d.accountId, d.lease, now)} ${ctx.recordRunning(sql`del`, d.lease)}
    select id, attempts from del`
}

/** The edited columns of a published article, with their casts. */
export type Edits = Record<string, SQL>

/** What else a save changes: columns that follow from others, and CTEs over the one that has the saved article's id. */
type Derived = { columns: Edits; effects: (saved: SQL) => SQL }

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
      where id in (select article_id from del) and status = 'Published' returning id)
    ${auditCte(ctx, sql`del`, sql`${f.accountId}::int`, error === null ? 'article.sync' : 'article.sync_failed', sql`'delivery:' || del.id`)}
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
  deliveryId: number
  number: number
  accountId: number
  integrationId: number
  articleId?: number | undefined
  durationMs: number | null
  answer: TargetAnswer
}

type Ending = { status: 'delivered' | 'retrying' | 'unknown' | 'failed'; error: string | null; nextAt: Date | null }

/** The parts every ending shares: delivery, attempt, integration and the outbox row, all only if this attempt still holds the delivery. */
const endAttempt = (f: Finishing, ending: Ending, now: Date): SQL =>
  sql`del as (update deliveries set status = ${ending.status}, error = ${ending.error}, next_attempt_at = ${at(ending.nextAt)}, lease_until = null,
        updated_at = ${at(now)}
      where id = ${f.deliveryId}::int and status = 'sending' and attempts = ${f.number}::int returning id, account_id, article_id),
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
        where id in (select article_id from del) and status in ('Draft', 'Planned') returning id, url)`
  const receipt =
    f.articleId === undefined || !result.live
      ? sql``
      : sql`, checked as (insert into outbox (account_id, job, key, payload, run_at)
          select ${f.accountId}::int, 'publishing.receipt', 'receipt:' || art.id, jsonb_build_object('article_id', art.id), ${at(receiptAt)}
          from art where art.url is not null
          on conflict (key) where done_at is null and dead_at is null do nothing returning id)`
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
  return sql`with del as (update deliveries set status = 'failed', error = ${reason}, next_attempt_at = null, lease_until = null, updated_at = ${at(now)}
      where id = ${id}::int and (status in ('retrying', 'unknown') or (status = 'sending' and lease_until <= ${at(now)}))
      returning id, article_id, replay_of)
    ${interrupted(sql`del`)},
    art as (update articles set publish_state = 'failed', publish_error = ${reason}, publish_lease_until = null
      where id in (select article_id from del where replay_of is null) returning id)
    select id from del`
}

/** Notes why a due article could not even be tried. */
export const failDue = (ctx: Ctx, articleId: number, reason: string): SQL =>
  sql`update articles set publish_state = 'failed', publish_error = ${reason}, updated_at = ${at(ctx.now())}
    where id = ${articleId}::int and status = 'Planned' and publish_state = 'idle' returning id`

const DUE_BATCH = 200

/**
 * Takes articles whose date has come, each once: `Save as Drafts` become drafts here, the others get a publishing job in
 * this same statement. Accounts that are suspended wait.
 */
export const takeDue = (now: Date): SQL =>
  sql`with due as (
      select a.id, a.account_id, p.publishing_status from articles a
      join projects p on p.id = a.project_id and p.status = 'Active'
      join accounts c on c.id = a.account_id and c.suspended_at is null
      where a.status = 'Planned' and a.publish_state in ('idle', 'failed') and a.due_taken_at is null and a.scheduled_at <= ${at(now)}
      order by a.scheduled_at, a.id limit ${sql.raw(String(DUE_BATCH))} for update of a skip locked),
    drafted as (update articles a set status = 'Draft', publish_state = 'idle', publish_error = null, updated_at = ${at(now)} from due
      where a.id = due.id and due.publishing_status = 'Save as Drafts' returning a.id, a.account_id),
    taken as (update articles a set due_taken_at = ${at(now)}, publish_state = 'idle', publish_error = null from due
      where a.id = due.id and due.publishing_status <> 'Save as Drafts' returning a.id, a.account_id, due.publishing_status),
    queued as (insert into outbox (account_id, job, key, payload, run_at)
      select account_id, 'publishing.publish_due', 'publish_due:' || id || ':' || ${now.getTime()}::bigint,
        jsonb_build_object('article_id', id, 'live', publishing_status = 'Publish Immediately'), ${at(now)} from taken
      on conflict (key) where done_at is null and dead_at is null do nothing returning id),
    audited as (insert into audit_log (account_id, actor, action, subject, at)
      select account_id, 'cron:minute', 'article.saved_as_draft_on_its_date', 'article:' || id, ${at(now)} from drafted returning id)
    select (select count(*) from taken) as taken, (select count(*) from drafted) as drafted`

/** Keeps what the look at the live page found. */
export const storeReceipt = (articleId: number, url: string, receipt: Record<string, unknown>): SQL =>
  sql`update articles set receipt = ${JSON.stringify(receipt)}::jsonb where id = ${articleId}::int and url = ${url} and status = 'Published' returning id`

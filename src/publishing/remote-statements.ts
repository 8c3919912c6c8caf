import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { integrations } from '../../schema/integrations.ts'
import { cmsImages, remoteVersions } from '../../schema/remote.ts'
import type { Db } from '../db/client.ts'
import { auditCte } from '../db/effects.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { CmsVersion } from './cms.ts'
import { RECEIPT_AFTER_MS } from './rules.ts'

const at = (instant: Date | null) => sql`${instant?.toISOString() ?? null}::timestamptz`

/** Versions kept of one article at one target; older ones are forgotten. */
const KEPT = 10

/** Keeps what readers saw until now. */
export const keepVersion = (articleId: number, integrationId: number, version: CmsVersion, now: Date): SQL =>
  sql`with kept as (insert into remote_versions (article_id, integration_id, version, taken_at)
      select ${articleId}::int, ${integrationId}::int, ${JSON.stringify(version)}::jsonb, ${at(now)}
      where exists (select 1 from articles where id = ${articleId}::int) returning id),
    old as (delete from remote_versions where id in (select id from remote_versions
      where article_id = ${articleId}::int and integration_id = ${integrationId}::int order by id desc offset ${sql.raw(String(KEPT - 1))}) returning id)
    select id from kept`

/** The kept versions of an article at the project's present target, newest first; of one id where it is given. */
export const versionsOf = (db: Db, articleId: number, versionId: number | undefined) =>
  db
    .select({ id: remoteVersions.id, version: remoteVersions.version, integrationId: remoteVersions.integrationId })
    .from(remoteVersions)
    .innerJoin(integrations, and(eq(integrations.id, remoteVersions.integrationId), eq(integrations.status, 'Active')))
    .where(
      and(
        eq(remoteVersions.articleId, articleId),
        versionId === undefined ? undefined : eq(remoteVersions.id, versionId),
      ),
    )
    .orderBy(desc(remoteVersions.id))
    .limit(1)

/** Keeps the id of the post that an article has at its target although it is not known to be published. */
export const rememberPost = (articleId: number, remoteId: string): SQL =>
  sql`update articles set remote_id = ${remoteId} where id = ${articleId}::int and status in ('Draft', 'Planned') returning id`

export const hostedImagesOf = (db: Db, integrationId: number, hashes: string[]) =>
  db
    .select({ hash: cmsImages.urlHash, url: cmsImages.hostedUrl })
    .from(cmsImages)
    .where(and(eq(cmsImages.integrationId, integrationId), inArray(cmsImages.urlHash, hashes)))

export const rememberImage = (integrationId: number, hash: string, hostedUrl: string, now: Date): SQL =>
  sql`insert into cms_images (integration_id, url_hash, hosted_url, created_at)
    values (${integrationId}::int, ${hash}, ${hostedUrl}, ${at(now)}) on conflict do nothing returning url_hash`

type Rollback = { articleId: number; accountId: number; lease: Date }

/**
 * Takes a published article for a rollback, with a row that frees it should this process die. No row: a sync or another
 * rollback holds it.
 */
export const claimRollback = (ctx: Ctx, r: Rollback): SQL => {
  const now = ctx.now()
  return sql`with art as (update articles set publish_state = 'publishing', publish_lease_until = ${at(r.lease)}, publish_error = null
      where id = ${r.articleId}::int and account_id = ${r.accountId}::int and status = 'Published'
        and (publish_state <> 'publishing' or publish_lease_until is null or publish_lease_until <= ${at(now)}) returning id),
    woken as (insert into outbox (account_id, job, key, payload, run_at, offered_at)
      select ${r.accountId}::int, 'publishing.rollback_lost', 'rollback:' || art.id, jsonb_build_object('article_id', art.id, 'lease', ${r.lease.toISOString()}::text),
        ${at(r.lease)}, ${at(now)} from art
      on conflict (key) where done_at is null and dead_at is null do update set run_at = excluded.run_at, payload = excluded.payload returning id)
    ${ctx.recordRunning(sql`art`, r.lease)}
    select id from art`
}

type Ended = Rollback & { versionId: number; error: string | null; url: string | null; integrationId: number }

/** Writes how a rollback ended; a good one is looked at on the live page like a publication. */
export const finishRollback = (ctx: Ctx, e: Ended, answer: unknown): SQL => {
  const now = ctx.now()
  const receiptAt = new Date(now.getTime() + RECEIPT_AFTER_MS)
  const good = e.error === null
  return sql`with art as (update articles set publish_state = ${good ? 'idle' : 'failed'}, publish_error = ${e.error}, publish_lease_until = null,
        url = coalesce(${e.url}, url), receipt = case when ${good}::boolean then null else receipt end
      where id = ${e.articleId}::int and publish_state = 'publishing' and publish_lease_until = ${at(e.lease)} returning id, url),
    restored as (update remote_versions set restored_at = ${at(good ? now : null)} where id = ${e.versionId}::int and exists (select 1 from art) returning id),
    used as (update integrations set last_used_at = ${at(now)}, last_error = ${e.error} where id = ${e.integrationId}::int and exists (select 1 from art) returning id),
    freed as (update outbox set done_at = ${at(now)} where key in (select 'rollback:' || id from art) and done_at is null and dead_at is null returning id),
    checked as (insert into outbox (account_id, job, key, payload, run_at)
      select ${e.accountId}::int, 'publishing.receipt', 'receipt:' || art.id, jsonb_build_object('article_id', art.id), ${at(receiptAt)}
      from art where art.url is not null and ${good}::boolean
      on conflict (key) where done_at is null and dead_at is null do nothing returning id)
    ${auditCte(ctx, sql`art`, sql`${e.accountId}::int`, good ? 'article.rollback' : 'article.rollback_failed', sql`'article:' || art.id`, { version: e.versionId })}
    ${good ? ctx.recordDone(sql`art`, 200, answer) : ctx.recordForgotten(sql`art`)}
    select id from art`
}

/** Frees an article whose rollback died before it could tell how it ended. */
export const freeLostRollback = (articleId: number, lease: Date, error: string): SQL =>
  sql`update articles set publish_state = 'failed', publish_error = ${error}, publish_lease_until = null
    where id = ${articleId}::int and publish_state = 'publishing' and publish_lease_until = ${at(lease)} returning id`

import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { exchangeCommitments, exchangeLinks } from '../../../schema/exchange.ts'
import { outbox } from '../../../schema/kernel.ts'
import type { Db } from '../../platform/db/client.ts'
import { finishJob, moveJob } from '../../platform/jobs/enqueue.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { readDocument } from '../html/document.ts'
import { readLivePage } from '../site/live-page.ts'
import { type LookJob, verifyJob } from './jobs.ts'
import { linkedKeys, siteLinks } from './links.ts'
import { nextLookAt } from './rules.ts'
import { articleLocks, endReservations, loseLinks } from './writes.ts'

/** Link that the live page must have. */
type AwaitedLink = { id: number; url: string; site_key: string }

/** Selects the links of a published article that are not verified yet. */
const awaitedLinks = (db: Db, owner: SQL, articleId: number) =>
  db.execute<AwaitedLink>(sql`
    select l.id, articles.url, p.website_key as site_key from exchange_links l
    join articles on articles.id = l.article_id join projects p on p.id = l.to_project_id
    where articles.id = ${articleId}::int and articles.account_id = ${owner} and ${oneOf(articles.status, ['Published'])}
      and articles.url is not null and l.status = 'Scheduled'
    order by l.id`)

/** Returns the sites that a live page has followed links to. Empty if it cannot be read or forbids following its links. */
const sitesLinkedFrom = async (ctx: Ctx, address: string): Promise<ReadonlySet<string>> => {
  const page = await readLivePage(ctx, address)
  if (page.kind === 'unread' || page.status !== 200 || page.robots.nofollow) return new Set()
  return new Set(linkedKeys(siteLinks(readDocument(page.html).links)))
}

/** Result of a check of the live page. `next` is the time of the next check for missing links; null after the last. */
type Look = { url: string; found: readonly number[]; missing: readonly number[]; next: Date | null }

const lookOf = (ctx: Ctx, look: number, links: readonly AwaitedLink[], sites: ReadonlySet<string>): Look => {
  const isShown = (link: AwaitedLink) => sites.has(link.site_key)
  const missing = links.filter((link) => !isShown(link)).map(({ id }) => id)
  return {
    url: links[0]?.url ?? '',
    found: links.filter(isShown).map(({ id }) => id),
    missing,
    next: missing.length === 0 ? null : nextLookAt(look, ctx.now(), ctx.settings.retryTimeScale),
  }
}

const NOTHING_AWAITED: Look = { url: '', found: [], missing: [], next: null }

/**
 * Stores the result of a check. Links that were found become verified, and the job runs again for the others.
 *
 * After the last check they become missing and their credits are taken back, unless a sync restarted the checks. The job ends
 * if no check follows. Also returns credits reserved for links that the article does not have.
 */
const saveLook = async (ctx: Ctx, job: LookJob, { url, found, missing, next }: Look): Promise<void> => {
  const now = ctx.now()
  const { id, articleId, status } = exchangeLinks
  // The job's row of this run. A sync that restarts the checks changes `not_before`.
  const isOwn = sql`(${outbox.payload}->>'not_before')::bigint = ${job.not_before}::bigint`
  const row = and(eq(outbox.key, verifyJob.keyOf(job.article_id)), isNull(outbox.doneAt), isNull(outbox.deadAt))
  const isHeld = sql`exists (select 1 from ${outbox} where ${and(row, isOwn)})`
  const isScheduled = and(eq(articleId, job.article_id), eq(status, 'Scheduled'))
  const runAgain = (at: Date) =>
    moveJob(ctx.db, verifyJob, job.article_id, {
      if: isOwn,
      runAt: at,
      payload: { ...job, look: job.look + 1, not_before: at.getTime() },
    })
  await ctx.batch(
    {
      articleLocks: articleLocks(job.article_id),
      outbox: ctx.db.select({ id: outbox.id }).from(outbox).where(row).for('no key update'),
      changedExchangeLinks:
        found.length > 0 &&
        ctx.db
          .update(exchangeLinks)
          .set({ status: 'Verified', sourceUrl: url, verifiedAt: now, updatedAt: now })
          .where(and(inArray(id, [...found]), isScheduled)),
      loseLinks:
        next === null &&
        missing.length > 0 &&
        loseLinks('Missing', sql`${and(inArray(id, [...missing]), isScheduled)} and ${isHeld}`, now),
      endReservations: endReservations(eq(exchangeCommitments.articleId, job.article_id), now),
      runAgain: next ? runAgain(next) : finishJob(ctx.db, verifyJob, job.article_id, { if: isOwn, now }),
    },
    { unaudited: 'the service saw it on a live page; the ledger says what it changed' },
  )
}

/**
 * Checks the live page of a published article for its links to partners. Links that are found become verified.
 *
 * Other links are checked again later. After the last check they become missing, and their credits are taken back.
 */
export const verifyLinks = async (ctx: Ctx, job: LookJob): Promise<JobResult> => {
  if (ctx.now().getTime() < job.not_before) return { kind: 'later', at: new Date(job.not_before) }
  const awaited = await ctx.read((owner) => awaitedLinks(ctx.db, owner, job.article_id))
  const [first] = awaited.rows
  const seen = first && lookOf(ctx, job.look, awaited.rows, await sitesLinkedFrom(ctx, first.url))
  await saveLook(ctx, job, seen ?? NOTHING_AWAITED)
  return { kind: 'settled' }
}

/** Marks the links as missing and takes their credits back, after the checks of the page failed too often. */
export const giveUpLooking = async (ctx: Ctx, job: LookJob): Promise<void> => {
  const awaited = await ctx.read((owner) => awaitedLinks(ctx.db, owner, job.article_id))
  const seen = { ...lookOf(ctx, job.look, awaited.rows, new Set()), next: null }
  await saveLook(ctx, job, seen)
}

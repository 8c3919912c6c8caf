import { and, eq, lte, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { engineHosts, engineReports } from '../../../schema/engines.ts'
import { projects } from '../../../schema/projects.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Guarded, Statement } from '../../platform/db/steps.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { tellJob } from './job.ts'
import type { EngineHost } from './queries.ts'
import { COLLECT_MS, MAX_URL } from './rules.ts'

const WANTED_AGAIN = sql`(project_id, url) do update set article_id = excluded.article_id, is_gone = excluded.is_gone,
  wanted_at = excluded.wanted_at, updated_at = excluded.updated_at`

/** Condition: `articles` is an article of a project that tells search engines, and its address can be reported. */
const isTold = (
  articleId: number,
  url: SQL,
): SQL => sql`${and(eq(articles.id, articleId), eq(projects.tellsEngines, true))}
  and ${url} ~ '^https?://' and length(${url}) <= ${MAX_URL}::int`

const ofProject = sql`${articles} join ${projects} on ${eq(projects.id, articles.projectId)}`

const tell = (
  { now, settings }: Pick<Ctx, 'now' | 'settings'>,
  articleId: number,
  { url, isGone, if: condition }: { url: SQL; isGone: boolean; if: SQL },
) => ({
  wanted: insertWhere(
    engineReports,
    { projectId: sql`${articles.projectId}`, url, articleId, isGone, wantedAt: now(), updatedAt: now() },
    { from: ofProject, if: sql`${isTold(articleId, url)} and ${condition}`, onConflict: WANTED_AGAIN },
  ),
  job: enqueue(
    tellJob,
    { project_id: sql`${articles.projectId}` },
    {
      from: ofProject,
      if: sql`${isTold(articleId, url)} and ${condition}`,
      account: sql`${articles.accountId}`,
      runAt: new Date(now().getTime() + COLLECT_MS / settings.retryTimeScale),
      open: 'move',
    },
  ),
})

/**
 * Returns the statements by which search engines are told about the page of an article that readers see, if its project wants it.
 *
 * An earlier address of the article is reported as removed.
 */
export const tellShown = (ctx: Ctx, articleId: number, url: string, condition: SQL): Statement[] => {
  const now = ctx.now()
  const { wanted, job } = tell(ctx, articleId, { url: sql`${url}::text`, isGone: false, if: condition })
  return [
    ctx.db
      .update(engineReports)
      .set({ isGone: true, wantedAt: now, articleId: null, updatedAt: now })
      .where(and(eq(engineReports.articleId, articleId), ne(engineReports.url, url), condition)),
    wanted,
    job,
  ]
}

/**
 * Returns the steps by which search engines are told that readers no longer see an article, if its project wants it. They must run
 * before the article loses its address.
 */
export const tellGone =
  (ctx: Ctx, articleId: number): Guarded<ReturnType<typeof tell>> =>
  (isMet) =>
    tell(ctx, articleId, { url: sql`${articles.url}`, isGone: true, if: isMet })

/** Returns the statement that stores a look at a key file, or the engines' refusal of the key. */
export const keepHost = (host: EngineHost) =>
  insertWhere(engineHosts, host, {
    if: 'always',
    onConflict: sql`(project_id, origin) do update set location = excluded.location, looked_at = excluded.looked_at,
      verified_at = excluded.verified_at, problem = excluded.problem, refusals = excluded.refusals, paused_until = excluded.paused_until`,
  })

type Reported = { projectId: number; urls: readonly string[]; wantedBy: Date; now: Date }

const reported = ({ projectId, urls, wantedBy }: Reported) =>
  and(
    eq(engineReports.projectId, projectId),
    sql`${engineReports.url} in (select jsonb_array_elements_text(${JSON.stringify(urls)}::jsonb))`,
    lte(engineReports.wantedAt, wantedBy),
  )

/** Returns the statement that stores the engines' answer to a report. Addresses that changed since stay wanted. */
export const keepAnswer = (db: Db, of: Reported, answer: number) =>
  db.update(engineReports).set({ wantedAt: null, toldAt: of.now, answer, updatedAt: of.now }).where(reported(of))

/** Returns the statement that ends the wait for removed pages that are still shown. */
export const dropReports = (db: Db, of: Reported) =>
  db.update(engineReports).set({ wantedAt: null, updatedAt: of.now }).where(reported(of))

/** Returns the statement that starts the job of a project now. */
export const tellNow = (
  { now }: Pick<Ctx, 'now'>,
  { projectId, accountId }: { projectId: number; accountId: number },
) => enqueue(tellJob, { project_id: projectId }, { if: 'always', account: accountId, runAt: now(), open: 'move' })

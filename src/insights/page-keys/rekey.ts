import { and, asc, eq, exists, gt, inArray, lte, notExists, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import { searchAnswers, searchPages, searchSources } from '../../../schema/search.ts'
import { sitePages } from '../../../schema/site.ts'
import { statusAllows } from '../../content/articles/parts.ts'
import { articlePage } from '../../content/site/writes.ts'
import { listed } from '../../platform/db/writes.ts'
import { enqueue, moveJob } from '../../platform/jobs/enqueue.ts'
import { defineJob, type JobResult } from '../../platform/jobs/job.ts'
import { lastOf, overRows, type Part } from '../../platform/jobs/over-rows.ts'
import { id } from '../../platform/lib/fields.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import { pageKey, siteKey } from '../../platform/lib/urls.ts'
import { type Ctx, type Deps, sendBatch } from '../../platform/runtime/ctx.ts'

/** Rows whose keys may change, in the order they are read: pages in search results, pages of the site, live articles without a page. */
const STEPS = ['search', 'site', 'articles'] as const

const Progress = z.object({
  project_id: id(),
  step: z._default(z.enum(STEPS), 'search'),
  /** Id of the last row that was read in this step. */
  after: z._default(z.int(), 0),
})
type Progress = z.infer<typeof Progress>

/** Computes the keys of a project's stored pages again, after a release that changed their form. */
export const rekeyJob = defineJob({
  name: 'pages.rekey',
  payload: Progress,
  whenClosed: { runs: 'it sends nothing outside: the keys of stored rows change' },
  key: 'rekey',
  id: 'project_id',
})

/** Projects queued per minute, and rows read at once. */
const [PROJECTS, ROWS, ARTICLES] = [50, 2_000, 50]
const UNAUDITED = { unaudited: 'keys that are computed again from the same addresses' }

/** Queues the projects whose keys are due; returns how many. Each is due again a day later until its keys are done. */
export const enqueueRekeys = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const isDue = lte(projects.pagesRekeyAt, now())
  const due = await db
    .select({ id: projects.id })
    .from(projects)
    .where(isDue)
    .orderBy(asc(projects.pagesRekeyAt))
    .limit(PROJECTS)
  if (due.length === 0) return 0
  const taken = sql`${inArray(
    projects.id,
    due.map((project) => project.id),
  )} and ${isDue}`
  const { queued } = await sendBatch(
    db,
    {
      queued: enqueue(
        rekeyJob,
        { project_id: sql`${projects.id}` },
        { account: sql`${projects.accountId}`, from: sql`${projects}`, if: taken, runAt: now(), open: 'keep' },
      ),
      changedProjects: db
        .update(projects)
        .set({ pagesRekeyAt: new Date(now().getTime() + DAY_MS) })
        .where(taken),
    },
    { unaudited: 'the service’s own clock' },
  )
  return queued.length
}

type Row = { id: number; url: string }

/** Returns rows with the key of the present form, if their key has another. Only addresses with a query can have one. */
const renamed = (rows: readonly (Row & { key: string })[]) =>
  rows.flatMap(({ id: row, url, key: old }) => {
    const address = URL.parse(url)
    const key = address && old === siteKey(address) ? pageKey(address) : old
    return key === old ? [] : [{ id: row, key, old }]
  })

const hasQuery = (column: SQL): SQL => sql`position('?' in ${column}) > 0`

/** A step of the job: changes the keys of a project's rows after one. */
type Step = (ctx: Ctx, projectId: number, after: number) => ReturnType<Part>

const rekeySearch: Step = async (ctx, projectId, after) => {
  const { db } = ctx
  const sources = db.select({ id: searchSources.id }).from(searchSources).where(eq(searchSources.projectId, projectId))
  const { id: row, page: url, pageKey: key } = searchPages
  const rows = await db
    .select({ id: row, url, key })
    .from(searchPages)
    .where(and(inArray(searchPages.sourceId, sources), gt(row, after), hasQuery(sql`${url}`)))
    .orderBy(asc(row))
    .limit(ROWS)
  const changed = renamed(rows)
  if (changed.length > 0)
    await ctx.batch(
      {
        changedSearchPages: db
          .update(searchPages)
          .set({ pageKey: sql`listed.key` })
          .from(listed({ id: row, key }, changed))
          .where(eq(row, sql`listed.id`)),
        deletedSearchAnswers: db.delete(searchAnswers).where(inArray(searchAnswers.sourceId, sources)),
      },
      UNAUDITED,
    )
  return lastOf(rows, ROWS)
}

/** Pages that a scan has added under the new key since the release win: their older rows are deleted. */
const rekeySite: Step = async (ctx, projectId, after) => {
  const { db } = ctx
  const { id: row, url, urlKey: key } = sitePages
  const rows = await db
    .select({ id: row, url, key })
    .from(sitePages)
    .where(and(eq(sitePages.projectId, projectId), gt(row, after), hasQuery(sql`${url}`)))
    .orderBy(asc(row))
    .limit(ROWS)
  const changed = renamed(rows)
  const isListed = and(eq(row, sql`listed.id`), eq(key, sql`listed.old`))
  const other = db
    .select({ one: sql`1` })
    .from(sql`site_pages other`)
    .where(sql`other.project_id = ${projectId}::int and other.url_key = listed.key`)
  if (changed.length > 0)
    await ctx.batch(
      {
        changedSitePages: db
          .update(sitePages)
          .set({ urlKey: sql`listed.key` })
          .from(listed({ id: row, key, old: key }, changed))
          .where(and(isListed, notExists(other))),
        deletedSitePages: db
          .delete(sitePages)
          .where(
            sql`(${row}, ${key}) in (select listed.id, listed.old from ${listed({ id: row, old: key }, changed)})`,
          ),
      },
      UNAUDITED,
    )
  return lastOf(rows, ROWS)
}

/** Articles lost their page to another article's, if both had one key. */
const addArticles: Step = async (ctx, projectId, after) => {
  const { db } = ctx
  const ownPage = db.select({ id: sitePages.id }).from(sitePages).where(eq(sitePages.articleId, articles.id))
  const isLive = and(eq(articles.projectId, projectId), statusAllows('sync'))
  const rows = await db
    .select({ id: articles.id, url: sql<string>`${articles.url}` })
    .from(articles)
    .where(and(isLive, gt(articles.id, after), hasQuery(sql`${articles.url}`), notExists(ownPage)))
    .orderBy(asc(articles.id))
    .limit(ARTICLES)
  const now = ctx.now()
  const added = rows.flatMap(({ id: article, url }) => {
    const isThere = and(eq(articles.id, article), eq(articles.url, url), isLive)
    const condition = exists(db.select({ id: articles.id }).from(articles).where(isThere))
    return articlePage(db, article, url, { if: condition, now })
  })
  if (added.length > 0) await ctx.batch({ added }, UNAUDITED)
  return lastOf(rows, ARTICLES)
}

/** Computes the keys of a project's pages again, in batches. A run lasts some seconds, and the next one continues. */
export const rekeyPages = async (ctx: Ctx, { project_id: projectId, ...from }: Progress): Promise<JobResult> => {
  const parts = {
    search: (after: number) => rekeySearch(ctx, projectId, after),
    site: (after: number) => rekeySite(ctx, projectId, after),
    articles: (after: number) => addArticles(ctx, projectId, after),
  } satisfies Record<Progress['step'], Part>
  const rest = await overRows(ctx.now, parts, from)
  if (rest) {
    const payload = { project_id: projectId, ...rest }
    await ctx.batch(
      { movedRekeyJob: moveJob(ctx.db, rekeyJob, projectId, { if: 'always', runAt: ctx.now(), payload }) },
      UNAUDITED,
    )
    return { kind: 'settled' }
  }
  await ctx.batch(
    { changedProjects: ctx.db.update(projects).set({ pagesRekeyAt: null }).where(eq(projects.id, projectId)) },
    UNAUDITED,
  )
  return { kind: 'done' }
}

import { and, desc, eq, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../schema/articles.ts'
import { projects } from '../../schema/projects.ts'
import type { Db } from '../db/client.ts'
import { auditCte } from '../db/effects.ts'
import { ownedRows } from '../db/ownership.ts'
import { unlinkCtes } from '../exchange/save-statements.ts'
import type { Paging } from '../lib/paging.ts'
import { readTime } from '../lib/time.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { ListArticlesInput } from './schemas.ts'
import { mayMove } from './standing-queries.ts'

const mine = (owner: SQL, column: typeof articles.accountId | typeof projects.accountId) =>
  sql<boolean>`coalesce(${column} = ${owner}, false)`

const rowColumns = {
  id: articles.id,
  title: articles.title,
  mainKeyword: articles.mainKeyword,
  status: articles.status,
  scheduledAt: articles.scheduledAt,
  projectId: articles.projectId,
  slug: articles.slug,
  articleStyle: articles.articleStyle,
  claimedAt: articles.claimedAt,
  writingStartedAt: articles.writingStartedAt,
  url: articles.url,
  timezone: projects.timezone,
}

const detailColumns = {
  ...rowColumns,
  content: articles.content,
  metaDescription: articles.metaDescription,
  featureImage: articles.featureImage,
  altText: articles.altText,
  category: articles.category,
  tags: articles.tags,
  instructions: articles.instructions,
  createdAt: articles.createdAt,
  updatedAt: articles.updatedAt,
  publishedAt: articles.publishedAt,
  publishState: articles.publishState,
  publishError: articles.publishError,
  publishLeaseUntil: articles.publishLeaseUntil,
  generationError: articles.generationError,
  progress: articles.progress,
  writtenAt: articles.writtenAt,
  receipt: articles.receipt,
  revision: articles.revision,
  seo: articles.seo,
  author: projects.customAuthorName,
}

/** An article by id whoever owns it, with its project's time zone and byline. */
export const articleById = (db: Db, owner: SQL, id: number) =>
  db
    .select({ ...detailColumns, mine: mine(owner, articles.accountId) })
    .from(articles)
    .innerJoin(projects, eq(projects.id, articles.projectId))
    .where(eq(articles.id, id))

const WIDEST_OFFSET = sql`interval '15 hours'`

/** Bounds by wall time: the index narrows by instant first, the project's zone decides. */
const scheduled = (input: ListArticlesInput): SQL[] => {
  const bound = (text: string, after: boolean): SQL[] => {
    const time = readTime(text)
    if (time.instant) return [(after ? gte : lte)(articles.scheduledAt, time.instant)]
    const wholeDay = time.dateOnly && !after
    const wall = wholeDay ? sql`(${time.wall}::timestamp + interval '1 day - 1 ms')` : sql`${time.wall}::timestamp`
    const local = sql`(${articles.scheduledAt} at time zone ${projects.timezone})`
    const edge = sql`(${wall} at time zone 'UTC')`
    return after
      ? [sql`${articles.scheduledAt} >= ${edge} - ${WIDEST_OFFSET}`, sql`${local} >= ${wall}`]
      : [sql`${articles.scheduledAt} <= ${edge} + ${WIDEST_OFFSET}`, sql`${local} <= ${wall}`]
  }
  return [
    ...(input.scheduled_after ? bound(input.scheduled_after, true) : []),
    ...(input.scheduled_before ? bound(input.scheduled_before, false) : []),
  ]
}

/** Title or keyword contains: the index finds candidates in both at once, each by itself decides. */
const contains = (q: string): SQL => {
  const pattern = sql`lower(${`%${q.replace(/[\\%_]/g, '\\$&')}%`})`
  return sql`${articles.searchText} like ${pattern} and (lower(${articles.title}) like ${pattern} or lower(${articles.mainKeyword}) like ${pattern})`
}

/** The caller's articles, newest first, one more than the page shows. */
export const listRows = (db: Db, owner: SQL, input: ListArticlesInput, paging: Paging) =>
  db
    .select(rowColumns)
    .from(articles)
    .innerJoin(projects, eq(projects.id, articles.projectId))
    .where(
      and(
        ownedRows(articles, owner, input.project_id),
        input.status === undefined ? undefined : eq(articles.status, input.status),
        paging.beforeId === undefined ? undefined : lt(articles.id, paging.beforeId),
        input.q ? contains(input.q) : undefined,
        ...scheduled(input),
      ),
    )
    .orderBy(desc(articles.id))
    .limit(paging.limit + 1)
    .offset(paging.offset)

/** The project of an article, as an expression. */
export const projectOf = (articleId: number): SQL => sql`(select project_id from articles where id = ${articleId}::int)`

/** Column values of an insert or update, as SQL with their casts. */
export type Assignments = Record<string, SQL>

const columnList = (values: Assignments) => sql.raw(Object.keys(values).join(', '))

/** What else a save changes: columns that follow from others, and CTEs over the one that has the saved article's id. */
type Derived = { columns: Assignments; effects: (saved: SQL) => SQL }

/** Creates an article; no row when its slug was taken meanwhile. */
export const insertArticle = (
  ctx: Ctx,
  accountId: number,
  values: Assignments,
  answer: unknown,
  derived: Derived,
): SQL => {
  const all = { ...values, ...derived.columns }
  return sql`with made as (
      insert into articles (account_id, ${columnList(all)}) values (${accountId}::int, ${sql.join(Object.values(all), sql`, `)})
      on conflict on constraint articles_slug_unique do nothing returning id)
    ${auditCte(ctx, sql`made`, sql`${accountId}::int`, 'article.create', sql`'article:' || made.id`)}
    ${derived.effects(sql`made`)}
    ${ctx.record(sql`made`, 201, answer)}
    select id from made`
}

/**
 * Changes an article that may be changed, keeping the version before when a reader would see a difference. No row when it
 * is published, being published, being written, not the account's or no longer as it was `judged`. `keepRevision` also
 * counts the revision up.
 */
export const updateArticle = (
  ctx: Ctx,
  accountId: number,
  { id, judged, keepRevision }: { id: number; judged: SQL; keepRevision: boolean },
  values: Assignments,
  answer: unknown,
  derived: Derived,
): SQL => {
  const all = { ...values, ...derived.columns, updated_at: sql`${ctx.now().toISOString()}::timestamptz` }
  const sets = Object.entries(all).map(([column, value]) => sql`${sql.raw(column)} = ${value}`)
  if (keepRevision) sets.push(sql`revision = a.revision + 1`)
  const kept = keepRevision
    ? sql`, kept as (insert into article_revisions (article_id, revision, title, meta_description, content)
        select old.id, old.revision, old.title, old.meta_description, old.content from old, changed on conflict do nothing returning id)`
    : sql``
  return sql`with old as materialized (
      select id, revision, title, meta_description, content from articles a where id = ${id} and account_id = ${accountId} for update),
    changed as (update articles a set ${sql.join(sets, sql`, `)} from old where a.id = old.id and ${judged} and ${mayMove('edit', ctx.now(), 'a')} returning a.id)
    ${kept}
    ${auditCte(ctx, sql`changed`, sql`${accountId}::int`, 'article.update', sql`'article:' || changed.id`, { fields: Object.keys(values) })}
    ${derived.effects(sql`changed`)}
    ${ctx.record(sql`changed`, 200, answer)}
    select id from changed`
}

/** Removes an article that may be removed; deliveries of it that still wait are called off, its exchange links taken back. After `articleLocks`. */
export const deleteArticle = (ctx: Ctx, accountId: number, id: number): SQL =>
  sql`with gone as (delete from articles a where id = ${id} and account_id = ${accountId} and ${mayMove('delete', ctx.now(), 'a')} returning id),
    called_off as (update deliveries set status = 'superseded', error = 'The article was deleted.', next_attempt_at = null, lease_until = null
      where article_id in (select id from gone) and status in ('sending', 'retrying', 'unknown') returning id),
    lost as (update delivery_attempts set status = 'failed', error = 'The attempt was interrupted; its outcome is not known.'
      where delivery_id in (select id from called_off) and status = 'sending' returning id)
    ${auditCte(ctx, sql`gone`, sql`${accountId}::int`, 'article.delete', sql`'article:' || gone.id`)}
    ${unlinkCtes(sql`gone`, ctx.now())}
    select id from gone`

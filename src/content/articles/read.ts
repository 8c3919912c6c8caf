import { and, desc, eq, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { projects } from '../../../schema/projects.ts'
import { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import { approveUrl } from '../../accounts/approvals/rules.ts'
import { projectSetup } from '../../accounts/projects/present.ts'
import { isNotImporting, readPage } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { accountOfKey } from '../../platform/accounts/key-owner.ts'
import { type Db, preparedOnce } from '../../platform/db/client.ts'
import { newestPage, newestRows, ownedBy, type Paging } from '../../platform/db/paging.ts'
import type { Reading } from '../../platform/db/steps.ts'
import { DAY_MS, readTime, wallTime } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { indexAnswer } from './index-answer.ts'
import type { ListArticlesInput } from './operations.ts'
import { articleById, hasRef, preparedArticle, rowColumns, type Version, type VersionInFull } from './queries.ts'
import { languageTag } from './translations.ts'

/** More than the largest offset of any time zone from UTC. */
const WIDEST_OFFSET_MS = 15 * 3_600_000
/**
 * Returns a condition that a column is on or after a time, or on or before it. Wall times are in the zone of each article's
 * project.
 *
 * The index first narrows by instant. Only rows within the widest offset of the bound need their project's zone.
 */
const bound = (column: AnyPgColumn, text: string, after: boolean): SQL => {
  const time = readTime(text)
  const inside = after ? gte : lte
  if (time.instant) return inside(column, time.instant)
  const wallMs = Date.parse(`${time.wall}Z`) + (time.dateOnly && !after ? DAY_MS - 1 : 0)
  const inward = after ? WIDEST_OFFSET_MS : -WIDEST_OFFSET_MS
  const local = sql`(${column} at time zone (select timezone from projects where projects.id = articles.project_id))`
  const wall = sql`${new Date(wallMs).toISOString().slice(0, -1)}::timestamp`
  return sql`${inside(column, new Date(wallMs - inward))}
    and (${inside(column, new Date(wallMs + inward))} or ${local} ${sql.raw(after ? '>=' : '<=')} ${wall})`
}

/**
 * Returns a condition that title or keyword contains a text. `search_text` joins both with a space and has an index.
 *
 * A text with a space could match across the two, so each is also compared alone.
 */
const contains = (q: string, row: SQL = sql`articles`): SQL => {
  const pattern = sql`lower(${`%${q.replace(/[\\%_]/g, '\\$&')}%`})`
  const either = sql`${row}.search_text like ${pattern}`
  if (!q.includes(' ')) return either
  return sql`${either} and (lower(${row}.title) like ${pattern} or lower(${row}.main_keyword) like ${pattern})`
}

/** Number of newest articles that a search reads before it uses the word index. */
const NEWEST = 3_000
/** Factor by which a search reads further for a common word, for which the word index is slower. */
const TIMES = 10
/** Number of newest articles that a search reads if the word index cannot be used. */
const NEWEST_FOR_SHORT_WORDS = 20_000

/**
 * True if the word index supports the search, which needs three letters or digits in a row. Other searches read only the newest
 * rows.
 */
const isIndexed = (q: string): boolean => /[\p{L}\p{N}]{3}/u.test(q)

/** Returns the conditions for the filters on times and on the caller's own id. */
const bounds = (input: ListArticlesInput, owner: SQL): (SQL | undefined)[] => [
  input.origin === undefined ? undefined : eq(articles.origin, input.origin),
  input.external_ref === undefined ? undefined : hasRef(owner, input.external_ref),
  input.updated_after ? bound(articles.updatedAt, input.updated_after, true) : undefined,
  input.scheduled_after ? bound(articles.scheduledAt, input.scheduled_after, true) : undefined,
  input.scheduled_before ? bound(articles.scheduledAt, input.scheduled_before, false) : undefined,
]

/**
 * Returns a condition for each requested combination of status and publish state.
 *
 * Each combination has an index ordered by id, so its newest rows are found without reading other rows.
 */
const combinations = ({ status, publish_state: states }: ListArticlesInput): SQL[] => {
  if (!states) return (status ?? []).map((one) => oneOf(articles.status, [one]))
  return (status ?? ARTICLE_STATUSES).flatMap((one) =>
    states.map((state) => sql`${oneOf(articles.status, [one])} and ${oneOf(articles.publishState, [state])}`),
  )
}

/** Column and value that select the caller's rows, and all conditions except words. */
type Among = {
  of: readonly [AnyPgColumn, SQL]
  owner: SQL
  filters: readonly (SQL | undefined)[]
  beforeId: number | undefined
}

/**
 * Returns a subquery for the newest ids whose title or keyword contains `q`, in two steps.
 *
 * It first reads the newest rows, and more of them for a common word. If it finds too few and there are older rows, it uses the
 * word index.
 */
const newestWith = (q: string, { of, owner, filters, beforeId }: Among, most: number): SQL => {
  const walk = (limit: SQL) => {
    const { where, order } = newestRows(articles, of, { limit, beforeId })
    return sql`from ${articles} where ${and(where, ...filters)} order by ${order}`
  }
  // Ordered like the inner query, so that it stops as soon as it has enough rows.
  const newest = (limit: SQL): SQL =>
    sql`select a.id from (select ${of[0]} as whose, ${articles.id} as id, ${articles.searchText}, ${articles.title}, ${articles.mainKeyword}
      ${walk(limit)}) a where ${contains(q, sql`a`)} order by a.whose desc, a.id desc limit ${most}::int`
  if (!isIndexed(q)) return sql`(${newest(sql`${NEWEST_FOR_SHORT_WORDS}`)})`
  const hits = sql`(select count(*) from newest)`
  const isCommon = sql`${hits} < ${most}::int and ${hits} * ${TIMES}::int >= ${most}::int`
  const older = beforeId === undefined ? undefined : lt(articles.id, beforeId)
  return sql`(with newest as materialized (${newest(sql`${NEWEST}`)}),
    further as materialized (${newest(sql`case when ${isCommon} then ${NEWEST * TIMES}::int else 0 end`)})
    select id from newest union select id from further union
    (select ${articles.id} from ${articles}
      where ${and(eq(...of), older, ...filters)} and ${articles.accountId} = ${owner} and ${contains(q)}
        and greatest(${hits}, (select count(*) from further)) < ${most}::int and exists (select ${walk(sql`1`)} offset ${NEWEST}::int)
      order by ${articles.id} desc limit ${most}::int))`
}

/**
 * Starts a query for articles with their projects' time zones.
 *
 * The time zone of a project is read once a page: PostgreSQL remembers the rows of a lateral join. `offset 0` keeps the join
 * inside the walk along the index, so that it stops at the limit.
 */
const zoned = (db: Db) => {
  const zone = db
    .select({ timezone: projects.timezone })
    .from(projects)
    .where(eq(projects.id, articles.projectId))
    .offset(0)
    .as('zone')
  return db
    .select({ ...rowColumns, timezone: zone.timezone })
    .from(articles)
    .innerJoinLateral(zone, sql`true`)
}

/** True if a list has no filters and starts with the newest article. */
const isFirstPage = ({ limit: _, offset = 0, ...filters }: ListArticlesInput): boolean =>
  offset === 0 && Object.values(filters).every((value) => value === undefined)

/** Prepared query for the newest articles of a key's account. It takes `keyHash` and `limit`. */
const preparedFirstPage = preparedOnce((db) => {
  const owner = accountOfKey(sql.placeholder('keyHash'))
  const of = ownedBy(articles, owner, undefined)
  const { where, order } = newestRows(articles, of, { limit: sql.placeholder('limit'), beforeId: undefined })
  const shown = and(where, isNotImporting(articles.projectId, owner))
  return zoned(db).where(shown).orderBy(order).prepare('first_page')
})

/** Selects the caller's articles, newest first, one more than the page shows. */
export const listRows = (db: Db, owner: SQL, input: ListArticlesInput, paging: Paging) => {
  const kinds = combinations(input)
  if (!input.q) {
    const of = ownedBy(articles, owner, input.project_id)
    const always = isNotImporting(articles.projectId, owner)
    const { where, order } = newestPage(articles, of, { filters: bounds(input, owner), always, kinds }, paging)
    return zoned(db).where(where).orderBy(order)
  }
  const { limit, offset, beforeId } = paging
  // The owner is looked up once. Otherwise each use of it would be planned separately.
  const asking = sql`(select account_id from asking)`
  const among = { of: ownedBy(articles, asking, input.project_id), owner: asking, beforeId }
  const q = input.q
  const found = (kinds.length > 0 ? kinds : [undefined]).map((kind) =>
    newestWith(
      q,
      { ...among, filters: [...bounds(input, asking), isNotImporting(articles.projectId, asking), kind] },
      limit + offset + 1,
    ),
  )
  const ids = sql`(with asking as materialized (select ${owner} as account_id)
    select id from (${sql.join(found, sql` union all `)}) found order by id desc limit ${limit + 1}::int offset ${offset}::int)`
  return zoned(db).where(inArray(articles.id, ids)).orderBy(desc(articles.id))
}

/** Selects the setup progress of a project; no row if it has articles. */
const setupIfEmpty = (db: Db, owner: SQL, projectId: number) =>
  db
    .select({
      id: projects.id,
      siteScanState: projects.siteScanState,
      siteScanError: projects.siteScanError,
      onboardingState: projects.onboardingState,
      onboardingError: projects.onboardingError,
      onboardingPlanned: projects.onboardingPlanned,
      onboardingWanted: projects.onboardingWanted,
      onboardingNote: projects.onboardingNote,
    })
    .from(projects)
    .where(
      sql`${and(eq(projects.id, projectId), eq(projects.accountId, owner))}
        and not exists (select 1 from ${articles} where ${and(eq(articles.projectId, projectId), eq(articles.origin, 'own'))})`,
    )

type Row = Awaited<ReturnType<typeof listRows>>[number]
/** Row of an article of the account, with all fields that answers show. */
export type ArticleDetail = Omit<Awaited<ReturnType<typeof articleById>>[number], 'mine'>

/**
 * Returns an article as lists show it. `ScheduledDate` is wall time in the project's zone; `ScheduledAt` is the same instant in
 * UTC.
 */
export const articleRow = (a: Row) => ({
  ID: a.id,
  Title: a.title,
  MainKeyword: a.mainKeyword,
  Status: a.status,
  ScheduledDate: a.scheduledAt && wallTime(a.scheduledAt, a.timezone),
  ScheduledAt: a.scheduledAt?.toISOString() ?? null,
  ProjectID: a.projectId,
  Slug: a.slug,
  ArticleStyle: a.articleStyle,
  Url: a.url,
  PublishState: a.publishState,
  origin: a.origin,
  PublishedAt: a.status === 'Published' ? (a.publishedAt?.toISOString() ?? null) : null,
  UpdatedAt: a.updatedAt.toISOString(),
  external_ref: a.externalRef,
  claimed: a.claimedAt !== null,
  being_written: a.status === 'Generating' || a.writingStartedAt !== null,
})

const approvalShown = ({ approval, projectId }: ArticleDetail, publicUrl: string) =>
  approval && {
    id: approval.id,
    status: approval.status,
    approve_url: approveUrl(publicUrl, { id: approval.id, projectId }),
    expires_at: new Date(approval.expiresMs).toISOString(),
    comment: approval.comment,
  }

/** Returns one article with all its fields. */
export const articleDetail = (a: ArticleDetail, publicUrl: string) => ({
  ...articleRow(a),
  Content: a.content,
  MetaDescription: a.metaDescription,
  FeatureImage: a.featureImage,
  AltText: a.altText,
  Category: a.category,
  Tags: a.tags,
  SeoTitle: a.seoTitle,
  CanonicalUrl: a.canonicalUrl,
  Fields: a.fields,
  Instructions: a.instructions,
  Author: a.author,
  CreatedAt: a.createdAt.toISOString(),
  Claimed: a.claimedAt !== null,
  PublishError: a.publishError,
  Approval: approvalShown(a, publicUrl),
  GenerationError: a.status === 'Published' ? null : a.generationError,
  Progress: a.progress,
  Receipt: a.receipt && { ...a.receipt, index: indexAnswer(a), engines_told: a.enginesTold },
  Revision: a.revision,
  Seo: a.seo,
  Adopted: a.adopted,
  Copies: a.copies,
  Translations: a.translations.map((one) => ({ ...one, language: languageTag(one.language) })),
})

/** Returns a version as answers show it. */
export const revisionRow = ({ id, ...version }: Version | VersionInFull) => ({ revision: id, ...version })

const PAGE = { default: 50, max: 200 }

/** Returns the account's articles that match the filters, newest first. Throws 404 and 403 for the project. */
export const listArticles = (ctx: Ctx, input: ListArticlesInput) =>
  readPage(ctx, input, PAGE, (owner, paging, keyHash) =>
    keyHash !== undefined && isFirstPage(input)
      ? preparedFirstPage(ctx.db, { keyHash, limit: paging.limit + 1 })
      : listRows(ctx.db, owner, input, paging),
  )

/** Returns the setup progress of a project that has no articles yet; empty for any other. */
export const setupWithoutArticles = async (ctx: Ctx, projectId: number | undefined) => {
  if (projectId === undefined) return {}
  const [project] = await ctx.read((owner) => setupIfEmpty(ctx.db, owner, projectId))
  return project ? { setup: projectSetup(project) } : {}
}

/** Returns the note on a search that the index does not support. It read only the newest articles. */
export const searchNote = (q: string | undefined): { search_limited?: true } =>
  !q || isIndexed(q) ? {} : { search_limited: true }

const firstOwned = (rows: (ArticleDetail & { mine: boolean })[]): ArticleDetail =>
  owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article')

/** Returns one article of the account. Throws 404, 403. */
export const getArticle = async (ctx: Ctx, id: number): Promise<ArticleDetail> => {
  const rows = await ctx.read((owner, keyHash) =>
    keyHash === undefined ? articleById(ctx.db, owner, id) : preparedArticle(ctx.db, { keyHash, id }),
  )
  return firstOwned(rows)
}

/** Returns one article of the account, and the results of other queries in the same round trip. */
export const getArticleWith = async <const S extends Reading>(ctx: Ctx, id: number, also: S) => {
  const { found, results } = await ctx.read((owner) => ({ found: articleById(ctx.db, owner, id), results: also }))
  return { article: firstOwned(found), results }
}

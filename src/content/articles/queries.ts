import { eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { projects } from '../../../schema/projects.ts'
import type { ApprovalStatus } from '../../../schema/values/approvals.ts'
import { accountOfKey } from '../../platform/accounts/key-owner.ts'
import { type Db, preparedOnce } from '../../platform/db/client.ts'
import { instantOf } from '../../platform/db/instant.ts'
import type { Paging } from '../../platform/db/paging.ts'
import { contentColumns } from './parts.ts'

const mine = (owner: SQL, column: typeof articles.accountId | typeof projects.accountId) =>
  sql<boolean>`coalesce(${column} = ${owner}, false)`

/** Columns of a row in a list. */
export const rowColumns = {
  id: articles.id,
  title: articles.title,
  mainKeyword: articles.mainKeyword,
  status: articles.status,
  scheduledAt: instantOf(articles.scheduledAt),
  projectId: articles.projectId,
  slug: articles.slug,
  articleStyle: articles.articleStyle,
  claimedAt: instantOf(articles.claimedAt),
  writingStartedAt: instantOf(articles.writingStartedAt),
  url: articles.url,
  publishState: articles.publishState,
  publishedAt: instantOf(articles.publishedAt),
  updatedAt: instantOf(articles.updatedAt),
  timezone: projects.timezone,
}

/** The newest question about an article's publication or change. */
type ArticleApproval = { id: number; status: ApprovalStatus; comment: string | null; expiresMs: number }

/** Selects that question; null without one, or if it let the article out or is out of date. */
const approval = sql<ArticleApproval | null>`(select case when ${oneOf(approvals.status, ['awaiting', 'approved', 'returned', 'expired'])}
  then jsonb_build_object('id', ${approvals.id}, 'status', ${approvals.status}, 'comment', ${approvals.comment},
    'expiresMs', round(date_part('epoch', ${approvals.expiresAt}) * 1000)) end
  from ${approvals} where ${eq(approvals.articleId, articles.id)} and ${oneOf(approvals.kind, ['publish', 'sync'])}
  order by ${approvals.id} desc limit 1)`

const detailColumns = {
  ...rowColumns,
  slugGiven: articles.slugGiven,
  scheduledDay: articles.scheduledDay,
  scheduledStep: articles.scheduledStep,
  ...contentColumns,
  instructions: articles.instructions,
  createdAt: articles.createdAt,
  publishError: articles.publishError,
  approval,
  publishLeaseUntil: articles.publishLeaseUntil,
  generationError: articles.generationError,
  progress: articles.progress,
  writtenAt: articles.writtenAt,
  receipt: articles.receipt,
  revision: articles.revision,
  seo: articles.seo,
  author: projects.customAuthorName,
  publishingStatus: projects.publishingStatus,
  publishTime: projects.publishTime,
  videosEnabled: projects.videosEnabled,
}

/** Returns an article by id, of any account, with its project's time zone and byline; `mine` is true if the account owns it. */
export const articleById = (db: Db, owner: SQL, id: number | Placeholder) =>
  db
    .select({ ...detailColumns, mine: mine(owner, articles.accountId) })
    .from(articles)
    .innerJoin(projects, eq(projects.id, articles.projectId))
    .where(eq(articles.id, id))

/** Does the same as `articleById`, prepared: with `keyHash` and `id`. */
export const preparedArticle = preparedOnce((db) =>
  articleById(db, accountOfKey(sql.placeholder('keyHash')), sql.placeholder('id')).prepare('article'),
)

/** Returns true if the site an article is live at is connected and can take posts down; a webhook receiver cannot. */
export const canUnpublish = (db: Db, id: number) =>
  db.execute<{ takes_down: boolean }>(sql`
    select exists (select from integrations i where i.project_id = a.project_id and i.status = 'Active'
      and i.platform <> 'webhook' and i.platform || ' ' || i.url = a.remote_site) as takes_down
    from articles a where a.id = ${id}::int`)

/** True if articles of a project have a place to go to, and the credits its account has left for the writer. */
export const prospectsOf = (db: Db, project: SQL) =>
  db.execute<{ has_target: boolean; is_archived: boolean; credits: number }>(sql`
    select exists (select from integrations where project_id = p.id and status = 'Active') as has_target, p.status = 'Archived' as is_archived, a.article_credits as credits
    from projects p join accounts a on a.id = p.account_id where p.id = (${project})`)

/** Returns the result of `prospectsOf`. */
export const prospectsIn = ({ rows: [row] }: Awaited<ReturnType<typeof prospectsOf>>) => ({
  hasTarget: row?.has_target === true,
  isArchived: row?.is_archived === true,
  credits: Number(row?.credits ?? 0),
})

/** Returns the project of an article, as an expression. */
export const projectOf = (articleId: number): SQL =>
  sql`(select ${articles.projectId} from ${articles} where ${articles.id} = ${articleId}::int)`

/** One version of an article; `current` is the one it has now. */
export type Version = {
  /** The revision, which also is the cursor of the list. */
  id: number
  title: string
  meta_description: string
  content_length: number
  /** Time of its save, ISO 8601. */
  saved_at: string
  current: boolean
}

/** A version with all that restoring puts back; the image is null in versions kept before images were. */
export type VersionInFull = Version & { content: string; feature_image: string | null; alt_text: string | null }

/** Selects the owner of an article. */
export const articleOwner = (db: Db, owner: SQL, id: number) =>
  db.execute<{ id: number; mine: boolean }>(
    sql`select id, coalesce(account_id = ${owner}, false) as mine from articles where id = ${id}::int`,
  )

/** A version is kept when the next one replaces it, so it was saved when the one before it was kept. */
const savedAt = sql`to_char(coalesce((select b.created_at from article_revisions b where b.article_id = v.article_id and b.revision < v.revision
    order by b.revision desc limit 1), v.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const versionsOf = (id: number): SQL =>
  sql`select a.id as article_id, a.revision, a.title, a.meta_description, a.content, a.feature_image, a.alt_text, a.created_at, true as current
      from articles a where a.id = ${id}::int
    union all
    select r.article_id, r.revision, r.title, r.meta_description, r.content, r.feature_image, r.alt_text, a.created_at, false
      from article_revisions r join articles a on a.id = r.article_id where r.article_id = ${id}::int and r.revision < a.revision`

/** Returns an article's versions, newest first, the current one included; one more than the page shows, without their content. */
export const versionRows = (db: Db, id: number, { limit, offset, beforeId }: Paging) =>
  db.execute<Version>(sql`
    select v.revision as id, v.title, v.meta_description, length(v.content) as content_length, ${savedAt} as saved_at, v.current
    from (${versionsOf(id)}) v where ${beforeId === undefined ? sql`true` : sql`v.revision < ${beforeId}::int`}
    order by v.revision desc limit ${limit + 1}::int offset ${offset}::int`)

/** Returns one version with its content. */
export const versionByNumber = (db: Db, id: number, revision: number) =>
  db.execute<VersionInFull>(sql`
    select v.revision as id, v.title, v.meta_description, v.content, v.feature_image, v.alt_text, length(v.content) as content_length, ${savedAt} as saved_at, v.current
    from (${versionsOf(id)}) v where v.revision = ${revision}::int`)

import { eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { adoptedPosts } from '../../../schema/adopted.ts'
import { approvals } from '../../../schema/approvals.ts'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { projects } from '../../../schema/projects.ts'
import type { StoredFormat } from '../../../schema/values/adopted.ts'
import type { ApprovalStatus } from '../../../schema/values/approvals.ts'
import type { OwnFields } from '../../../schema/values/own-fields.ts'
import { accountOfKey } from '../../platform/accounts/key-owner.ts'
import { type Db, preparedOnce } from '../../platform/db/client.ts'
import { instantOf } from '../../platform/db/instant.ts'
import type { Paging } from '../../platform/db/paging.ts'
import { copiesOf } from './copies.ts'
import { indexColumns } from './index-answer.ts'
import { contentColumns } from './parts.ts'
import { translationsColumn } from './translations.ts'
import { type Reach, reachOf, withTurns } from './turns.ts'

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
  publishError: articles.publishError,
  origin: articles.origin,
  externalRef: articles.externalRef,
  publishedAt: instantOf(articles.publishedAt),
  updatedAt: instantOf(articles.updatedAt),
  timezone: projects.timezone,
}

/** Newest request for approval of an article's publication or change. */
type ArticleApproval = { id: number; status: ApprovalStatus; comment: string | null; expiresMs: number }

/** Selects that request; null without one, or if it is used or superseded. */
const approval = sql<ArticleApproval | null>`(select case when ${oneOf(approvals.status, ['awaiting', 'approved', 'returned', 'expired'])}
  then jsonb_build_object('id', ${approvals.id}, 'status', ${approvals.status}, 'comment', ${approvals.comment},
    'expiresMs', round(date_part('epoch', ${approvals.expiresAt}) * 1000)) end
  from ${approvals} where ${eq(approvals.articleId, articles.id)} and ${oneOf(approvals.kind, ['publish', 'sync'])}
  order by ${approvals.id} desc limit 1)`

/** Post that an adopted article was made of, as answers show it. */
type AdoptedPost = {
  post_id: string
  site: string
  format: StoredFormat
  editable: boolean
  owner: string | null
  author: string | null
  language: string | null
  excerpt: string
  categories: string[]
  found_at: string
}

/** Selects that post; null for own articles. */
const adopted = sql<AdoptedPost | null>`(select jsonb_build_object('post_id', ${adoptedPosts.postId}, 'site', ${adoptedPosts.site},
    'format', ${adoptedPosts.format}, 'editable', ${adoptedPosts.owner} is null, 'owner', ${adoptedPosts.owner},
    'author', ${adoptedPosts.fields} ->> 'author', 'language', ${adoptedPosts.fields} ->> 'language',
    'excerpt', ${adoptedPosts.fields} ->> 'excerpt', 'categories', ${adoptedPosts.fields} -> 'categories',
    'found_at', to_char(${adoptedPosts.readAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from ${adoptedPosts} where ${eq(adoptedPosts.articleId, articles.id)})`

const detailColumns = {
  ...rowColumns,
  slugGiven: articles.slugGiven,
  contentSent: articles.contentSent,
  scheduledDay: articles.scheduledDay,
  scheduledStep: articles.scheduledStep,
  ...contentColumns,
  instructions: articles.instructions,
  createdAt: articles.createdAt,
  publishError: articles.publishError,
  approval,
  adopted,
  copies: copiesOf(articles.id),
  translations: translationsColumn(articles.id),
  publishLeaseUntil: articles.publishLeaseUntil,
  generationError: articles.generationError,
  progress: articles.progress,
  writtenAt: articles.writtenAt,
  receipt: articles.receipt,
  ...indexColumns,
  revision: articles.revision,
  seo: articles.seo,
  author: projects.customAuthorName,
  publishingStatus: projects.publishingStatus,
  publishTime: projects.publishTime,
  videosEnabled: projects.videosEnabled,
}

const articleWhere = (db: Db, owner: SQL, condition: SQL) =>
  db
    .select({ ...detailColumns, mine: mine(owner, articles.accountId) })
    .from(articles)
    .innerJoin(projects, eq(projects.id, articles.projectId))
    .where(condition)

/** Selects an article of any account by id, with its project's time zone and byline. `mine` is true if the account owns it. */
export const articleById = (db: Db, owner: SQL, id: number | Placeholder) =>
  articleWhere(db, owner, eq(articles.id, id))

/** Condition: the article has this `external_ref` of the account. No article has an undefined one. */
export const hasRef = (owner: SQL, ref: string | undefined): SQL =>
  sql`${articles.accountId} = ${owner} and ${articles.externalRef} = ${ref ?? null}::text`

/** Selects the article of a project that has an `external_ref`. */
export const articleByRef = (db: Db, owner: SQL, projectId: number, ref: string | undefined) =>
  articleWhere(db, owner, sql`${hasRef(owner, ref)} and ${eq(articles.projectId, projectId)}`)

/** Prepared `articleById`. It takes `keyHash` and `id`. */
export const preparedArticle = preparedOnce((db) =>
  articleById(db, accountOfKey(sql.placeholder('keyHash')), sql.placeholder('id')).prepare('article'),
)

/** Selects whether the site of an article's post is connected and can remove posts. Webhook receivers cannot. */
export const canUnpublish = (db: Db, id: number) =>
  db.execute<{ takes_down: boolean }>(sql`
    select exists (select from integrations i where i.project_id = a.project_id and i.status = 'Active'
      and i.platform <> 'webhook' and i.platform || ' ' || i.url = a.remote_site) as takes_down
    from articles a where a.id = ${id}::int`)

/**
 * Selects whether a project has a target and is archived, and the articles that the credits reach. `but`: an article that is left
 * out, because its date may change.
 */
export const prospectsOf = (db: Db, project: SQL, now: Date, but?: number) =>
  db.execute<{ has_target: boolean; is_archived: boolean; reach: Reach }>(sql`
    ${withTurns(sql`(select account_id from projects where id = (${project}))`, now, but === undefined ? {} : { without: [but] })}
    select exists (select 1 from integrations where project_id = p.id and status = 'Active') as has_target,
      p.status = 'Archived' as is_archived, ${reachOf(sql`p.id`, now)} as reach
    from projects p where p.id = (${project})`)

const NO_REACH: Reach = { credits: 0, monthly: 0, budget: null, budget_left: null, taken: 0, ends: {} }

/** Returns the row that `prospectsOf` found, with defaults for a missing row. */
export const prospectsIn = ({ rows: [row] }: Awaited<ReturnType<typeof prospectsOf>>) => ({
  hasTarget: row?.has_target === true,
  isArchived: row?.is_archived === true,
  reach: row?.reach ?? NO_REACH,
})

/** SQL expression for the project id of an article. */
export const projectOf = (articleId: number): SQL =>
  sql`(select ${articles.projectId} from ${articles} where ${articles.id} = ${articleId}::int)`

/** Version of an article. `current` is true for the newest one. */
export type Version = {
  /** Number of the revision, also the cursor of the list. */
  id: number
  title: string
  meta_description: string
  content_length: number
  /** Time of its save, ISO 8601. */
  saved_at: string
  current: boolean
}

/** Version with everything that restoring sets. Image and fields are null in versions stored before they were. */
export type VersionInFull = Version & {
  content: string
  feature_image: string | null
  alt_text: string | null
  fields: OwnFields | null
}

/** Selects the owner of an article. */
export const articleOwner = (db: Db, owner: SQL, id: number) =>
  db.execute<{ id: number; mine: boolean }>(
    sql`select id, coalesce(account_id = ${owner}, false) as mine from articles where id = ${id}::int`,
  )

/** A revision row is created when the next version replaces it. So a version was saved when the row before it was created. */
const savedAt = sql`to_char(coalesce((select b.created_at from article_revisions b where b.article_id = v.article_id and b.revision < v.revision
    order by b.revision desc limit 1), v.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const versionsOf = (id: number): SQL =>
  sql`select a.id as article_id, a.revision, a.title, a.meta_description, a.content, a.feature_image, a.alt_text, a.fields, a.created_at, true as current
      from articles a where a.id = ${id}::int
    union all
    select r.article_id, r.revision, r.title, r.meta_description, r.content, r.feature_image, r.alt_text, r.fields, a.created_at, false
      from article_revisions r join articles a on a.id = r.article_id where r.article_id = ${id}::int and r.revision < a.revision`

/** Selects an article's versions without content, newest first, the current one included. One more than the page shows. */
export const versionRows = (db: Db, id: number, { limit, offset, beforeId }: Paging) =>
  db.execute<Version>(sql`
    select v.revision as id, v.title, v.meta_description, length(v.content) as content_length, ${savedAt} as saved_at, v.current
    from (${versionsOf(id)}) v where ${beforeId === undefined ? sql`true` : sql`v.revision < ${beforeId}::int`}
    order by v.revision desc limit ${limit + 1}::int offset ${offset}::int`)

/** Selects one version with its content. */
export const versionByNumber = (db: Db, id: number, revision: number) =>
  db.execute<VersionInFull>(sql`
    select v.revision as id, v.title, v.meta_description, v.content, v.feature_image, v.alt_text, v.fields, length(v.content) as content_length, ${savedAt} as saved_at, v.current
    from (${versionsOf(id)}) v where v.revision = ${revision}::int`)

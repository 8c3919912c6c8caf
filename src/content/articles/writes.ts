import { type SQL, sql } from 'drizzle-orm'
import { articleRevisions, articles } from '../../../schema/articles.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import type { Db } from '../../platform/db/client.ts'
import { type If, insertWhere, listed } from '../../platform/db/writes.ts'
import { ARTICLE_FIELDS, ENTRY_COLUMNS, REVISION_COLUMNS } from './fields.ts'
import { FIRST_STATUS } from './transitions.ts'

type NewArticle = typeof articles.$inferInsert

/** Columns of an article to change, with their new values. Undefined columns stay unchanged. */
export type ArticleChanges = { [Key in keyof NewArticle]?: NewArticle[Key] | SQL }

/** Changes articles that meet the condition, and returns their ids. */
export const changeArticle = (db: Db, changes: ArticleChanges, where: SQL | undefined) =>
  db.update(articles).set(changes).where(where).returning({ id: articles.id })

/** Claims an article for a publication, sync or rollback until `lease`. `token` identifies this claim. */
export const holdArticle = (
  db: Db,
  { lease, token }: { lease: Date; token: string },
  where: SQL | undefined,
  also: ArticleChanges = {},
) => changeArticle(db, { publishState: 'publishing', publishLeaseUntil: lease, publishToken: token, ...also }, where)

/** Condition: the newest claim of the article has this token. */
export const isLastClaimedWith = (token: string, id: number): SQL =>
  sql`exists (select 1 from ${articles} where ${articles.id} = ${id}::int and ${articles.publishToken} = ${token})`

/** Ends a claim: sets the publish state and the error shown to people. */
export const releaseArticle = (
  db: Db,
  publishState: PublishState,
  error: string | null,
  where: SQL | undefined,
  also: ArticleChanges = {},
) => changeArticle(db, { publishState, publishError: error, publishLeaseUntil: null, ...also }, where)

/**
 * Stores the current version as a revision. Must run before the statement that changes the article.
 *
 * `if` is a condition on the row of `articles`.
 */
export const keepRevision = ({ if: condition }: { if: SQL }) =>
  insertWhere(
    articleRevisions,
    {
      articleId: sql`${articles.id}`,
      revision: sql`${articles.revision}`,
      ...(Object.fromEntries(REVISION_COLUMNS.map((column) => [column, sql`${articles[column]}`])) as Record<
        (typeof REVISION_COLUMNS)[number],
        SQL
      >),
    },
    { from: sql`${articles}`, if: condition, onConflict: sql`do nothing` },
  )

/**
 * Returns JSON of an article's revision and the present values of its changed fields that revisions do not keep.
 *
 * A new keyword may also change the slug, and a date the status.
 */
export const earlierValues = (fields: readonly string[]): SQL => {
  const also = [
    ...(fields.includes('keyword') ? ['slug'] : []),
    ...(fields.includes('scheduled_date') || fields.includes('status') ? ['status', 'scheduled_date'] : []),
  ]
  const names = new Set([...fields, ...also])
  const pairs = ENTRY_COLUMNS.map((column) => ({ name: ARTICLE_FIELDS[column].name, value: articles[column] }))
    .filter(({ name }) => names.has(name))
    .map(({ name, value }) => sql`, ${name}::text, ${value}`)
  return sql`jsonb_build_object('revision', ${articles.revision}${sql.join(pairs)})`
}

/** One article of a month plan. */
export type PlannedArticle = {
  title: string
  keyword: string
  slug: string
  style: string
  scheduledAt: Date
  scheduledDay: string
  scheduledStep: number
}

/** Inserts the articles of a project's month plan, in order. A taken slug violates `articles_slug_unique`. */
export const planArticles = (
  project: { id: number; accountId: number },
  planned: readonly PlannedArticle[],
  { if: condition, now }: { if: If; now: Date },
) => {
  const { title, mainKeyword: keyword, slug, articleStyle: style, scheduledAt, scheduledDay, scheduledStep } = articles
  return insertWhere(
    articles,
    {
      accountId: project.accountId,
      projectId: project.id,
      status: FIRST_STATUS.month_plan,
      title: sql`listed.title`,
      mainKeyword: sql`listed.keyword`,
      slug: sql`listed.slug`,
      articleStyle: sql`listed.style`,
      scheduledAt: sql`listed."scheduledAt"`,
      scheduledDay: sql`listed."scheduledDay"`,
      scheduledStep: sql`listed."scheduledStep"`,
      createdAt: now,
      updatedAt: now,
    },
    {
      from: listed({ title, keyword, slug, style, scheduledAt, scheduledDay, scheduledStep }, planned),
      orderBy: sql`listed.n`,
      if: condition,
    },
  )
}

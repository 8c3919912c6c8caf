import { and, asc, desc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import { articleWords, statements } from '../../../schema/statements.ts'
import type { Db } from '../../platform/db/client.ts'
import { newestPage, ownedBy, type Paging } from '../../platform/db/paging.ts'

/** Draws the id for a new statement. */
export const nextStatementId = (db: Db) => db.execute<{ id: string }>(sql`select nextval('statements_id_seq') as id`)

/** Selects a statement of any account. */
export const statementById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      statement: statements,
      mine: sql<boolean>`coalesce(${statements.accountId} = ${owner}, false)`,
      projectStatus: projects.status,
    })
    .from(statements)
    .innerJoin(projects, eq(projects.id, statements.projectId))
    .where(eq(statements.id, id))

/** Selects a page of the statements of an account or a project, newest first. */
export const statementRows = (db: Db, owner: SQL, project: number | undefined, paging: Paging) => {
  const { where, order } = newestPage(statements, ownedBy(statements, owner, project), {}, paging)
  return db.select().from(statements).where(where).orderBy(order)
}

/**
 * Condition: the index has the words of the article as it is now.
 *
 * It is a subquery of each row, so that the planner never reads the words of all articles to join them.
 */
const isIndexed = sql<boolean>`coalesce((select ${articleWords.revision} = ${articles.revision} and ${articleWords.readAt} = ${articles.updatedAt}
  from ${articleWords} where ${articleWords.articleId} = ${articles.id}), false)`

/** Which articles to read: those after an article, in descending order of ids. `isExact`: only those with all words of a wording. */
type Wanted = { most: number; beforeId: number | undefined; isExact: boolean }

/**
 * Selects the ids of articles that may say a statement, newest first: those that the index finds, and those that it does not know as
 * they are now. So every exact use is found, whatever the index lacks.
 */
export const candidates = (owner: SQL, id: number, { most, beforeId, isExact }: Wanted): SQL => {
  const before = beforeId === undefined ? sql`` : sql`and ${articles.id} < ${beforeId}::int`
  const page = sql`${before} order by ${articles.id} desc limit ${most}::int`
  const hasWording = sql`exists (select 1 from said, jsonb_array_elements(said.wordings) one
    where ${articleWords.keys} @> array(select jsonb_array_elements_text(one -> 'keys')::int))`
  return sql`(with said as materialized (select project_id, wordings, rare_keys from ${statements}
      where ${statements.id} = ${id}::int and ${statements.accountId} = ${owner}),
    found as materialized (select article_id, revision, read_at from ${articleWords}
      where ${articleWords.keys} && (select rare_keys from said) ${isExact ? sql`and ${hasWording}` : sql``})
    select id from (
      (select ${articles.id} from found join ${articles} on found.article_id = ${articles.id}
        and found.revision = ${articles.revision} and found.read_at = ${articles.updatedAt}
        where ${articles.projectId} = (select project_id from said) ${page})
      union all
      (select ${articles.id} from ${articles} where ${articles.projectId} = (select project_id from said)
        and not ${isIndexed} ${page})
    ) either order by id desc limit ${most}::int)`
}

/** Selects the articles that may say a statement, newest first, with their texts. */
export const articlesToRead = (db: Db, owner: SQL, id: number, wanted: Wanted) =>
  db
    .select({
      id: articles.id,
      title: articles.title,
      metaDescription: articles.metaDescription,
      content: articles.content,
      status: articles.status,
      url: articles.url,
      isIndexed,
    })
    .from(articles)
    .where(inArray(articles.id, candidates(owner, id, wanted)))
    .orderBy(desc(articles.id))

/** Selects articles of a project after one that the index does not know as they are now. */
export const articlesToIndex = (db: Db, projectId: number, after: number, most: number) =>
  db
    .select({
      id: articles.id,
      title: articles.title,
      metaDescription: articles.metaDescription,
      content: articles.content,
      revision: articles.revision,
      updatedAt: articles.updatedAt,
    })
    .from(articles)
    .where(and(eq(articles.projectId, projectId), gt(articles.id, after), sql`not ${isIndexed}`))
    .orderBy(asc(articles.id))
    .limit(most)

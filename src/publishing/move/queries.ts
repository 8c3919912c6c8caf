import { and, asc, desc, eq, gt, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { literals } from '../../../schema/columns.ts'
import { siteMoveArticles, siteMoves } from '../../../schema/moves.ts'
import { projects } from '../../../schema/projects.ts'
import type { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import type { Db } from '../../platform/db/client.ts'

const PUBLISHED = literals(['Published'] satisfies (typeof ARTICLE_STATUSES)[number][])

/** Condition: a published article of a project has an address. */
const hasAddress = (projectId: number) =>
  and(eq(articles.projectId, projectId), sql`${articles.status} in ${PUBLISHED}`, isNotNull(articles.url))

/** Selects the address of a project's site, and the number of its published articles with an address. */
export const siteToMove = (db: Db, projectId: number) =>
  db
    .select({
      websiteUrl: projects.websiteUrl,
      websiteKey: projects.websiteKey,
      wanted: sql<number>`(select count(*)::int from ${articles} where ${hasAddress(projectId)})`,
    })
    .from(projects)
    .where(eq(projects.id, projectId))

/** Selects another active project of the account with this site. */
export const otherProjectAt = (db: Db, owner: SQL, projectId: number, websiteKey: string) =>
  db
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        eq(projects.accountId, owner),
        eq(projects.websiteKey, websiteKey),
        eq(projects.status, 'Active'),
        ne(projects.id, projectId),
      ),
    )

/** Draws the id for a new move. */
export const nextMoveId = (db: Db) => db.execute<{ id: string }>(sql`select nextval('site_moves_id_seq') as id`)

const newest = (projectId: number): SQL => sql`(select max(id) from site_moves where project_id = ${projectId}::int)`

/** Selects the newest move of a project's site, with its counts. */
export const newestMove = (db: Db, projectId: number) =>
  db
    .select({
      move: siteMoves,
      found: sql<number>`(select count(*)::int from site_move_articles m where m.move_id = ${siteMoves.id} and m.new_url is not null)`,
      notFound: sql<number>`(select count(*)::int from site_move_articles m where m.move_id = ${siteMoves.id} and m.new_url is null)`,
    })
    .from(siteMoves)
    .where(eq(siteMoves.id, newest(projectId)))

const SHOWN = 500

/** Selects articles of the newest move of a project's site, first those that keep their address. */
export const articlesOfMove = (db: Db, projectId: number) =>
  db
    .select({
      id: siteMoveArticles.articleId,
      title: articles.title,
      oldUrl: siteMoveArticles.oldUrl,
      newUrl: siteMoveArticles.newUrl,
      foundAt: siteMoveArticles.foundAt,
      reason: siteMoveArticles.reason,
      isMoved: siteMoveArticles.isMoved,
    })
    .from(siteMoveArticles)
    .innerJoin(articles, eq(articles.id, siteMoveArticles.articleId))
    .where(eq(siteMoveArticles.moveId, newest(projectId)))
    .orderBy(desc(sql`${siteMoveArticles.reason} is not null`), asc(siteMoveArticles.articleId))
    .limit(SHOWN)

/** Selects a move whose articles are looked for, if its project is active. */
export const lookingMove = (db: Db, owner: SQL, id: number) =>
  db
    .select({ move: siteMoves })
    .from(siteMoves)
    .innerJoin(projects, and(eq(projects.id, siteMoves.projectId), eq(projects.status, 'Active')))
    .where(and(eq(siteMoves.id, id), eq(siteMoves.accountId, owner), eq(siteMoves.state, 'looking')))

/** Selects the next published articles of a project after an id, in the order of their ids. */
export const articlesAfter = (db: Db, projectId: number, position: number, limit: number) =>
  db
    .select({ id: articles.id, title: articles.title, url: sql<string>`${articles.url}` })
    .from(articles)
    .where(and(hasAddress(projectId), gt(articles.id, position)))
    .orderBy(asc(articles.id))
    .limit(limit)

/** Selects a move of a project. */
export const moveById = (db: Db, projectId: number, id: number) =>
  db
    .select()
    .from(siteMoves)
    .where(and(eq(siteMoves.id, id), eq(siteMoves.projectId, projectId)))

import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { adoptedPosts } from '../../../schema/adopted.ts'
import { articles } from '../../../schema/articles.ts'
import { changeSets, changes } from '../../../schema/changes.ts'
import { integrations } from '../../../schema/integrations.ts'
import { projects } from '../../../schema/projects.ts'
import { contentColumns } from '../../content/articles/parts.ts'
import type { Db } from '../../platform/db/client.ts'

const articleColumns = {
  id: articles.id,
  projectId: articles.projectId,
  origin: articles.origin,
  status: articles.status,
  revision: articles.revision,
  publishState: articles.publishState,
  publishError: articles.publishError,
  siteLacks: articles.siteLacks,
  title: articles.title,
  url: articles.url,
  ...contentColumns,
}

/** Selects the articles that meet a condition, to change them, with whether the caller owns each. `form`: that of an adopted post’s text. */
export const articlesToChange = (db: Db, owner: SQL, condition: SQL | undefined) =>
  db
    .select({
      article: articleColumns,
      mine: sql<boolean>`coalesce(${articles.accountId} = ${owner}, false)`,
      videosEnabled: projects.videosEnabled,
      form: { format: adoptedPosts.format, owner: adoptedPosts.owner },
    })
    .from(articles)
    .innerJoin(projects, eq(projects.id, articles.projectId))
    .leftJoin(adoptedPosts, eq(adoptedPosts.articleId, articles.id))
    .where(condition)

export type ArticleToChange = Awaited<ReturnType<typeof articlesToChange>>[number]

/** Draws the id for a new change set. */
export const nextSetId = (db: Db) => db.execute<{ id: string }>(sql`select nextval('change_sets_id_seq') as id`)

/** Selects a change set of any account, with the project’s status and target. */
export const setById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      set: changeSets,
      mine: sql<boolean>`coalesce(${changeSets.accountId} = ${owner}, false)`,
      projectStatus: projects.status,
      target: { platform: integrations.platform, url: integrations.url },
    })
    .from(changeSets)
    .innerJoin(projects, eq(projects.id, changeSets.projectId))
    .leftJoin(integrations, and(eq(integrations.projectId, projects.id), eq(integrations.status, 'Active')))
    .where(eq(changeSets.id, id))

/** Selects the changes of a set in order, each with its article. */
export const changesOf = (db: Db, setId: number) =>
  db
    .select({ change: changes, article: { title: articles.title, url: articles.url, origin: articles.origin } })
    .from(changes)
    .innerJoin(articles, eq(articles.id, changes.articleId))
    .where(eq(changes.setId, setId))
    .orderBy(asc(changes.position))

export type ChangeRow = Awaited<ReturnType<typeof changesOf>>[number]

/** Selects the change sets of a project, newest first, with the number of changes in each state. */
export const setsOf = (db: Db, projectId: number, most: number) =>
  db
    .select({
      set: changeSets,
      counts: sql<Record<string, number>>`coalesce((select jsonb_object_agg(one.state, one.count) from (
        select state, count(*)::int as count from changes where set_id = ${changeSets.id} group by state) one), '{}'::jsonb)`,
    })
    .from(changeSets)
    .where(eq(changeSets.projectId, projectId))
    .orderBy(desc(changeSets.id))
    .limit(most)

/** Selects the next change of a set in one of these states, with its article. */
export const nextChange = (db: Db, owner: SQL, setId: number, isRevert: boolean) =>
  db
    .select({ set: changeSets, change: changes, article: articleColumns })
    .from(changeSets)
    .innerJoin(projects, and(eq(projects.id, changeSets.projectId), eq(projects.status, 'Active')))
    .leftJoin(
      changes,
      and(
        eq(changes.setId, changeSets.id),
        inArray(
          changes.state,
          isRevert ? ['sent', 'refused', 'again', 'sending', 'reverting'] : ['waiting', 'again', 'sending'],
        ),
      ),
    )
    .leftJoin(articles, eq(articles.id, changes.articleId))
    .where(
      and(
        eq(changeSets.id, setId),
        eq(changeSets.accountId, owner),
        eq(changeSets.state, isRevert ? 'reverting' : 'releasing'),
      ),
    )
    .orderBy(isRevert ? desc(changes.position) : asc(changes.position))
    .limit(1)

export type NextChange = Awaited<ReturnType<typeof nextChange>>[number]

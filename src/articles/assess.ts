import { type SQL, sql } from 'drizzle-orm'
import type { BatchResponse } from 'drizzle-orm/batch'
import type { Db } from '../db/client.ts'
import { type ContentReading, type JudgedArticle, type Judgement, judge, readContent, seoQuery } from '../seo/assess.ts'
import type { SeoReport } from '../seo/report.ts'
import { type Assignments, projectOf } from './queries.ts'

/** Where content is saved: an article that exists, or a new one of a project. */
export type Place = { articleId: number } | { projectId: number }

/**
 * What a save asks about its content in the first round trip, beside the article or the project. `reading` is the content
 * being saved; absent, the stored one is judged again.
 */
export const assessmentQueries = (db: Db, place: Place, reading: ContentReading | undefined) => {
  const [project, articleId] =
    'articleId' in place ? [projectOf(place.articleId), place.articleId] : [sql`${place.projectId}::int`, undefined]
  return [seoQuery(db, project, articleId, reading)] as const
}

/** What `assessmentQueries` found. */
export type AssessmentFound = BatchResponse<ReturnType<typeof assessmentQueries>>

/** An article as it will be saved. `stored` is its present content with the report on it, where no content is being saved. */
export type Assessed = JudgedArticle & { stored?: { content: string; seo: SeoReport | null } }

/** What follows from content for the save: what the answer says, what is stored, and what else changes with it. */
export type Assessment = {
  answer: { seo: SeoReport | null; backlinks_processed: number }
  columns: Assignments
  /** CTEs for the statement that saves; `saved` is its CTE whose row has the article's id. */
  effects: (saved: SQL) => SQL
}

/** A judgement as an article's columns keep it. */
export const judgementColumns = ({ report, sketch }: Judgement): Assignments => ({
  seo: sql`${JSON.stringify(report)}::jsonb`,
  content_sketch: sql`${sql.param(sketch)}::int[]`,
})

/** Judges an article that is about to be saved, by what the first round trip found. */
export const assess = async (
  [surroundings]: AssessmentFound,
  article: Assessed,
  reading: ContentReading | undefined,
): Promise<Assessment> => {
  const { stored } = article
  const content = reading ?? (await readContent(stored?.content ?? ''))
  const judged = judge(surroundings, article, content, reading ? undefined : (stored?.seo ?? null))
  const columns = judged ? judgementColumns(judged) : {}
  return { answer: { seo: judged?.report ?? null, backlinks_processed: 0 }, columns, effects: () => sql`` }
}

import { sql } from 'drizzle-orm'
import { instantOf } from '../lib/time.ts'
import type { Assignments } from './queries.ts'
import type { UpdateArticleInput } from './schemas.ts'

const text = (value: string) => sql`${value}::text`
const instant = (value: Date | null) => sql`${value?.toISOString() ?? null}::timestamptz`

/** Stored columns of the fields that were sent; status, content, slug and claim are the verbs' business. */
export const plainAssignments = (input: UpdateArticleInput, timezone: string): Assignments => {
  const values: Assignments = {}
  if (input.title !== undefined) values.title = text(input.title)
  if (input.keyword !== undefined) values.main_keyword = text(input.keyword)
  if (input.meta_description !== undefined) values.meta_description = text(input.meta_description)
  if (input.article_style !== undefined) values.article_style = text(input.article_style)
  if (input.feature_image !== undefined) values.feature_image = text(input.feature_image)
  if (input.alt_text !== undefined) values.alt_text = text(input.alt_text)
  if (input.category !== undefined) values.category = text(input.category)
  if (input.instructions !== undefined) values.instructions = text(input.instructions)
  if (input.tags !== undefined) values.tags = sql`${sql.param(input.tags)}::text[]`
  if (input.published_at !== undefined)
    values.published_at = instant(input.published_at === null ? null : instantOf(input.published_at, timezone))
  if (input.scheduled_date !== undefined) {
    values.scheduled_at = instant(input.scheduled_date === null ? null : instantOf(input.scheduled_date, timezone))
    values.due_taken_at = instant(null)
  }
  return values
}

export { instant as instantValue, text as textValue }

import { dayIn, instantOf } from '../../platform/lib/time.ts'
import type { UpdateArticleInput } from './schemas.ts'
import type { ArticleChanges } from './writes.ts'

const instant = (text: string | null, timezone: string, clock?: string): Date | null =>
  text === null ? null : instantOf(text, timezone, clock)

/** Stored columns of the fields that were sent; status, content, slug and claim are the verbs' business. A date without a time is at the project's. */
export const plainChanges = (
  input: UpdateArticleInput,
  { timezone, publishTime }: { timezone: string; publishTime: string },
): ArticleChanges => {
  const values: ArticleChanges = {}
  if (input.title !== undefined) values.title = input.title
  if (input.keyword !== undefined) values.mainKeyword = input.keyword
  if (input.meta_description !== undefined) values.metaDescription = input.meta_description
  if (input.article_style !== undefined) values.articleStyle = input.article_style
  if (input.feature_image !== undefined) values.featureImage = input.feature_image
  if (input.alt_text !== undefined) values.altText = input.alt_text
  if (input.seo_title !== undefined) values.seoTitle = input.seo_title
  if (input.canonical_url !== undefined) values.canonicalUrl = input.canonical_url
  if (input.category !== undefined) values.category = input.category
  if (input.instructions !== undefined) values.instructions = input.instructions
  if (input.tags !== undefined) values.tags = input.tags
  if (input.published_at !== undefined) values.publishedAt = instant(input.published_at, timezone)
  if (input.scheduled_date !== undefined) {
    values.scheduledAt = instant(input.scheduled_date, timezone, publishTime)
    values.scheduledDay = input.scheduled_date === null ? null : dayIn(input.scheduled_date)
    values.scheduledStep = 0
    values.dueTakenAt = null
  }
  return values
}

import { type SQL, sql } from 'drizzle-orm'
import { judgementColumns } from '../articles/assess.ts'
import { optimiseForPublication, type PublicationFound } from '../seo/publication.ts'
import type { PublishableRow } from './queries.ts'

/** An article as it will go out, and the columns the claim saves with it; none when it goes out as it is stored. */
export type Prepared = { article: PublishableRow; columns: Record<string, SQL> | undefined }

/**
 * Optimises an article nobody claimed, as its next revision. Content a delivery was made of already stays as it was sent: a
 * second publication must find it unchanged, and so its key.
 */
export const prepareArticle = async (
  article: PublishableRow,
  found: PublicationFound,
  isSent: boolean,
  now: Date,
): Promise<Prepared> => {
  if (isSent || article.claimedAt !== null) return { article, columns: undefined }
  const made = await optimiseForPublication(found, { ...article, keyword: article.mainKeyword })
  if (!made) return { article, columns: undefined }
  const { content, metaDescription, judgement } = made
  const columns = {
    content: sql`${content}::text`,
    meta_description: sql`${metaDescription}::text`,
    updated_at: sql`${now.toISOString()}::timestamptz`,
    ...judgementColumns(judgement),
  }
  return { article: { ...article, content, metaDescription, revision: article.revision + 1, updatedAt: now }, columns }
}

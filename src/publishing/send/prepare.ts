import type { articles } from '../../../schema/articles.ts'
import { judgementChanges } from '../../articles/assess.ts'
import type { Changes } from '../../db/write-parts.ts'
import { optimiseForPublication, type PublicationFound } from '../../seo/publication.ts'
import type { PublishableRow } from '../read/queries.ts'

/** An article as it will go out, and what the claim saves with it; nothing when it goes out as it is stored. */
export type Prepared = { article: PublishableRow; changes: Changes<typeof articles> | undefined }

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
  if (isSent || article.claimedAt !== null) return { article, changes: undefined }
  const made = await optimiseForPublication(found, { ...article, keyword: article.mainKeyword })
  if (!made) return { article, changes: undefined }
  const { content, metaDescription, judgement } = made
  const saved = { content, metaDescription, revision: article.revision + 1, updatedAt: now }
  return { article: { ...article, ...saved }, changes: { ...saved, ...judgementChanges(judgement) } }
}

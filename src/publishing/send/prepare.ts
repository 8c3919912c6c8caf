import { judgementChanges } from '../../content/articles/assess.ts'
import type { ArticleChanges } from '../../content/articles/writes.ts'
import type { PublicationFound, Unpublished } from '../../content/seo/publication.ts'
import { optimiseWork } from '../../content/seo/work.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { PublishableRow } from '../read/queries.ts'

/** An article as it will go out, and what the claim saves with it; nothing when it goes out as it is stored. */
export type Prepared = { article: PublishableRow; changes: ArticleChanges | undefined }

const unpublished = ({ mainKeyword, ...article }: PublishableRow): Unpublished => ({
  keyword: mainKeyword,
  title: article.title,
  slug: article.slug,
  metaDescription: article.metaDescription,
  featureImage: article.featureImage,
  articleStyle: article.articleStyle,
  content: article.content,
  url: article.url,
  seo: article.seo,
})

/**
 * Optimises an article nobody claimed, as its next revision. Content a delivery was made of already stays as it was sent: a
 * second publication must find it unchanged, and so its key. `find` reads what is around it, where that is needed.
 */
export const prepareArticle = async (
  { texts, now }: Pick<Ctx, 'texts' | 'now'>,
  article: PublishableRow,
  find: () => Promise<PublicationFound>,
  isSent: boolean,
): Promise<Prepared> => {
  if (isSent || article.claimedAt !== null) return { article, changes: undefined }
  const [around, pages] = await find()
  const { optimised: made } = await texts(optimiseWork, {
    found: [{ rows: around.rows }, { rows: pages.rows }],
    article: unpublished(article),
  })
  if (!made) return { article, changes: undefined }
  const { content, metaDescription, judgement } = made
  const saved = { content, metaDescription, revision: article.revision + 1, updatedAt: now() }
  return { article: { ...article, ...saved }, changes: { ...saved, ...judgementChanges(judgement) } }
}

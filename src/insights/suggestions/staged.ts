import type { Wording } from '../../../schema/values/suggestions.ts'
import type { SuggestionDetail } from './read.ts'

/** A suggestion with its rewrite, and the live article it is for. */
export type Staged = SuggestionDetail & { articleId: number; after: Wording; revision: number; articleUpdatedAt: Date }

/** True if there is a rewrite, and a live article to publish it as. */
export const isStaged = (found: SuggestionDetail): found is Staged =>
  found.articleId !== null && found.after !== null && found.revision !== null && found.articleStatus === 'Published'

type Words = Pick<SuggestionDetail, 'title' | 'metaDescription' | 'content'>

/** True if an article has these words. */
export const says = (found: Words, { title, meta_description: description, content }: Wording): boolean =>
  found.title === title && found.metaDescription === description && found.content === content

/** True if the article has something of the rewrite that it did not have before. */
export const saysSome = ({ title, metaDescription, content, before, after }: Staged): boolean =>
  (title === after.title && title !== before?.title) ||
  (metaDescription === after.meta_description && metaDescription !== before?.meta_description) ||
  (content === after.content && content !== before?.content)

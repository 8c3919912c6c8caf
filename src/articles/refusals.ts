import { ApiError } from '../lib/errors.ts'
import type { ArticleDetail } from './present.ts'

const next = (method: string, path: string, why: string) => ({ next_calls: [{ method, path, why }] })

/** Throws why an article cannot be changed or deleted now: published (400), being written (409), being published (409). */
export const refuseUneditable = (article: ArticleDetail, now: Date, what: 'changed' | 'deleted' = 'changed'): void => {
  if (article.status === 'Published') {
    const sync = next('POST', `/articles/${article.id}/sync`, 'Sends edits of a published article to the site.')
    const why =
      what === 'deleted' ? 'cannot be deleted' : 'cannot be changed here; send edits with POST /articles/:id/sync'
    throw new ApiError('published_article', `A published article ${why}.`, what === 'changed' ? sync : {})
  }
  if (article.status === 'Generating' || article.writingStartedAt !== null)
    throw new ApiError(
      'already_being_written',
      'The service is writing this article. Wait until it is finished, then change it.',
      { retry_after: 60 },
    )
  const leased = article.publishLeaseUntil !== null && article.publishLeaseUntil > now
  if (article.publishState === 'publishing' && leased)
    throw new ApiError(
      'publish_in_progress',
      'The article is being published at this moment. Repeat the call when that has ended.',
      { retry_after: 5 },
    )
}

import type { DeliveredArticle } from '../../../../schema/values/delivered-article.ts'
import type { PublishRequest } from '../../../publishing/target/publish-target.ts'

type Names = Pick<DeliveredArticle, 'id' | 'title' | 'slug' | 'external_id'>

/**
 * Returns a delivery that asks a receiver something, with an article that nobody wrote, last changed at `at`. It is a draft, so that
 * readers never see what a faulty receiver makes of it.
 */
export const madeUp = (
  asked: Pick<PublishRequest, 'key' | 'event' | 'origin'>,
  names: Names,
  { text, description, at }: { text: string; description: string; at: Date },
): PublishRequest => {
  const isUpdate = asked.event === 'update_articles'
  return {
    ...asked,
    article: {
      ...names,
      content_html: `<p>${text}</p>`,
      content_markdown: text,
      meta_description: description,
      created_at: at.toISOString(),
      updated_at: at.toISOString(),
      image_url: '',
      alt_text: '',
      tags: [],
      category: '',
      author: '',
      status: 'Draft',
    },
    firstSentAt: at.toISOString(),
    updateOnly: isUpdate,
    isChange: isUpdate,
    isRepeat: false,
    generation: 0,
    hostImages: false,
  }
}

import type { DeliveredArticle, SentArticle } from '../../schema/values/delivered-article.ts'
import type { Ctx } from '../platform/runtime/ctx.ts'

/** Returns the article of a delivery with its Markdown, which is not kept for more than 90 days. */
export const withMarkdown = async (
  { toMarkdown }: Pick<Ctx, 'toMarkdown'>,
  sent: SentArticle,
): Promise<DeliveredArticle> => ({
  ...sent,
  content_markdown: sent.content_markdown ?? (sent.content_html === '' ? '' : await toMarkdown(sent.content_html)),
})

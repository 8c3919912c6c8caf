import type { ApprovalKind } from '../../../schema/values/approvals.ts'
import type { DeliveredArticle } from '../../../schema/values/delivered-article.ts'
import { proposedArticle } from '../../accounts/approvals/present.ts'
import { contentHash, type Proposal } from '../../accounts/approvals/rules.ts'
import type { PublishableRow } from '../read/queries.ts'
import type { TargetRow } from '../target/open.ts'
import type { PublishRequest } from '../target/publish-target.ts'

/** Returns the content of an article that is sent, without what differs from one attempt to the next. */
const contentOf = (
  { title, slug, content_html, meta_description, image_url, alt_text, tags, category, author }: DeliveredArticle,
  also: Pick<DeliveredArticle, 'seo_title' | 'canonical_url'>,
  publishedAt: Date | null,
) => [
  { title, slug, content_html, meta_description, image_url, alt_text, tags, category, author },
  also.seo_title ?? '',
  also.canonical_url ?? '',
  publishedAt,
]

const PLATFORM_NAMES: Record<string, string> = { webhook: 'Webhook' }

/** Returns the name of a target for people. */
export const targetName = ({ platform, url }: TargetRow): string =>
  `${PLATFORM_NAMES[platform] ?? platform} ${url}`.trim()

type Going = {
  kind: Extract<ApprovalKind, 'publish' | 'sync' | 'suggestion'>
  subject?: string | undefined
  article: PublishableRow
  request: PublishRequest
  row: TargetRow
}

/** Returns what is to go out of an article, as an approval is bound to it. */
export const proposalOf = async ({ kind, subject, article, request, row }: Going): Promise<Proposal> => {
  const sent = request.article
  const target = targetName(row)
  return {
    accountId: article.accountId,
    projectId: article.projectId,
    kind,
    subject: subject ?? `article:${article.id}`,
    articleId: article.id,
    revision: article.revision,
    target,
    proposed: proposedArticle(sent),
    hash: await contentHash(kind, `${target}`, contentOf(sent, sent, article.publishedAt)),
  }
}

import { and, eq, exists, isNotNull, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import type { ApprovalKind } from '../../../schema/values/approvals.ts'
import type { DeliveredArticle } from '../../../schema/values/delivered-article.ts'
import { type Asked, contentHash, type Proposal, proposedArticle } from '../../accounts/approvals/rules.ts'
import { askStatements, inTurn } from '../../accounts/approvals/writes.ts'
import { isMoveAllowed, statusAllows } from '../../content/articles/parts.ts'
import { type ArticleChanges, changeArticle, keepRevision } from '../../content/articles/writes.ts'
import { when } from '../../platform/db/steps.ts'
import { decideOnce } from '../../platform/db/writes.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { PublishableRow } from '../queries.ts'
import type { TargetRow } from '../target/open.ts'
import type { PublishRequest } from '../target/publish-target.ts'
import { replaceDelivery } from '../writes.ts'

/** Returns the parts of an article's payload that an approval covers, without those that differ between attempts. */
const contentOf = (
  { title, slug, content_html, meta_description, image_url, alt_text, tags, category, author }: DeliveredArticle,
  also: Pick<DeliveredArticle, 'seo_title' | 'canonical_url' | 'fields'>,
  publishedAt: Date | null,
) => [
  { title, slug, content_html, meta_description, image_url, alt_text, tags, category, author },
  also.seo_title ?? '',
  also.canonical_url ?? '',
  publishedAt,
  ...(also.fields ? [also.fields] : []),
]

const PLATFORM_NAMES: Record<string, string> = { webhook: 'Webhook' }

/** Returns a target's platform and address as people read them. */
export const targetName = ({ platform, url }: TargetRow): string =>
  `${PLATFORM_NAMES[platform] ?? platform} ${url}`.trim()

type Going = {
  kind: Extract<ApprovalKind, 'publish' | 'sync' | 'suggestion'>
  subject?: string | undefined
  article: PublishableRow
  request: PublishRequest
  row: TargetRow
}

/** Returns the proposal that a person approves: the article's content and target, with their hash. */
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

type Waiting = {
  articleId: number
  accountId: number
  readRevision: number
  /**
   * Optimised columns of an article that no agent claimed. They are saved with the question, so the person sees what
   * will be sent.
   */
  changes: ArticleChanges | undefined
  onDate: boolean
}

/**
 * Asks a person to approve an article's publication. The article waits, and its open delivery is called off.
 *
 * Returns the question; undefined if the article changed since it was read or another call has it.
 */
export const askToPublish = (ctx: Ctx, proposal: Proposal, waiting: Waiting): Promise<Asked | undefined> => {
  const { articleId, accountId, readRevision, changes, onDate } = waiting
  const { db } = ctx
  const now = ctx.now()
  const itself = and(eq(articles.id, articleId), eq(articles.accountId, accountId))
  const isAsRead = and(
    itself,
    eq(articles.revision, readRevision),
    onDate ? and(statusAllows('go_live'), isNotNull(articles.dueTakenAt)) : undefined,
    isMoveAllowed('publish', now),
  )
  const { statement: decided, isMet: mayAsk } = decideOnce(
    exists(db.select({ id: articles.id }).from(articles).where(isAsRead)),
  )
  return inTurn(ctx, async () => {
    const { asked } = await ctx.batch({
      article: db.select({ id: articles.id }).from(articles).where(itself).for('no key update'),
      decided,
      ...when(mayAsk, {
        revision: changes && ((isMet) => keepRevision({ if: sql`${and(itself, isMet)}` })),
        replaced: replaceDelivery(db, articleId, 'The article waits for a person to approve it.', now),
        changed: (isMet) =>
          changeArticle(db, { publishState: 'awaiting_approval', publishError: null, ...changes }, and(itself, isMet)),
        asked: (isMet) => askStatements(ctx, proposal, isMet),
      }),
    })
    return asked.question[0]
  })
}

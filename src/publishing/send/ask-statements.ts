import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { askParts } from '../../accounts/approvals/parts.ts'
import type { Proposal } from '../../accounts/approvals/rules.ts'
import { changeArticle, keepRevision, oldArticle } from '../../content/articles/parts.ts'
import { mayMove, statusAllows } from '../../content/articles/standing-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Changes } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { replaceDeliveries } from '../deliveries/parts.ts'

type Waiting = {
  articleId: number
  accountId: number
  readRevision: number
  /** Changes by publication of an article nobody claimed: the question is about the article as it is sent. */
  changes: Changes<typeof articles> | undefined
  onDate: boolean
}

/**
 * Asks a person whether an article may be published as it is: the article waits, and what waited to be sent of it before is called
 * off. No row: the article is not as it was read, or somebody holds it.
 */
export const askToPublish = (ctx: Ctx, proposal: Proposal, waiting: Waiting): SQL => {
  const { articleId, accountId, readRevision, changes, onDate } = waiting
  const now = ctx.now()
  const old = oldArticle({
    where: sql`${and(
      eq(articles.id, articleId),
      eq(articles.accountId, accountId),
      eq(articles.revision, readRevision),
      onDate ? and(statusAllows('go_live'), isNotNull(articles.dueTakenAt)) : undefined,
    )} and ${mayMove('publish', now)}`,
    lock: 'no key update',
  })
  const article = changeArticle(
    'waiting_article',
    { publishState: 'awaiting_approval', publishError: null, ...changes },
    { from: [old], where: eq(articles.id, old.c.id) },
  )
  const { parts: replaced } = replaceDeliveries(article, 'The article waits for a person to approve it.', now)
  const question = askParts(ctx, proposal, { from: article })
  return statement({
    parts: [old, article, changes && keepRevision(old, article), replaced, question.parts],
    audit: question.audit,
    answer: question.answer,
    answerFrom: question.answerFrom,
  })
}

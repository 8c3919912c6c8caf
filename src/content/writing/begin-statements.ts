import type { SQL } from 'drizzle-orm'
import type { articles } from '../../../schema/articles.ts'
import { articleWritings } from '../../../schema/articles.ts'
import { takeCredit } from '../../platform/accounts/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { addArticle } from '../articles/parts.ts'
import { FIRST_STATUS } from '../articles/transitions.ts'
import { queueWriting } from './jobs.ts'
import { progressOf } from './rules.ts'

type NewGeneration = {
  article: Pick<
    typeof articles.$inferInsert,
    'projectId' | 'title' | 'mainKeyword' | 'slug' | 'articleStyle' | 'instructions'
  > & { id: number }
  accountId: number
  notes: string
}

/**
 * Takes a credit and begins an article with it: article, writing, job and kept answer in one statement. No row when the
 * account has no credit left; a slug taken meanwhile violates `articles_slug_unique` and undoes everything.
 *
 * `answer` gets the credits that are left.
 */
export const beginGeneration = (
  ctx: Ctx,
  { article, accountId, notes }: NewGeneration,
  answer: (credits: SQL) => SQL,
): SQL => {
  const now = ctx.now()
  const purse = takeCredit(accountId)
  const row = {
    ...article,
    accountId: purse.c.id,
    status: FIRST_STATUS.generation,
    writingStartedAt: now,
    progress: progressOf(null, 0),
    createdAt: now,
    updatedAt: now,
  }
  const made = addArticle(row, [purse])
  const writing = insert(
    'writing',
    articleWritings,
    { articleId: made.c.id, kind: 'generate', notes, creditTaken: true, startedAt: now, updatedAt: now },
    { from: [made] },
  )
  return statement({
    parts: [
      purse,
      made,
      writing,
      queueWriting(made, now),
      ctx.keep.answer([made, purse], answer(purse.c.articleCredits)),
    ],
    audit: audit(ctx, {
      of: made,
      account: made.c.accountId,
      action: 'article.generate',
      on: ['article', made.c.id],
    }),
    answer: { credits: purse.c.articleCredits },
    answerWhere: made.hasRows,
  })
}

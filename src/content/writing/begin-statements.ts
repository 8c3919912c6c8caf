import { eq, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import type { articles } from '../../../schema/articles.ts'
import { articleWritings } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import { creditsSpent, hasCredits } from '../../accounts/policy/parts.ts'
import type { Spending } from '../../platform/accounts/key-budget.ts'
import { spendCredit } from '../../platform/accounts/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { read } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, update } from '../../platform/db/write-parts.ts'
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
  spending: Spending
}

/**
 * Takes a credit and begins an article with it: article, writing, job and kept answer in one statement.
 *
 * The answer has no credits if the account has none left or a monthly budget, of the project or the key, is used. A
 * slug taken meanwhile violates `articles_slug_unique` and undoes everything. `answer` gets the credits that are left.
 */
export const beginGeneration = (
  ctx: Ctx,
  { article, accountId, notes, spending }: NewGeneration,
  answer: (credits: SQL) => SQL,
): SQL => {
  const now = ctx.now()
  const account = read(
    'account',
    accounts,
    { id: accounts.id, credits: accounts.articleCredits },
    { where: eq(accounts.id, accountId), lock: 'no key update' },
  )
  const budgeted = update('budgeted', projects, creditsSpent(now), {
    from: [account],
    where: sql`${eq(projects.id, article.projectId)} and ${account.c.credits} > 0 and ${hasCredits(now)} and ${spending.hasRoom}`,
  })
  const credit = spendCredit(accountId, [budgeted])
  const row = {
    ...article,
    accountId: credit.c.id,
    status: FIRST_STATUS.generation,
    writingStartedAt: now,
    progress: progressOf(null, 0),
    createdAt: now,
    updatedAt: now,
  }
  const made = addArticle(row, [credit])
  const writing = insert(
    'writing',
    articleWritings,
    { articleId: made.c.id, kind: 'generate', notes, creditTaken: true, startedAt: now, updatedAt: now },
    { from: [made] },
  )
  return statement({
    parts: [
      account,
      budgeted,
      credit,
      made,
      writing,
      queueWriting(made, now),
      spending.charge(made),
      ctx.keep.answer([made, credit], answer(credit.c.articleCredits)),
    ],
    audit: audit(ctx, {
      of: made,
      account: made.c.accountId,
      action: 'article.generate',
      on: ['article', made.c.id],
    }),
    answer: {
      credits: credit.c.articleCredits,
      isOverBudget: sql`${account.c.credits} > 0 and not ${budgeted.hasRows}`,
    },
    answerFrom: sql`${account.rows} left join ${credit.rows} on true`,
  })
}

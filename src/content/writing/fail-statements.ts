import { eq, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles, articleWritings } from '../../../schema/articles.ts'
import { creditReturned, lockProjectOf } from '../../accounts/policy/parts.ts'
import { lockAccount, returnCredit } from '../../platform/accounts/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import type { Part } from '../../platform/db/part.ts'
import { statement } from '../../platform/db/statement.ts'
import { typedValue, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { changeArticle } from '../articles/parts.ts'
import { AT_REST, type Held, heldAt, NEXT_STEP, statusAfterWriting } from './held.ts'
import { writeJob } from './jobs.ts'

type Failed = {
  articleId: number
  accountId: number
  /** Null: whatever step the writing is at. */
  step: number | null
  reason: string
  /** The notes made safe: what a draft holds that could not be written out. */
  notesHtml: string
  /** Time of the writer's next attempt at a planned article. */
  againAt: Date
}

/** The article of a writing that is given up: a generated one holds the notes, a planned one is tried later. */
const releaseUnwritten = (f: Failed, held: Held, now: Date) => {
  const isGenerated = sql`${held.c.kind} = 'generate'`
  return changeArticle(
    'unwritten',
    {
      ...AT_REST,
      status: statusAfterWriting(held),
      generationError: f.reason,
      publishState: sql`case when ${isGenerated} then ${typedValue(articles.publishState, 'failed')} else ${articles.publishState} end`,
      publishError: sql`case when ${isGenerated} then ${f.reason}::text else ${articles.publishError} end`,
      content: sql`case when ${isGenerated} then ${f.notesHtml}::text else ${articles.content} end`,
      writeAfter: sql`case when ${isGenerated} then null else ${typedValue(articles.writeAfter, f.againAt)} end`,
      updatedAt: now,
    },
    { from: [held], where: eq(articles.id, held.c.articleId), returning: { accountId: articles.accountId } },
  )
}

/** Keeps the notes of a writing that was given up. */
const restWriting = (article: Part<'id'>, reason: string, now: Date) =>
  update(
    'rested',
    articleWritings,
    {
      brief: null,
      outline: null,
      sections: [],
      step: NEXT_STEP,
      repairs: 0,
      failures: 0,
      creditTaken: false,
      lastError: reason,
      updatedAt: now,
    },
    { from: [article], where: eq(articleWritings.articleId, article.c.id) },
  )

/**
 * Gives a writing up and the credit back: a generated article becomes a draft that holds the notes, a planned one is planned
 * again and tried later. No row: another run was faster.
 */
export const failWriting = (ctx: Ctx, f: Failed): SQL => {
  const now = ctx.now()
  const lockedAccount = lockAccount(f.accountId)
  const project = lockProjectOf(f.articleId, [lockedAccount])
  const { old, held } = heldAt(f, [lockedAccount, project])
  const article = releaseUnwritten(f, held, now)
  const isPaid = sql`${eq(accounts.id, article.c.accountId)} and ${held.c.creditTaken}`
  return statement({
    parts: [
      lockedAccount,
      project,
      old,
      held,
      article,
      returnCredit([article, held], isPaid),
      creditReturned(now, project, [article, held], held.c.creditTaken),
      restWriting(article, f.reason, now),
      writeJob.finish(f.articleId, now, { where: article.hasRows }),
    ],
    audit: audit(ctx, {
      of: article,
      account: article.c.accountId,
      action: 'article.writing_failed',
      on: ['article', article.c.id],
      detail: { reason: f.reason },
    }),
    answer: { id: article.c.id },
  })
}

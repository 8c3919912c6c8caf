import { and, eq } from 'drizzle-orm'
import { articleWritings } from '../../../schema/articles.ts'
import { lockProjectOf, returnToBudget } from '../../accounts/policy/parts.ts'
import { holdAccount } from '../../platform/accounts/parts.ts'
import { returnCredit } from '../../platform/accounts/writes.ts'
import { audit } from '../../platform/db/writes.ts'
import { finishJob } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { changeArticle } from '../articles/writes.ts'
import { safeHtml } from '../html/sanitize.ts'
import { renderFragment } from '../html/tree.ts'
import { writeJob } from './jobs.ts'
import { readNotes } from './notes.ts'
import { AT_REST, heldAt, NEXT_STEP, statusAfterWriting, type WritingRow, writingById } from './queries.ts'
import { writeAgainAt } from './rules.ts'

const AFTER = {
  generate: 'The article credit was returned; the draft holds your notes.',
  scheduled: 'The article credit was returned; the writer tries again later.',
}

/**
 * Gives a writing up with the reason, and the credit back, if it still is at `step` (null: wherever it is).
 *
 * A generated article becomes a draft that holds the notes. A planned one is planned again and tried later.
 */
export const giveUpWriting = async (ctx: Ctx, row: WritingRow, why: string, step: number | null): Promise<void> => {
  const { articleId, accountId, kind } = row
  const now = ctx.now()
  const reason = `The article could not be written. ${why} ${AFTER[kind]}`
  const notes = renderFragment(readNotes(row.notes))
  const { locks, isHeld, hasEnded } = heldAt(ctx.db, { articleId, kind, step })
  await ctx.batch([
    holdAccount(accountId),
    lockProjectOf(ctx.db, articleId),
    ...locks,
    returnCredit(ctx.db, accountId, isHeld),
    returnToBudget(ctx.db, articleId, now, isHeld),
    finishJob(ctx.db, writeJob, articleId, { if: isHeld, now }),
    audit(ctx, {
      account: accountId,
      action: 'article.writing_failed',
      on: ['article', articleId],
      detail: { reason },
      if: isHeld,
    }),
    ctx.db
      .update(articleWritings)
      .set({
        brief: null,
        outline: null,
        sections: [],
        step: NEXT_STEP,
        repairs: 0,
        failures: 0,
        creditTaken: false,
        lastError: reason,
        updatedAt: now,
      })
      .where(and(eq(articleWritings.articleId, articleId), isHeld)),
    changeArticle(
      ctx.db,
      {
        ...AT_REST,
        status: statusAfterWriting(kind),
        generationError: reason,
        updatedAt: now,
        ...(kind === 'generate'
          ? { publishState: 'failed', publishError: reason, content: safeHtml(notes) ?? '', writeAfter: null }
          : { writeAfter: writeAgainAt(row.startedAt, now) }),
      },
      hasEnded,
    ),
  ])
}

const OURS = 'It was tried many times and failed for a reason on our side.'

/** Ends a writing whose job is given up. Nothing happens when it has ended already. */
export const abandonWriting = async (ctx: Ctx, articleId: number): Promise<void> => {
  const [[row]] = await ctx.read((owner) => [writingById(ctx.db, owner, articleId)])
  if (row) await giveUpWriting(ctx, row, OURS, null)
}

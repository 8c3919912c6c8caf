import type { Ctx } from '../../platform/runtime/ctx.ts'
import { safeHtml } from '../html/sanitize.ts'
import { renderFragment } from '../html/tree.ts'
import { failWriting } from './fail-statements.ts'
import { readNotes } from './notes.ts'
import { type WritingRow, writingById } from './queries.ts'
import { writeAgainAt } from './rules.ts'

const AFTER = {
  generate: 'The article credit was returned; the draft holds your notes.',
  scheduled: 'The article credit was returned; the writer tries again later.',
}

/** Gives a writing up with the reason, if it still is at `step` (null: wherever it is), and the credit back. */
export const giveUpWriting = async (ctx: Ctx, row: WritingRow, reason: string, step: number | null): Promise<void> => {
  const notes = renderFragment(readNotes(row.notes))
  await ctx.write(
    failWriting(ctx, {
      articleId: row.articleId,
      accountId: row.accountId,
      step,
      reason: `The article could not be written. ${reason} ${AFTER[row.kind]}`,
      notesHtml: safeHtml(notes) ?? '',
      againAt: writeAgainAt(row.startedAt, ctx.now()),
    }),
  )
}

const OURS = 'It was tried many times and failed for a reason on our side.'

/** Ends a writing whose job is given up. Nothing happens when it has ended already. */
export const abandonWriting = async (ctx: Ctx, articleId: number): Promise<void> => {
  const [[row]] = await ctx.read((owner) => [writingById(ctx.db, owner, articleId)])
  if (row) await giveUpWriting(ctx, row, OURS, null)
}

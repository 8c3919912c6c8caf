import { eq, type SQL, sql } from 'drizzle-orm'
import { articles, articleWritings } from '../../../schema/articles.ts'
import { statement } from '../../platform/db/statement.ts'
import { type Changes, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { changeArticle } from '../articles/parts.ts'
import { type Held, heldAt, NEXT_STEP, type Step } from './held.ts'
import type { Outline, WritingBrief } from './port.ts'
import type { Progress } from './rules.ts'
import { writeJob } from './write-job.ts'

const UNDER_WAY = 'a step of a writing; its beginning and its end are audited'

const changeWriting = (held: Held, changes: Changes<typeof articleWritings>) =>
  update('saved', articleWritings, changes, {
    from: [held],
    where: eq(articleWritings.articleId, held.c.articleId),
    returning: { articleId: articleWritings.articleId },
  })

/** Result of a step. */
export type StepResult = { brief: WritingBrief; outline: Outline } | { section: string } | { whole: string }

const resultChanges = (result: StepResult): Changes<typeof articleWritings> => {
  if ('outline' in result) return { brief: result.brief, outline: result.outline }
  if ('section' in result)
    return { sections: sql`${articleWritings.sections} || ${JSON.stringify([result.section])}::jsonb` }
  return { sections: [result.whole], repairs: sql`${articleWritings.repairs} + 1` }
}

/** Saves what a step made and wakes the next one. No row: another run was faster, or the article is no longer being written. */
export const saveStep = (ctx: Ctx, s: Step, result: StepResult, progress: Progress): SQL => {
  const now = ctx.now()
  const { old, held } = heldAt(s)
  const made = resultChanges(result)
  const saved = changeWriting(held, { ...made, step: NEXT_STEP, failures: 0, lastError: null, updatedAt: now })
  const shown = changeArticle('shown', { progress }, { from: [saved], where: eq(articles.id, saved.c.articleId) })
  const woken = writeJob.move(s.articleId, now, { where: saved.hasRows })
  return statement({ unaudited: UNDER_WAY, parts: [old, held, saved, shown, woken], answer: { id: shown.c.id } })
}

/** Notes that a step failed for now, and when it is tried again. */
export const saveFailure = (ctx: Ctx, s: Step, reason: string, again: Date): SQL => {
  const { old, held } = heldAt(s)
  const failures = sql`${articleWritings.failures} + 1`
  const saved = changeWriting(held, { failures, lastError: reason, updatedAt: ctx.now() })
  const woken = writeJob.move(s.articleId, again, { where: saved.hasRows })
  return statement({ unaudited: UNDER_WAY, parts: [old, held, saved, woken], answer: saved.c })
}

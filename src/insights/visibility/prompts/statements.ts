import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { visibilityPrompts as prompts } from '../../../../schema/visibility.ts'
import { audit } from '../../../platform/db/audit.ts'
import { ONE_ROW, statement } from '../../../platform/db/statement.ts'
import { excluded, insert, update } from '../../../platform/db/write-parts.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { MAX_ACTIVE, promptKey } from '../rules.ts'
import { scheduled } from '../schedule-parts.ts'

type Place = { accountId: number; projectId: number; prompt: string }

/** The active prompts of a project, as what follows `from`. */
const active = (projectId: number): SQL =>
  sql`${prompts} where ${and(eq(prompts.projectId, projectId), isNull(prompts.removedAt))}`

/**
 * Adds a prompt where fewer than the most are active, or brings a removed one back. One row: whether it was `made`, and the
 * wording under which it is `existing` already. After `projectLock`.
 */
export const insertPrompt = (ctx: Ctx, { accountId, projectId, prompt }: Place, answer: unknown): SQL => {
  const key = promptKey(prompt)
  const made = insert(
    'made',
    prompts,
    { accountId, projectId, prompt, promptKey: key, source: 'own', createdAt: ctx.now() },
    {
      where: sql`(select count(*) from ${active(projectId)}) < ${MAX_ACTIVE}::int`,
      onConflict: {
        columns: [prompts.projectId, prompts.promptKey],
        set: { prompt: excluded(prompts.prompt), source: 'own', removedAt: null },
        setWhere: sql`${prompts.removedAt} is not null`,
      },
      returning: { id: prompts.id },
    },
  )
  return statement({
    parts: [made, scheduled(made, accountId, projectId, ctx.now()), ctx.keep.answer([made], answer)],
    audit: audit(ctx, {
      of: made,
      account: accountId,
      action: 'visibility.prompt_add',
      on: ['visibility_prompt', made.c.id],
    }),
    answer: {
      made: made.hasRows,
      existing: sql`(select ${prompts.prompt} from ${active(projectId)} and ${eq(prompts.promptKey, key)})`,
    },
    answerFrom: ONE_ROW,
  })
}

/** Marks an active prompt as removed; its wording. No row when there is none. */
export const markPromptRemoved = (ctx: Ctx, { accountId, projectId, prompt }: Place): SQL => {
  const removed = update(
    'removed',
    prompts,
    { removedAt: ctx.now() },
    {
      where: sql`${and(
        eq(prompts.projectId, projectId),
        eq(prompts.promptKey, promptKey(prompt)),
        isNull(prompts.removedAt),
      )}`,
      returning: { id: prompts.id, prompt: prompts.prompt },
    },
  )
  return statement({
    parts: [removed],
    audit: audit(ctx, {
      of: removed,
      account: accountId,
      action: 'visibility.prompt_remove',
      on: ['visibility_prompt', removed.c.id],
    }),
    answer: { prompt: removed.c.prompt },
  })
}

import { and, eq, isNull, lt, notExists, sql } from 'drizzle-orm'
import { visibilityPrompts as prompts } from '../../../schema/visibility.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { lockProject } from '../../accounts/projects/writes.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, decideOnce, insertWhere } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { required } from '../../platform/lib/issues.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { AddPromptInput, RemovePromptInput } from './operations.ts'
import { MAX_ACTIVE, plainPrompt, promptKey } from './rules.ts'
import { schedule } from './scan/start.ts'

const limitReached = (projectId: number): ApiError =>
  new ApiError('prompt_limit', `The project already tracks ${MAX_ACTIVE} prompts, the maximum. Nothing was added.`, {
    status: 'limit',
    prompts_limit: MAX_ACTIVE,
    next_calls: [
      {
        method: 'GET',
        path: `/ai-visibility?project_id=${projectId}&view=prompts`,
        why: 'Lists the prompts; DELETE /ai-visibility/prompts removes one that is not needed.',
      },
    ],
  })

/**
 * Adds a prompt to the next scans. Throws 404, 403, and 409 if the limit of active prompts is reached.
 *
 * A prompt that exists already stays as it is; case and spacing do not count. A removed prompt becomes active again, with its
 * earlier answers.
 */
export const addPrompt = async (ctx: Ctx, { project_id: projectId, prompt: given }: AddPromptInput) => {
  await readWithProject(ctx, projectId)
  const { id: accountId } = await ctx.account()
  const now = ctx.now()
  const prompt = plainPrompt(given)
  const key = promptKey(prompt)
  const added = { status: 'added', prompt, project_id: projectId, message: 'The next scan asks this prompt.' }
  const isOfProject = eq(prompts.projectId, projectId)
  const isSame = and(isOfProject, eq(prompts.promptKey, key))
  const isActive = isNull(prompts.removedAt)
  const same = ctx.db.select({ prompt: prompts.prompt }).from(prompts).where(and(isSame, isActive))
  const active = ctx.db.$count(prompts, and(isOfProject, isActive))
  const may = decideOnce(sql`${and(lt(active, MAX_ACTIVE), notExists(same))}`)
  const row = { accountId, projectId, prompt, promptKey: key, source: 'own', createdAt: now } as const
  const {
    same: [existing],
    made,
  } = await ctx.batch({
    project: lockProject(ctx.db, projectId),
    decided: may.statement,
    same,
    ...when(may.isMet, {
      made: (isMet) =>
        insertWhere(prompts, row, {
          if: isMet,
          onConflict: sql`(project_id, prompt_key) do update set prompt = excluded.prompt, source = 'own', removed_at = null`,
        }),
      schedule: (isMet) => schedule(accountId, projectId, now, isMet),
      kept: ctx.keepAnswer(added),
      audit: (isMet) =>
        audit(ctx, {
          account: accountId,
          action: 'visibility.prompt_add',
          on: ['visibility_prompt', prompts.id],
          from: sql`${prompts}`,
          if: sql`${and(isSame, isMet)}`,
        }),
    }),
  })
  if (made.length > 0) return added
  if (!existing) throw limitReached(projectId)
  return {
    ...added,
    status: 'duplicate',
    prompt: existing.prompt,
    message: 'This prompt is already tracked. Nothing was changed.',
  }
}

/** Stops asking a prompt; its answers stay. Throws 400 if project or prompt is missing, 404, 403. */
export const removePrompt = async (ctx: Ctx, input: RemovePromptInput) => {
  const { project_id: projectId, prompt } = required(input, ['project_id', 'prompt'])
  await readWithProject(ctx, projectId)
  const { id: account } = await ctx.account()
  const isThat = sql`${and(
    eq(prompts.projectId, projectId),
    eq(prompts.promptKey, promptKey(plainPrompt(prompt))),
    isNull(prompts.removedAt),
  )}`
  const {
    changedPrompts: [removed],
  } = await ctx.batch({
    project: lockProject(ctx.db, projectId),
    ...when(isThat, {
      audit: (isMet) =>
        audit(ctx, {
          account,
          action: 'visibility.prompt_remove',
          on: ['visibility_prompt', prompts.id],
          from: sql`${prompts}`,
          if: isMet,
        }),
      changedPrompts: (isMet) =>
        ctx.db.update(prompts).set({ removedAt: ctx.now() }).where(isMet).returning({ prompt: prompts.prompt }),
    }),
  })
  if (!removed)
    throw new ApiError('not_found', 'The project has no such prompt. Nothing was changed.', {
      next_calls: [
        { method: 'GET', path: `/ai-visibility?project_id=${projectId}&view=prompts`, why: 'Lists the prompts.' },
      ],
    })
  return {
    status: 'removed',
    prompt: removed.prompt,
    project_id: projectId,
    message: 'Prompt removed. Its past answers are kept.',
  }
}

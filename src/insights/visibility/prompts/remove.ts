import { and, eq, isNull, sql } from 'drizzle-orm'
import { visibilityPrompts as prompts } from '../../../../schema/visibility.ts'
import { readWithProject } from '../../../accounts/projects/scope.ts'
import { lockProject } from '../../../accounts/projects/writes.ts'
import { audit } from '../../../platform/db/writes.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { required } from '../../../platform/lib/required.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import type { RemovePromptInput } from '../operations.ts'
import { plainPrompt, promptKey } from '../rules.ts'

/** Stops asking a prompt; its answers stay. Throws 400 where project or prompt is not named, 404, 403. */
export const removePrompt = async (ctx: Ctx, input: RemovePromptInput) => {
  const { project_id: projectId, prompt } = required(input, ['project_id', 'prompt'])
  await readWithProject(ctx, projectId, [] as const)
  const { id: account } = await ctx.account()
  const isThat = and(
    eq(prompts.projectId, projectId),
    eq(prompts.promptKey, promptKey(plainPrompt(prompt))),
    isNull(prompts.removedAt),
  )
  const [, , [removed]] = await ctx.batch([
    lockProject(ctx.db, projectId),
    audit(ctx, {
      account,
      action: 'visibility.prompt_remove',
      on: ['visibility_prompt', prompts.id],
      from: sql`${prompts}`,
      if: sql`${isThat}`,
    }),
    ctx.db.update(prompts).set({ removedAt: ctx.now() }).where(isThat).returning({ prompt: prompts.prompt }),
  ])
  if (!removed)
    throw new ApiError('not_found', 'The project tracks no such prompt. Nothing was changed.', {
      next_calls: [
        { method: 'GET', path: `/ai-visibility?project_id=${projectId}&view=prompts`, why: 'Lists the prompts.' },
      ],
    })
  return {
    status: 'removed',
    prompt: removed.prompt,
    project_id: projectId,
    message: 'This prompt is no longer asked. The answers it had stay.',
  }
}

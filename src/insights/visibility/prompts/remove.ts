import { readWithProject } from '../../../accounts/projects/scope.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { required } from '../../../platform/lib/required.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { plainPrompt } from '../rules.ts'
import type { RemovePromptInput } from '../schemas.ts'
import { markPromptRemoved } from './statements.ts'

/** Stops asking a prompt; its answers stay. Throws 400 where project or prompt is not named, 404, 403. */
export const removePrompt = async (ctx: Ctx, input: RemovePromptInput) => {
  const { project_id: projectId, prompt } = required(input, ['project_id', 'prompt'])
  await readWithProject(ctx, projectId, [] as const)
  const account = await ctx.account()
  const place = { accountId: account.id, projectId, prompt: plainPrompt(prompt) }
  const [row] = await ctx.write<{ prompt: string }>(markPromptRemoved(ctx, place))
  if (!row)
    throw new ApiError('not_found', 'The project tracks no such prompt. Nothing was changed.', {
      next_calls: [
        { method: 'GET', path: `/ai-visibility?project_id=${projectId}&view=prompts`, why: 'Lists the prompts.' },
      ],
    })
  return {
    status: 'removed',
    prompt: row.prompt,
    project_id: projectId,
    message: 'This prompt is no longer asked. The answers it had stay.',
  }
}

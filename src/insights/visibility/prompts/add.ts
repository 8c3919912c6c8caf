import { readWithProject } from '../../../accounts/projects/scope.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { projectLock } from '../locks.ts'
import { MAX_ACTIVE, plainPrompt } from '../rules.ts'
import type { AddPromptInput } from '../schemas.ts'
import { insertPrompt } from './statements.ts'

const limitReached = (projectId: number): ApiError =>
  new ApiError(
    'prompt_limit',
    `The project tracks ${MAX_ACTIVE} prompts already, which is the most. Nothing was added.`,
    {
      status: 'limit',
      prompts_limit: MAX_ACTIVE,
      next_calls: [
        {
          method: 'GET',
          path: `/ai-visibility?project_id=${projectId}&view=prompts`,
          why: 'Lists the prompts; DELETE /ai-visibility/prompts removes one that is not needed.',
        },
      ],
    },
  )

/**
 * Adds a prompt, which the next scan asks. One that is there already (without regard to case and spacing) stays as it is; one
 * that was removed comes back with the answers it had. Throws 404, 403, and 409 when as many as allowed are active.
 */
export const addPrompt = async (ctx: Ctx, { project_id: projectId, prompt: given }: AddPromptInput) => {
  await readWithProject(ctx, projectId, [] as const)
  const account = await ctx.account()
  const prompt = plainPrompt(given)
  const added = { status: 'added', prompt, project_id: projectId, message: 'The next scan asks this prompt.' }
  const write = insertPrompt(ctx, { accountId: account.id, projectId, prompt }, added)
  const [row] = await ctx.write<{ made: boolean; existing: string | null }>(write, projectLock(projectId))
  if (row?.made) return added
  if (row?.existing == null) throw limitReached(projectId)
  ctx.keep.missed()
  return {
    ...added,
    status: 'duplicate',
    prompt: row.existing,
    message: 'This prompt is tracked already; nothing was changed.',
  }
}

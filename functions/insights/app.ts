import type { HttpDeps } from '../../src/http/deps.ts'
import { groupApp } from '../../src/http/group.ts'
import { routes } from '../../src/http/route.ts'
import { visibilityOperations } from '../../src/visibility/operations.ts'
import { addPrompt } from '../../src/visibility/prompt-add.ts'
import { removePrompt } from '../../src/visibility/prompt-remove.ts'

const visibility = routes(visibilityOperations, {
  addPrompt: (ctx, { body }) => addPrompt(ctx, body),
  removePrompt: (ctx, { query, body }) => removePrompt(ctx, { ...query, ...body }),
})

export const insightsApp = (deps: HttpDeps) => groupApp(deps, visibility)

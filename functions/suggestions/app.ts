import type { HttpDeps } from '../../src/http/deps.ts'
import { groupApp } from '../../src/http/group.ts'
import { routes } from '../../src/http/route.ts'
import { fromEither, required } from '../../src/lib/required.ts'
import { approveSuggestion, regenerateSuggestion, rejectSuggestion } from '../../src/suggestions/decide.ts'
import { listEffects } from '../../src/suggestions/effects.ts'
import { suggestionOperations } from '../../src/suggestions/operations.ts'
import { publishSuggestion } from '../../src/suggestions/publish.ts'
import { getSuggestion, listSuggestions, suggestionDiff } from '../../src/suggestions/read.ts'
import { runSuggestions } from '../../src/suggestions/run.ts'
import type { SendSync } from '../../src/suggestions/sync-port.ts'

const suggestions = (send: SendSync) =>
  routes(suggestionOperations, {
    list: (ctx, { query }) => listSuggestions(ctx, query),
    run: async (ctx, { body, query }) => {
      const { project_id: id } = required(fromEither(query, body), ['project_id'])
      return await runSuggestions(ctx, id)
    },
    effects: (ctx, { query }) => listEffects(ctx, query),
    get: (ctx, { params }) => getSuggestion(ctx, params.id),
    diff: (ctx, { params }) => suggestionDiff(ctx, params.id),
    approve: (ctx, { params }) => approveSuggestion(ctx, params.id),
    reject: (ctx, { params, body }) => rejectSuggestion(ctx, params.id, body.reason),
    publish: (ctx, { params }) => publishSuggestion(ctx, send, params.id),
    regenerate: (ctx, { params, body }) => regenerateSuggestion(ctx, params.id, body.feedback),
  })

export const suggestionsApp = (deps: HttpDeps, send: SendSync) => groupApp(deps, suggestions(send))

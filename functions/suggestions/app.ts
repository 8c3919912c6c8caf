import { careOperations } from '../../src/insights/care/operations.ts'
import { careReport } from '../../src/insights/care/report.ts'
import {
  approveSuggestion,
  publishSuggestion,
  regenerateSuggestion,
  rejectSuggestion,
  type SendSync,
} from '../../src/insights/suggestions/decide.ts'
import { suggestionOperations } from '../../src/insights/suggestions/operations.ts'
import { getSuggestion, listEffects, listSuggestions, suggestionDiff } from '../../src/insights/suggestions/read.ts'
import { runSuggestions } from '../../src/insights/suggestions/run.ts'
import type { HttpDeps } from '../../src/platform/http/deps.ts'
import { groupApp } from '../../src/platform/http/group.ts'
import { answer, routes } from '../../src/platform/http/route.ts'
import { mergedInput, required } from '../../src/platform/lib/issues.ts'

const suggestions = (send: SendSync) =>
  routes(suggestionOperations, {
    list: (ctx, { query }) => listSuggestions(ctx, query),
    run: async (ctx, { body, query }) => {
      const { project_id: id } = required(mergedInput(query, body), ['project_id'])
      return await runSuggestions(ctx, id)
    },
    effects: (ctx, { query }) => listEffects(ctx, query),
    get: (ctx, { params }) => getSuggestion(ctx, params.id),
    diff: (ctx, { params }) => suggestionDiff(ctx, params.id),
    approve: (ctx, { params }) => approveSuggestion(ctx, params.id),
    reject: (ctx, { params, body }) => rejectSuggestion(ctx, params.id, body.reason),
    publish: async (ctx, { params }) => {
      const { status, body } = await publishSuggestion(ctx, send, params.id)
      return answer(status, body)
    },
    regenerate: (ctx, { params, body }) => regenerateSuggestion(ctx, params.id, body.feedback),
  })

const care = routes(careOperations, { report: (ctx, { params, query }) => careReport(ctx, params.id, query) })

/** Returns the app with the operations of suggestions and the care report. */
export const suggestionsApp = (deps: HttpDeps, send: SendSync) => groupApp(deps, suggestions(send), care)

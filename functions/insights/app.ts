import { chooseProperty, disconnect, startConnecting } from '../../src/insights/search/connect.ts'
import { CONNECT_PATH } from '../../src/insights/search/connect-page.ts'
import { searchOperations } from '../../src/insights/search/operations.ts'
import { readConnectionStatus, searchHistory, searchPerformance } from '../../src/insights/search/performance.ts'
import type { SearchConsole } from '../../src/insights/search/port.ts'
import { visibilityOperations } from '../../src/insights/visibility/operations.ts'
import { addPrompt, removePrompt } from '../../src/insights/visibility/prompts.ts'
import { listAnswers, listScans, visibilityReport } from '../../src/insights/visibility/read/report.ts'
import { startScan } from '../../src/insights/visibility/scan/start.ts'
import { connectPages } from '../../src/pages/search-connection.tsx'
import type { HttpDeps } from '../../src/platform/http/deps.ts'
import { groupApp } from '../../src/platform/http/group.ts'
import { routes } from '../../src/platform/http/route.ts'
import { mergedInput } from '../../src/platform/lib/issues.ts'

const visibility = routes(visibilityOperations, {
  report: (ctx, { query }) => visibilityReport(ctx, query),
  answers: (ctx, { query }) => listAnswers(ctx, query),
  scans: (ctx, { query }) => listScans(ctx, query),
  scan: (ctx, { query, body }) => startScan(ctx, mergedInput(query, body)),
  addPrompt: (ctx, { body }) => addPrompt(ctx, body),
  removePrompt: (ctx, { query, body }) => removePrompt(ctx, mergedInput(query, body)),
})

const search = (google: SearchConsole) =>
  routes(searchOperations, {
    performance: (ctx, { query }) => searchPerformance(ctx, google, query),
    history: (ctx, { query }) => searchHistory(ctx, google, query),
    standing: (ctx, { params }) => readConnectionStatus(ctx, google, params.id),
    connect: (ctx, { params }) => startConnecting(ctx, google, params.id),
    choose: (ctx, { params, body }) => chooseProperty(ctx, google, params.id, body),
    disconnect: (ctx, { params }) => disconnect(ctx, google, params.id),
  })

/** Returns the operations of this Worker, and the pages at which people connect a project. */
export const insightsApp = (deps: HttpDeps, google: SearchConsole): Pick<ReturnType<typeof groupApp>, 'fetch'> => {
  const operations = groupApp(deps, visibility, search(google))
  const pages = connectPages(deps, google)
  return {
    fetch: (request, env, ctx) =>
      new URL(request.url).pathname.startsWith(CONNECT_PATH)
        ? pages.fetch(request, env, ctx)
        : operations.fetch(request, env, ctx),
  }
}

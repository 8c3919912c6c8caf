import { crawlerOperations } from '../../src/insights/crawlers/operations.ts'
import { crawlersReport } from '../../src/insights/crawlers/report.ts'
import { overviewOperations } from '../../src/insights/overview/operations.ts'
import { readOverview } from '../../src/insights/overview/read.ts'
import { reportOperations } from '../../src/insights/reports/operations.ts'
import { listReports, makeReport } from '../../src/insights/reports/reports.ts'
import { chooseProperty, disconnect, startConnecting } from '../../src/insights/search/connect.ts'
import { CONNECT_PATH } from '../../src/insights/search/connect-page.ts'
import { inspectArticle } from '../../src/insights/search/indexing/inspect.ts'
import { indexingReport } from '../../src/insights/search/indexing/report.ts'
import { searchOperations } from '../../src/insights/search/operations.ts'
import { readConnectionStatus, searchHistory, searchPerformance } from '../../src/insights/search/performance.ts'
import type { SearchConsole } from '../../src/insights/search/port.ts'
import { trafficOperations } from '../../src/insights/traffic/operations.ts'
import { articleTraffic, siteTraffic } from '../../src/insights/traffic/read.ts'
import { bingReport, importBing } from '../../src/insights/visibility/bing/import.ts'
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
  importBing: (ctx, { body }) => importBing(ctx, body),
  bing: (ctx, { query }) => bingReport(ctx, query),
})

const crawlers = routes(crawlerOperations, {
  report: (ctx, { params, query }) => crawlersReport(ctx, params.id, query),
})

const traffic = routes(trafficOperations, {
  site: (ctx, { query }) => siteTraffic(ctx, query),
  article: (ctx, { params, query }) => articleTraffic(ctx, params.id, query),
})

const reports = routes(reportOperations, {
  make: (ctx, { params, body }) => makeReport(ctx, params.id, body),
  list: (ctx, { params }) => listReports(ctx, params.id),
})

const overview = (google: SearchConsole) =>
  routes(overviewOperations, { read: (ctx, { query }) => readOverview(ctx, google, query) })

const search = (google: SearchConsole) =>
  routes(searchOperations, {
    performance: (ctx, { query }) => searchPerformance(ctx, google, query),
    history: (ctx, { query }) => searchHistory(ctx, google, query),
    standing: (ctx, { params }) => readConnectionStatus(ctx, google, params.id),
    indexing: (ctx, { params, query }) => indexingReport(ctx, google, params.id, query),
    inspect: (ctx, { params }) => inspectArticle(ctx, google, params.id),
    connect: (ctx, { params }) => startConnecting(ctx, google, params.id),
    choose: (ctx, { params, body }) => chooseProperty(ctx, google, params.id, body),
    disconnect: (ctx, { params }) => disconnect(ctx, google, params.id),
  })

/** Returns the operations of this Worker, and the pages at which people connect a project. */
export const insightsApp = (deps: HttpDeps, google: SearchConsole): Pick<ReturnType<typeof groupApp>, 'fetch'> => {
  const operations = groupApp(deps, visibility, crawlers, traffic, reports, search(google), overview(google))
  const pages = connectPages(deps, google)
  return {
    fetch: (request, env, ctx) =>
      new URL(request.url).pathname.startsWith(CONNECT_PATH)
        ? pages.fetch(request, env, ctx)
        : operations.fetch(request, env, ctx),
  }
}

import { scanJob } from '../../src/accounts/projects/jobs.ts'
import { verifyJob } from '../../src/content/exchange/jobs.ts'
import { giveUpLooking, verifyLinks } from '../../src/content/exchange/verify.ts'
import { abandonScan, scanSite } from '../../src/content/site/scan.ts'
import { measureChange, measureJob } from '../../src/insights/effects/measure.ts'
import { rekeyJob, rekeyPages } from '../../src/insights/page-keys/rekey.ts'
import { mailReport, reportJob } from '../../src/insights/reports/mail.ts'
import { inspectProject } from '../../src/insights/search/indexing/run.ts'
import { inspectJob, syncJob } from '../../src/insights/search/jobs.ts'
import type { SearchConsole } from '../../src/insights/search/port.ts'
import { syncSearch } from '../../src/insights/search/sync.ts'
import { rewriteJob, weeklyJob } from '../../src/insights/suggestions/jobs.ts'
import { abandonRewrite, type RewriteDeps, rewriteSuggestion } from '../../src/insights/suggestions/rewrite.ts'
import { runWeekly } from '../../src/insights/suggestions/run.ts'
import { askJob, weeklyJob as weeklyScanJob } from '../../src/insights/visibility/jobs.ts'
import type { AnswerEngines } from '../../src/insights/visibility/port.ts'
import { askEngine, stopAsking } from '../../src/insights/visibility/scan/ask.ts'
import { scanWeekly } from '../../src/insights/visibility/scan/start.ts'
import { type Handler, handle } from '../../src/platform/jobs/job.ts'

/** Providers that these jobs use. */
export type InsightDeps = RewriteDeps & {
  google: SearchConsole
  /** Undefined if no provider of AI answers is set. */
  engines: AnswerEngines | undefined
}

/** Returns the jobs that read pages of sites, measure how articles perform, and suggest changes. */
export const insightJobs = ({ google, engines, ...deps }: InsightDeps): Handler[] => [
  handle(rekeyJob, { run: rekeyPages }),
  handle(syncJob, { run: (ctx, progress) => syncSearch(ctx, google, progress) }),
  handle(inspectJob, { run: (ctx, { project_id }) => inspectProject(ctx, google, project_id) }),
  handle(askJob, {
    run: (ctx, asking) => askEngine(ctx, engines, asking),
    gaveUp: (ctx, asking) => stopAsking(ctx, engines, asking),
  }),
  handle(weeklyScanJob, { run: (ctx, { project_id }) => scanWeekly(ctx, project_id) }),
  handle(rewriteJob, {
    run: (ctx, { suggestion_id }) => rewriteSuggestion(ctx, deps, suggestion_id),
    gaveUp: (ctx, { suggestion_id }, reason) => abandonRewrite(ctx, suggestion_id, reason),
  }),
  handle(weeklyJob, { run: (ctx, { project_id }) => runWeekly(ctx, project_id) }),
  handle(reportJob, { run: (ctx, { project_id }) => mailReport(ctx, project_id) }),
  handle(measureJob, { run: (ctx, { change_id }) => measureChange(ctx, change_id) }),
  handle(scanJob, {
    run: (ctx, progress) => scanSite(ctx, progress),
    gaveUp: (ctx, { project_id }, reason) => abandonScan(ctx, project_id, reason),
  }),
  handle(verifyJob, { run: verifyLinks, gaveUp: giveUpLooking }),
]

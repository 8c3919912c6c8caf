import { enqueueDuePushes } from '../../src/accounts/events/jobs.ts'
import { enqueueNotices, nextNotice } from '../../src/accounts/notices/send.ts'
import { forgetGrants } from '../../src/accounts/oauth/store.ts'
import { forgetRevisions } from '../../src/content/articles/forget.ts'
import { readOldLinks } from '../../src/content/articles/links.ts'
import { expireReservations } from '../../src/content/exchange/commit.ts'
import { enqueuePictureLooks } from '../../src/content/media/forget.ts'
import { enqueueDueSiteScans } from '../../src/content/site/progress.ts'
import { claimArticlesToWrite, nextToWrite } from '../../src/content/writing/claim.ts'
import { enqueueDueEffects } from '../../src/insights/effects/measure.ts'
import { enqueueRekeys } from '../../src/insights/page-keys/rekey.ts'
import { enqueueDueReports } from '../../src/insights/reports/mail.ts'
import { enqueueDueInspections, enqueueDueSyncs } from '../../src/insights/search/jobs.ts'
import { enqueueWeeklyRuns } from '../../src/insights/suggestions/jobs.ts'
import { enqueueDueScans, wakeStrandedScans } from '../../src/insights/visibility/jobs.ts'
import { fillUpCredits } from '../../src/platform/accounts/plans.ts'
import { rowsOf } from '../../src/platform/db/client.ts'
import { retentionSteps, type Sweeps } from '../../src/platform/db/retention.ts'
import { enqueueModels } from '../../src/platform/jobs/models.ts'
import { workload } from '../../src/platform/jobs/outbox.ts'
import { offerRows, type Queue } from '../../src/platform/jobs/queue.ts'
import { readRest, saveRest } from '../../src/platform/jobs/rest.ts'
import type { Deps } from '../../src/platform/runtime/ctx.ts'
import { errorFields } from '../../src/platform/runtime/log.ts'
import { nextDueByPolicy, nextDueDate } from '../../src/publishing/due.ts'
import { forgetAttempts, forgetTexts } from '../../src/publishing/forget.ts'
import { claimDueArticles, wakeStranded } from '../../src/publishing/send/clock.ts'
import { enqueueDueTraffic } from '../../src/publishing/traffic.ts'

const CLEAN_UP_MINUTE = 17
/** Hour (UTC) whose clean-up also looks at the models. */
const MODELS_HOUR = 6
const MAX_BATCHES = 10

/** Functions for what ends in more than one table. */
const SWEEPS: Sweeps = {
  grants: forgetGrants,
  revisions: forgetRevisions,
  texts: forgetTexts,
  attempts: forgetAttempts,
  pictures: enqueuePictureLooks,
}

type Step = { name: string; run: () => Promise<Record<string, unknown>> }

/** Offers every outbox row that no run is working on, in a limited number of batches. */
const sweep = async (deps: Deps, queue: Queue): Promise<number> => {
  let offered = 0
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const rows = await offerRows(deps, queue)
    offered += rows
    if (rows === 0) break
  }
  return offered
}

/** Returns the minute's steps. The sweep is first, so that no other step can delay waiting work. */
const stepsAt = (deps: Deps, queue: Queue, at: Date): Step[] => [
  { name: 'sweep', run: async () => ({ offered: await sweep(deps, queue) }) },
  { name: 'due', run: () => claimDueArticles(deps) },
  {
    name: 'writing',
    run: async () => {
      const { taken, unpaid } = await claimArticlesToWrite(deps)
      return { to_write: taken, without_credit: unpaid }
    },
  },
  { name: 'credits', run: async () => ({ filled: await fillUpCredits(deps) }) },
  { name: 'stranded', run: async () => ({ woken: await wakeStranded(deps) }) },
  { name: 'suggestions', run: async () => ({ weekly_runs: await enqueueWeeklyRuns(deps) }) },
  { name: 'search', run: async () => ({ search_syncs: await enqueueDueSyncs(deps) }) },
  { name: 'inspections', run: async () => ({ inspections: await enqueueDueInspections(deps) }) },
  { name: 'traffic', run: async () => ({ sites_to_count: await enqueueDueTraffic(deps) }) },
  { name: 'page_keys', run: async () => ({ rekeyed_projects: await enqueueRekeys(deps) }) },
  { name: 'links', run: async () => ({ read_links: await readOldLinks(deps) }) },
  { name: 'sites', run: async () => ({ site_scans: await enqueueDueSiteScans(deps) }) },
  { name: 'reports', run: async () => ({ reports_to_mail: await enqueueDueReports(deps) }) },
  { name: 'effects', run: async () => ({ effects_due: await enqueueDueEffects(deps) }) },
  {
    name: 'visibility',
    run: async () => ({ weekly_scans: await enqueueDueScans(deps), woken_scans: await wakeStrandedScans(deps) }),
  },
  { name: 'notices', run: async () => ({ notices: await enqueueNotices(deps) }) },
  { name: 'events', run: async () => ({ event_pushes: await enqueueDuePushes(deps) }) },
  ...(at.getUTCMinutes() === CLEAN_UP_MINUTE && at.getUTCHours() === MODELS_HOUR
    ? [{ name: 'models', run: async () => ({ looks_at_models: await enqueueModels(deps) }) }]
    : []),
  { name: 'new_work', run: async () => ({ offered_new: await sweep(deps, queue) }) },
  ...(at.getUTCMinutes() === CLEAN_UP_MINUTE
    ? [
        { name: 'reservations', run: async () => ({ expired_reservations: await expireReservations(deps) }) },
        ...retentionSteps(deps, SWEEPS).map(({ name, run }) => ({ name, run: async () => ({ [name]: await run() }) })),
      ]
    : []),
  {
    name: 'workload',
    run: async () => ({ ...(await rowsOf<{ dead: number; overdue_s: number }>(deps.db, workload(deps.now())))[0] }),
  },
]

/**
 * Does the minute's work. It rests while nothing changed and nothing is due, at most an hour. If a step failed, throws
 * at the end.
 */
export const everyMinute = async (deps: Deps, queue: Queue, at: Date): Promise<void> => {
  const rest = await readRest(deps)
  if (rest.isResting && at.getUTCMinutes() !== CLEAN_UP_MINUTE) return deps.log('info', 'cron.rested', {})
  const found: Record<string, unknown> = {}
  const failed: string[] = []
  for (const step of stepsAt(deps, queue, at)) {
    try {
      Object.assign(found, await step.run())
    } catch (error) {
      failed.push(step.name)
      deps.log('error', 'cron.step_failed', { step: step.name, ...errorFields(error) })
    }
  }
  deps.log('info', 'cron.minute', { ...found, failed: failed.join(', ') })
  // If Redis did not answer, it may have missed changes too, so the next minute does not rest.
  if (rest.mark === undefined) await deps.noteChange()
  if (failed.length === 0)
    await saveRest(deps, rest, (now) => [nextDueDate(now), nextDueByPolicy(now), ...nextToWrite(now), ...nextNotice()])
  if (failed.length > 0) throw new Error(`the minute's steps failed: ${failed.join(', ')}`)
}

const TIMEOUT_MS = 5_000

/**
 * Calls an outside address after a minute's work succeeded. So its monitor can report when the calls stop.
 *
 * A failed minute does not call it. If the address does not answer, only a log line is written.
 */
export const sendHeartbeat = async ({ outbound, log }: Pick<Deps, 'outbound' | 'log'>, url: string): Promise<void> => {
  if (url === '') return
  const answer = await outbound({ url, method: 'GET', timeoutMs: TIMEOUT_MS, maxBytes: 1_024 })
  if (answer.kind === 'answered' && answer.status < 400) return
  const status = answer.kind === 'answered' ? answer.status : undefined
  log('warn', 'cron.heartbeat_failed', { outcome: answer.kind, status })
}

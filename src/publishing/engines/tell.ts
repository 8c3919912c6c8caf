import type { JobResult } from '../../platform/jobs/job.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { lookForKey } from './key-file.ts'
import type { EngineAnswer, IndexNow } from './port.ts'
import {
  type EngineHost,
  type EngineProject,
  engineHostsOf,
  engineProject,
  type WantedReport,
  wantedReports,
} from './queries.ts'
import { covers, isGone, isOverdue, isRefused, originOf, pauseMs, readyAt, verdictOf } from './rules.ts'
import { dropReports, keepAnswer, keepHost } from './writes.ts'

/** Most origins in one run. Those of a project that has more follow with its next change. */
const MOST_ORIGINS = 5
/** Most removed pages that one run looks at, and how many at once. */
const [MOST_GONE, AT_ONCE] = [20, 5]
/** Time after which a removed page that is still shown is looked at again, ms. */
const LOOK_AGAIN_MS = 600_000
const TIMEOUT_MS = 10_000
/** The page is not read, only its status. */
const MAX_BYTES = 1_024

const UNAUDITED = { unaudited: 'the article shows what the search engines answered' }

/** Asks a removed page for its status. True if it is no longer at its address. */
const isRemoved = async ({ outbound }: Ctx, url: string): Promise<boolean> => {
  const answer = await outbound({ url, method: 'GET', signs: true, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  return answer.kind === 'answered' && isGone(answer.status)
}

/** Returns the removed pages of some that readers no longer get. The others are not reported: the engines would find them. */
const removedOf = async (ctx: Ctx, reports: readonly WantedReport[]): Promise<WantedReport[]> => {
  const removed: WantedReport[] = []
  const some = reports.slice(0, MOST_GONE)
  for (let from = 0; from < some.length; from += AT_ONCE) {
    const group = some.slice(from, from + AT_ONCE)
    const gone = await Promise.all(group.map(({ url }) => isRemoved(ctx, url)))
    removed.push(...group.filter((_, n) => gone[n]))
  }
  return removed
}

/** Returns a host after the engines' answer. */
const hostAfter = (host: EngineHost, answer: EngineAnswer, now: Date, scale: number): EngineHost => {
  if (answer.kind === 'no_answer') return host
  const verdict = verdictOf(answer.status)
  if (verdict === 'told') return { ...host, refusals: 0, pausedUntil: null }
  if (verdict !== 'key' && verdict !== 'later') return host
  const refusals = verdict === 'key' ? host.refusals + 1 : host.refusals
  return {
    ...host,
    refusals,
    pausedUntil: new Date(now.getTime() + pauseMs(refusals, answer.retryAfterS) / scale),
    problem: verdict === 'key' ? `The search engines refused the key (${answer.status}).` : host.problem,
  }
}

type Telling = { ctx: Ctx; targets: TargetFactory; indexNow: IndexNow }

/** Result of the reports to one origin: whether to try again soon, and when the rest is due. */
type Told = { isAway: boolean; nextAt: Date | undefined }

/** Reports the addresses of one origin, if the key file is there. */
const tellOrigin = async (
  { ctx, targets, indexNow }: Telling,
  project: EngineProject,
  origin: string,
  known: EngineHost | undefined,
  reports: readonly WantedReport[],
): Promise<Told> => {
  const { retryTimeScale: scale } = ctx.settings
  if (known && isRefused(known.refusals)) return { isAway: false, nextAt: undefined }
  if (known?.pausedUntil && known.pausedUntil > ctx.now()) return { isAway: false, nextAt: known.pausedUntil }
  const host = await lookForKey(ctx, targets, project, origin, known)
  const covered = reports.filter(({ url }) => covers(host.location, url))
  if (host.verifiedAt === null || covered.length === 0) {
    await ctx.batch({ host: keepHost(host) }, UNAUDITED)
    return { isAway: false, nextAt: undefined }
  }
  const urls = covered.map(({ url }) => url)
  const wantedBy = new Date(Math.max(...covered.map(({ wantedAt }) => wantedAt.getTime())))
  const answer = await indexNow.submit({
    host: new URL(origin).host,
    key: project.key,
    keyLocation: host.location,
    urls,
  })
  await ctx.step('told')
  const now = ctx.now()
  const verdict = answer.kind === 'answered' ? verdictOf(answer.status) : 'away'
  const after = hostAfter(host, answer, now, scale)
  await ctx.batch(
    {
      host: keepHost(after),
      reports:
        answer.kind === 'answered' &&
        (verdict === 'told' || verdict === 'never') &&
        keepAnswer(ctx.db, { projectId: project.id, urls, wantedBy, now }, answer.status),
    },
    UNAUDITED,
  )
  return {
    isAway: verdict === 'away',
    nextAt: isRefused(after.refusals) ? undefined : (after.pausedUntil ?? undefined),
  }
}

const earliest = (times: readonly (Date | undefined)[]): Date | undefined =>
  times.filter((time) => time !== undefined).sort((a, b) => a.getTime() - b.getTime())[0]

/**
 * Tells search engines about the changed pages of a project, by IndexNow.
 *
 * Nothing is sent before the key file was read at the host of the pages. A removed page is reported once it no longer answers. An
 * address is reported once in ten minutes.
 */
export const tellEngines = async (
  ctx: Ctx,
  targets: TargetFactory,
  indexNow: IndexNow,
  projectId: number,
): Promise<JobResult> => {
  const {
    found: [project],
    hosts,
    wanted,
  } = await ctx.read(() => ({
    found: engineProject(ctx.db, projectId),
    hosts: engineHostsOf(ctx.db, projectId),
    wanted: wantedReports(ctx.db, projectId),
  }))
  if (!project?.tells || project.status !== 'Active') return { kind: 'done' }
  const { retryTimeScale: scale } = ctx.settings
  const now = ctx.now()
  const ready = wanted.filter((report) => readyAt(report, scale) <= now)
  const later = wanted.filter((report) => readyAt(report, scale) > now)
  const gone = ready.filter((report) => report.isGone)
  const removed = await removedOf(ctx, gone)
  const shown = gone.filter((report) => !removed.includes(report))
  const overdue = shown.filter((report) => isOverdue(report, now))
  if (overdue.length > 0) {
    const urls = overdue.map(({ url }) => url)
    await ctx.batch({ dropped: dropReports(ctx.db, { projectId, urls, wantedBy: now, now }) }, UNAUDITED)
  }
  const byOrigin = Map.groupBy([...ready.filter((report) => !report.isGone), ...removed], ({ url }) => originOf(url))
  const told: Told[] = []
  const lastLook = (origin: string | undefined) => hosts.find((host) => host.origin === origin)?.lookedAt.getTime() ?? 0
  const origins = [...byOrigin].sort(([one], [other]) => lastLook(one) - lastLook(other)).slice(0, MOST_ORIGINS)
  for (const [origin, reports] of origins) {
    if (origin === undefined) continue
    const known = hosts.find((host) => host.origin === origin)
    told.push(await tellOrigin({ ctx, targets, indexNow }, project, origin, known, reports))
  }
  if (told.some(({ isAway }) => isAway)) return { kind: 'again', reason: 'the search engines did not answer' }
  const at = earliest([
    ...told.map(({ nextAt }) => nextAt),
    ...later.map((report) => readyAt(report, scale)),
    shown.length > overdue.length ? new Date(now.getTime() + LOOK_AGAIN_MS / scale) : undefined,
  ])
  return at ? { kind: 'later', at } : { kind: 'done' }
}

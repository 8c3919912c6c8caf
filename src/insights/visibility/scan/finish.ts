import { ENGINES, type GapReason } from '../../../../schema/values/visibility.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { type CountedAnswer, countScan, type ScanTotals } from '../counts.ts'
import { endScan } from './answer-statements.ts'
import { withAnswered } from './model-rules.ts'
import { answersOfScan, scanToAsk } from './queries.ts'

/** The reason that kept most questions from being asked. */
const mainReason = ({ engines }: ScanTotals): GapReason => {
  const counts = new Map<GapReason, number>()
  for (const { reasons } of engines)
    for (const [reason, n] of Object.entries(reasons) as [GapReason, number][])
      counts.set(reason, (counts.get(reason) ?? 0) + n)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'internal'
}

/**
 * Ends a scan once no question of it is open: counts its answers and keeps what they add up to. One without a single answer
 * has failed; nothing is concluded from it.
 */
export const finishScan = async (ctx: Ctx, scanId: number, sandbox: boolean): Promise<void> => {
  const [[scan], rows] = await ctx.read(() => [scanToAsk(ctx.db, scanId), answersOfScan(ctx.db, scanId)])
  if (scan?.state !== 'running' || rows.some(({ state }) => state === 'open')) return
  const totals = countScan(rows as CountedAnswer[], scan.competitors)
  const error = totals.answers === 0 ? mainReason(totals) : null
  await ctx.step('scan:counted')
  await ctx.write(endScan(scanId, totals, withAnswered(scan.models, rows), error, sandbox, ctx.now()))
  ctx.log('info', 'visibility.scanned', {
    scan_id: scanId,
    answers: totals.answers,
    gaps: totals.gaps,
    cost_usd: totals.costUsd,
    engines: ENGINES.length,
  })
}

/**
 * Share of searchers who click the result at positions 1 to 10, of four million results (Backlinko, "Here's what we learned about
 * organic click through rate", 2022).
 */
const PUBLISHED = [0.276, 0.158, 0.11, 0.084, 0.063, 0.049, 0.039, 0.033, 0.027, 0.024] as const
const BEYOND = 0.01
const MAX_POSITION = 10
/** So many impressions at a position make the project's own share tell more than the published one. */
const ENOUGH = 1_000

type Row = { impressions: number; clicks: number; position: number | null }

/** The share of impressions that become clicks, by position. */
export type CtrCurve = (position: number) => number

const published: CtrCurve = (position) => PUBLISHED[Math.max(1, Math.round(position)) - 1] ?? BEYOND

/**
 * The curve of a project: its own share of clicks where it has a thousand impressions at a position, else the published one.
 * A position further down never counts for more than the one above it.
 */
export const ctrCurve = (rows: readonly Row[]): CtrCurve => {
  const seen = new Map<number, { clicks: number; impressions: number }>()
  for (const { clicks, impressions, position } of rows) {
    if (position === null) continue
    const place = Math.max(1, Math.round(position))
    if (place > MAX_POSITION) continue
    const sum = seen.get(place) ?? { clicks: 0, impressions: 0 }
    seen.set(place, { clicks: sum.clicks + clicks, impressions: sum.impressions + impressions })
  }
  const own: number[] = []
  for (let place = 1; place <= MAX_POSITION; place += 1) {
    const sum = seen.get(place)
    const share = sum && sum.impressions >= ENOUGH ? sum.clicks / sum.impressions : published(place)
    own.push(Math.min(share, own.at(-1) ?? 1))
  }
  return (position) => own[Math.max(1, Math.round(position)) - 1] ?? Math.min(BEYOND, own.at(-1) ?? BEYOND)
}

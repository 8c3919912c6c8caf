import { createCaller } from './caller.ts'
import { lists, type Probe, sweeps } from './probes.ts'
import type { Findings, Line } from './report.ts'
import { sized } from './sizes.ts'
import { openStage, type Stage } from './stage.ts'
import { growthAt, median, ms, quantile } from './statistics.ts'
import { seedWorld, type World } from './world.ts'

const GOAL = 1.3
/** Below this, a time is mostly the round trip. Then the pages that the statement reads are compared. */
const TOO_QUICK_MS = 5
const SMALL = 1_000
const LARGE = sized(1_000_000, 1_000)
/** The embedded database would take an hour for a million. */
const LARGE_EMBEDDED = sized(100_000, 1_000)
const SMALL_DELIVERIES = sized(1_000, 100)
const LARGE_DELIVERIES = sized(100_000, 100)
const SAMPLES = sized(400, 2)
/** Of so many the p95 of both sides is compared. */
const BLOCK = sized(20, 1)
const WARM_UP = sized(15, 1)
/** A slow query is not repeated four hundred times. */
const MAX_MS = sized(12_000, 50)
const MIN_SAMPLES = 2 * BLOCK

type Side = { stage: Stage; world: World; call: ReturnType<typeof createCaller> }

const open = async (articles: number, deliveries: number, isAlone = false): Promise<Side> => {
  const stage = await openStage()
  const world = await seedWorld(stage.sql, articles, deliveries, isAlone)
  return { stage, world, call: createCaller(stage.url) }
}

type Samples = { small: number[]; large: number[] }

/** Measures in turns, so that other work of the machine affects both sides. */
const inTurns = async (small: () => Promise<number>, large: () => Promise<number>): Promise<Samples> => {
  const samples: Samples = { small: [], large: [] }
  const startedAt = performance.now()
  for (let n = 0; n < WARM_UP + SAMPLES; n += 1) {
    if (samples.small.length >= MIN_SAMPLES && performance.now() - startedAt > MAX_MS) break
    const [a, b] = n % 2 === 0 ? [await small(), await large()] : [await large(), await small()].reverse()
    if (n < WARM_UP) continue
    samples.small.push(a ?? Number.NaN)
    samples.large.push(b ?? Number.NaN)
  }
  return samples
}

type Plan = { executionMs: number; buffers: number; plan: string[] }

const timesOf = ({ small, large }: Samples): string =>
  `p95 ${ms(quantile(small, 0.95))} → ${ms(quantile(large, 0.95))}, median ${ms(median(small))} → ${ms(median(large))}`

const growthOf = ({ small, large }: Samples): number => growthAt(0.95, small, large, BLOCK)

const sweepLine = (name: string, samples: Samples): Line => ({
  part: 'growth',
  name,
  kind: 'ratio',
  value: growthOf(samples),
  unit: '×',
  goal: { max: GOAL },
  note: timesOf(samples),
})

/**
 * Returns the line of a list: by time, or by the pages that the statement reads if the time is too short. Searches
 * always by time.
 */
const listLine = ({ name, most, grows }: Probe, samples: Samples, before: Plan, after: Plan): Line => {
  const byBuffers = most === undefined && median(samples.large) < TOO_QUICK_MS
  return {
    part: 'growth',
    name,
    kind: 'ratio',
    value: byBuffers ? after.buffers / before.buffers : growthOf(samples),
    unit: byBuffers ? '× pages' : '×',
    ...(grows ? {} : { goal: { max: most ?? GOAL } }),
    note: `${timesOf(samples)}; in the database ${ms(before.executionMs)} → ${ms(after.executionMs)}, ${before.buffers} → ${after.buffers} pages${grows ? `; ${grows}` : ''}`,
  }
}

/** Returns pages read by a plan, from memory or disk: its first line of buffers counts those of all steps. */
const buffersOf = (plan: readonly string[]): number => {
  const line = plan.find((one) => one.includes('Buffers: shared')) ?? ''
  return [...line.matchAll(/ (?:hit|read)=(\d+)/g)].reduce((sum, [, pages]) => sum + Number(pages), 0)
}

/** Returns the statement's own time and plan, without the way there and back. */
const explain = async (side: Side, probe: Probe): Promise<Plan> => {
  const { sql, params } = probe.statement(side.stage, side.world)
  const rows = await side.stage.sql<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${sql}`, params)
  const plan = rows.map((row) => row['QUERY PLAN'])
  const executionMs = Number(/Execution Time: ([\d.]+)/.exec(plan.at(-1) ?? '')?.[1])
  return { executionMs, buffers: buffersOf(plan), plan }
}

const measureList = async (small: Side, large: Side, probe: Probe) => {
  const shown = new Map<Side, number>()
  const one = async (side: Side): Promise<number> => {
    const { text, ms: took } = await side.call.call('GET', probe.path(side.world), side.world.nextKey())
    const { length } = probe.rows(JSON.parse(text) as Record<string, unknown>)
    if (length === 0 && !probe.mayBeEmpty) throw new Error(`${probe.name} found nothing, so it measures nothing`)
    shown.set(side, length)
    return took
  }
  const samples = await inTurns(
    () => one(small),
    () => one(large),
  )
  if (shown.get(small) !== shown.get(large))
    throw new Error(
      `${probe.name} shows ${shown.get(small)} rows and ${shown.get(large)}, which are not to be compared`,
    )
  const [before, after] = [await explain(small, probe), await explain(large, probe)]
  return { line: listLine(probe, samples, before, after), details: { small: before, large: after } }
}

type Pair = { small: Side; large: Side }

const closing = async <T>(sides: readonly Side[], work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } finally {
    for (const { call } of sides) call.close()
    for (const { stage } of sides) await stage.close()
  }
}

const listLines = async ({ small, large }: Pair, suffix = ''): Promise<Pick<Findings, 'lines' | 'details'>> => {
  const lines: Line[] = []
  const details: Record<string, unknown> = {}
  for (const probe of lists) {
    const { line, details: plans } = await measureList(small, large, probe)
    lines.push({ ...line, name: `${line.name}${suffix}` })
    details[`${probe.name}${suffix}`] = plans
  }
  return { lines, details }
}

const sweepLines = async ({ small, large }: Pair): Promise<Line[]> => {
  const lines: Line[] = []
  for (const sweep of sweeps) {
    const samples = await inTurns(
      () => sweep.run(small.stage.sql, small.world),
      () => sweep.run(large.stage.sql, large.world),
    )
    lines.push(sweepLine(sweep.name, samples))
  }
  return lines
}

/**
 * Lists and sweeps of one account with a thousand articles and with a million, each in a database of its own; then the
 * lists of the only project of a database.
 */
export const growth = async (): Promise<Findings> => {
  const small = await open(SMALL, SMALL_DELIVERIES)
  const embedded = small.stage.neon.backend === 'pglite'
  const count = embedded ? LARGE_EMBEDDED : LARGE
  const large = await open(count, LARGE_DELIVERIES)
  const among = await closing([small, large], async () => {
    const found = await listLines({ small, large })
    return { ...found, lines: [...found.lines, ...(await sweepLines({ small, large }))] }
  })
  const few = await open(SMALL, SMALL_DELIVERIES, true)
  const many = await open(LARGE_EMBEDDED, LARGE_DELIVERIES, true)
  const alone = await closing([few, many], () => listLines({ small: few, large: many }, ' of the only project'))
  const shown = (number: number): string => number.toLocaleString('en-US')
  const note = `growth: ${shown(SMALL)} → ${shown(count)} articles of one account${embedded ? ' (embedded database)' : ''}, ${shown(SMALL_DELIVERIES)} → ${shown(LARGE_DELIVERIES)} deliveries and done outbox rows; 500 other accounts have 10 articles each, and the tables were analysed. The only project: ${shown(SMALL)} → ${shown(LARGE_EMBEDDED)} articles.`
  return { lines: [...among.lines, ...alone.lines], notes: [note], details: { ...among.details, ...alone.details } }
}

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { care } from './care.ts'
import { cost } from './cost.ts'
import { due } from './due.ts'
import { exchange } from './exchange.ts'
import { growth } from './growth.ts'
import { machineFacts } from './machine.ts'
import { memory } from './memory.ts'
import type { Options, Part } from './options.ts'
import { price } from './price.ts'
import { type Findings, table, verdictOf, writeJson } from './report.ts'
import { saving } from './saving.ts'
import { seo } from './seo.ts'
import { databaseFacts, openStage } from './stage.ts'
import { waits } from './waits.ts'
import { weight } from './weight.ts'

const PARTS: Record<Part, () => Promise<Findings>> = {
  waits,
  cost,
  saving,
  due,
  memory,
  growth,
  exchange,
  care,
  seo,
  weight,
  price,
}

const say = (text: string) => process.stdout.write(`${text}\n`)

const isInstalled = (): boolean =>
  existsSync('/usr/lib/postgresql') &&
  readdirSync('/usr/lib/postgresql').some((version) => existsSync(`/usr/lib/postgresql/${version}/bin/postgres`)) &&
  existsSync('/usr/bin/redis-server')

/** Runs the same command with its own PostgreSQL and Redis; undefined if they are not installed. */
const withServices = (argv: readonly string[]): number | undefined => {
  if (process.env.DATABASE_URL || process.env.REDIS_URL || !isInstalled()) return undefined
  const script = join(ROOT, 'scripts/services.sh')
  const child = spawnSync(script, [process.execPath, join(import.meta.dirname, 'main.ts'), ...argv], {
    stdio: 'inherit',
  })
  return child.status ?? 1
}

const facts = async () => {
  const stage = await openStage()
  try {
    const redis = process.env.REDIS_URL ? 'Redis (real)' : 'Redis (embedded)'
    return { ...machineFacts(), database: await databaseFacts(stage), redis, at: new Date().toISOString() }
  } finally {
    await stage.close()
  }
}

const withoutGoals = ({ lines, ...rest }: Findings): Findings => ({
  ...rest,
  lines: lines.map(({ goal: _, ...line }) => line),
})

/** Measures the parts, and prints and keeps the results of each when it ends. Returns the exit code. */
export const run = async ({ names, check, smoke }: Options, argv: readonly string[]): Promise<number> => {
  const elsewhere = withServices(argv)
  if (elsewhere !== undefined) return elsewhere
  const measuredOn = await facts()
  say(
    Object.entries(measuredOn)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
  )
  const found: Record<string, Findings> = {}
  const failed: string[] = []
  for (const name of names) {
    const startedAt = performance.now()
    try {
      const findings = await PARTS[name]()
      found[name] = smoke ? withoutGoals(findings) : findings
      say(`\n${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n${table(found[name].lines)}`)
      for (const note of findings.notes) say(`\n${note}`)
      if (!smoke) writeJson(join(ROOT, '.galley/bench.json'), measuredOn, found)
    } catch (error) {
      failed.push(name)
      say(`\n${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
  }
  const lines = Object.values(found).flatMap((part) => part.lines)
  const missed = lines.filter((line) => verdictOf(line) === 'MISS')
  if (missed.length > 0) say(`\nMissed:\n${table(missed)}`)
  if (failed.length > 0) say(`\nFailed: ${failed.join(', ')}`)
  return failed.length > 0 || (check && missed.some(({ kind }) => kind === 'ratio')) ? 1 : 0
}

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { readArguments } from '../../scripts/arguments.ts'
import { cost } from './cost.ts'
import { due } from './due.ts'
import { exchange } from './exchange.ts'
import { growth } from './growth.ts'
import { machineFacts } from './machine.ts'
import { memory } from './memory.ts'
import { price } from './price.ts'
import { type Findings, table, verdictOf, writeJson } from './report.ts'
import { saving } from './saving.ts'
import { seo } from './seo.ts'
import { databaseFacts, openStage } from './stage.ts'
import { waits } from './waits.ts'
import { weight } from './weight.ts'

const PARTS: Record<string, () => Promise<Findings>> = {
  waits,
  cost,
  saving,
  due,
  memory,
  growth,
  exchange,
  seo,
  weight,
  price,
}

const USAGE = `Measures the service on this machine.

  --only waits,cost,saving,due,memory,growth,exchange,seo,weight,price   measures these parts only
  --check                                                                ends with 1 when a ratio misses its goal

With DATABASE_URL and REDIS_URL set, PostgreSQL and Redis behind them are used (in databases of their own); without, those
of this machine where they are installed, else the embedded ones. Everything measured is also kept in .galley/bench.json.
`

const readOptions = (argv: string[]) => {
  const { values } = readArguments('npm run bench --', {
    args: argv,
    options: { only: { type: 'string' }, check: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    process.exit(0)
  }
  const names = values.only?.split(',').map((name) => name.trim()) ?? Object.keys(PARTS)
  const unknown = names.filter((name) => !(name in PARTS))
  if (unknown.length > 0)
    throw new Error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}`)
  return { names, check: values.check ?? false }
}

const say = (text: string) => process.stdout.write(`${text}\n`)

const isInstalled = (): boolean =>
  existsSync('/usr/lib/postgresql') &&
  readdirSync('/usr/lib/postgresql').some((version) => existsSync(`/usr/lib/postgresql/${version}/bin/postgres`)) &&
  existsSync('/usr/bin/redis-server')

/** Runs this same command with PostgreSQL and Redis of its own beside it; undefined where they are not installed. */
const withServices = (argv: readonly string[]): number | undefined => {
  if (process.env.DATABASE_URL || process.env.REDIS_URL || !isInstalled()) return undefined
  const script = join(ROOT, 'scripts/services.sh')
  const child = spawnSync(script, [process.execPath, import.meta.filename, ...argv], { stdio: 'inherit' })
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

const run = async (argv: string[]): Promise<number> => {
  const { names, check } = readOptions(argv)
  const elsewhere = withServices(argv)
  if (elsewhere !== undefined) return elsewhere
  const measuredOn = await facts()
  say(
    `${Object.entries(measuredOn)
      .map(([name, value]) => `${name} ${value}`)
      .join('; ')}\n`,
  )
  const found: Record<string, Findings> = {}
  for (const name of names) {
    const startedAt = performance.now()
    const part = PARTS[name]
    if (part) found[name] = await part()
    say(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  }
  const lines = Object.values(found).flatMap((part) => part.lines)
  say(`\n${table(lines)}`)
  for (const note of Object.values(found).flatMap((part) => part.notes)) say(`\n${note}`)
  writeJson(join(ROOT, '.galley/bench.json'), measuredOn, found)
  return check && lines.some((line) => line.kind === 'ratio' && verdictOf(line) === 'MISS') ? 1 : 0
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
}

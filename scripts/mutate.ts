import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../local/root.ts'
import { readArguments } from './arguments.ts'
import { MODULES } from './mutate/modules.ts'

const USAGE = `Changes the pure modules in one place at a time (Stryker) and reports changes that no test notices.

  npm run mutate                        every module
  npm run mutate -- src/platform/lib/urls.ts …   these modules
  --list                                lists the modules and their tests

The tests must notice 85 % of the changes in the code they run. docs/design/mutation.md explains those that survive.
`

const GOAL_PERCENT = 85

type Report = { files: Record<string, { mutants: { status: string }[] }> }

type Score = { killed: number; survived: number; uncovered: number; percent: number }

/** Counts a module's mutants: killed (a test failed or timed out), survived, and uncovered. */
const scoreOf = (report: Report, file: string): Score => {
  const statuses = report.files[file]?.mutants.map(({ status }) => status) ?? []
  const count = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length
  const [killed, survived] = [count('Killed', 'Timeout'), count('Survived')]
  const percent = killed + survived === 0 ? 0 : (100 * killed) / (killed + survived)
  return { killed, survived, uncovered: count('NoCoverage'), percent }
}

/** Mutates one module under its own tests. Throws if Stryker itself fails. */
const mutate = (file: string, tests: readonly string[]): Score => {
  const { status } = spawnSync(
    join(ROOT, 'node_modules/.bin/stryker'),
    ['run', 'config/stryker.config.json', '--mutate', file],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, MUTATION_TESTS: tests.join(','), DO_NOT_TRACK: '1' },
    },
  )
  if (status !== 0) throw new Error(`Stryker failed on ${file}.`)
  return scoreOf(JSON.parse(readFileSync(join(ROOT, '.galley/mutation.json'), 'utf8')) as Report, file)
}

const line = (file: string, { killed, survived, uncovered, percent }: Score): string =>
  `${file.padEnd(32)} ${percent.toFixed(1).padStart(5)} %  ${killed} noticed, ${survived} not, ${uncovered} not covered`

const main = (): void => {
  const { values, positionals } = readArguments('npm run mutate --', {
    allowPositionals: true,
    options: { list: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) return void process.stdout.write(USAGE)
  const unknown = positionals.find((file) => !(file in MODULES))
  if (unknown) throw new Error(`${unknown} is not among the modules: npm run mutate -- --list`)
  const chosen = Object.entries(MODULES).filter(([file]) => positionals.length === 0 || positionals.includes(file))
  if (values.list) {
    for (const [file, tests] of chosen) process.stdout.write(`${file}: ${tests.join(', ')}\n`)
    return
  }
  const scores = chosen.map(([file, tests]) => [file, mutate(file, tests)] as const)
  process.stdout.write(`\n${scores.map(([file, score]) => line(file, score)).join('\n')}\n`)
  const low = scores.filter(([, { percent }]) => percent < GOAL_PERCENT)
  if (low.length > 0) throw new Error(`Below ${GOAL_PERCENT} %: ${low.map(([file]) => file).join(', ')}`)
}

try {
  main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from '../local/root.ts'
import { readArguments } from './arguments.ts'
import { testFiles } from './test-files.ts'

const USAGE = `Runs the tests repeatedly, in random groups, and reports tests that fail sometimes.

  npm run test:repeat                   the whole suite fifty times
  npm run test:repeat -- test/platform/http …    files whose path contains one of the words
  --times N                             rounds (50)
  --files N                             test files in a group (16)
  --minutes N                           starts no group after this time
  --report                              reports the results of earlier runs

Every group adds a line to .galley/repeat.jsonl. Delete the file to start again.
`

const FOLDER = join(ROOT, '.galley')
const LOG = join(FOLDER, 'repeat.jsonl')
const SUMMARY = join(FOLDER, 'repeat-piece.json')

type Failure = { file: string; test: string; message: string }
type Piece = { at: string; files: string[]; tests: number; failures: Failure[] }
type Assertion = { fullName: string; status: string; failureMessages?: string[] }
type Summary = {
  numTotalTests: number
  testResults: { name: string; status: string; message?: string; assertionResults: Assertion[] }[]
}

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)

const failuresIn = ({ testResults }: Summary): Failure[] =>
  testResults.flatMap(({ name, status, message = '', assertionResults }) => {
    const file = relative(ROOT, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [{ file, test: '(the file)', message }]
    return failed.map(({ fullName, failureMessages }) => ({
      file,
      test: fullName,
      message: failureMessages?.join('\n') ?? '',
    }))
  })

/** Runs some test files once. Returns the failures. */
const runPiece = (files: string[]): Piece => {
  rmSync(SUMMARY, { force: true })
  const { stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin/vitest'), ['run', ...files], {
    cwd: ROOT,
    env: { ...process.env, TEST_SUMMARY: SUMMARY },
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  const at = new Date().toISOString()
  const summary = existsSync(SUMMARY) ? (JSON.parse(readFileSync(SUMMARY, 'utf8')) as Summary) : undefined
  if (!summary || summary.numTotalTests === 0) {
    const message = `${stdout}${stderr}`.slice(-4_000)
    return { at, files, tests: 0, failures: [{ file: '', test: '(the run)', message }] }
  }
  // The summary does not have the causes of errors, but the output does.
  const causes = [...`${stdout}${stderr}`.matchAll(/Caused by:.*/g)].map(([line]) => line)
  const failures = failuresIn(summary).map((one) => ({ ...one, message: [one.message, ...causes].join('\n') }))
  return { at, files, tests: summary.numTotalTests, failures }
}

const piecesSoFar = (): Piece[] =>
  existsSync(LOG)
    ? readFileSync(LOG, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Piece)
    : []

/** Returns a report: each failed test, its failures and runs, and the beginning of the last failure. */
const report = (pieces: readonly Piece[]): string => {
  const runs = Map.groupBy(
    pieces.flatMap(({ files }) => files),
    (file) => file,
  )
  const failures = Map.groupBy(
    pieces.flatMap((piece) => piece.failures),
    ({ file, test }) => `${file}: ${test}`,
  )
  const counts = [...runs.values()].map((list) => list.length)
  const lines = [...failures].map(([name, list]) => {
    const last = list.at(-1)
    const of = runs.get(last?.file ?? '')?.length ?? pieces.length
    return `${list.length} of ${of}  ${name}\n    ${last?.message.slice(0, 400).replaceAll('\n', '\n    ')}`
  })
  const tests = pieces.reduce((sum, piece) => sum + piece.tests, 0)
  return [
    `${pieces.length} pieces, ${tests} tests; each file ${Math.min(...counts)} to ${Math.max(...counts)} times.`,
    lines.length === 0 ? 'Nothing failed.' : `${lines.length} failed:`,
    ...lines,
    '',
  ].join('\n')
}

const main = (): void => {
  const { values, positionals } = readArguments('npm run test:repeat --', {
    allowPositionals: true,
    options: {
      times: { type: 'string', default: '50' },
      files: { type: 'string', default: '16' },
      minutes: { type: 'string', default: 'Infinity' },
      report: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return void process.stdout.write(USAGE)
  mkdirSync(FOLDER, { recursive: true })
  const size = Number(values.files)
  const until = Date.now() + Number(values.minutes) * 60_000
  const files = testFiles(ROOT).filter(
    (file) => positionals.length === 0 || positionals.some((word) => file.includes(word)),
  )
  for (let round = 1; !values.report && round <= Number(values.times); round += 1) {
    const order = shuffled(files)
    for (let first = 0; first < order.length && Date.now() < until; first += size) {
      const piece = runPiece(order.slice(first, first + size))
      appendFileSync(LOG, `${JSON.stringify(piece)}\n`)
      process.stdout.write(`round ${round}: ${piece.tests} tests, ${piece.failures.length} failed\n`)
      for (const { file, test } of piece.failures) process.stdout.write(`  ${file}: ${test}\n`)
    }
  }
  const pieces = piecesSoFar()
  process.stdout.write(pieces.length === 0 ? 'Nothing was run.\n' : report(pieces))
  process.exitCode = pieces.some(({ failures }) => failures.length > 0) ? 1 : 0
}

main()

import { readFileSync } from 'node:fs'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { filesForServices, SERVICES, testFiles } from './scripts/test-files.ts'
import { PATIENCE_MS } from './test/support/patience.ts'
import { Sequencer } from './test/support/sequencer.ts'

type Suite = NonNullable<TestProjectInlineConfiguration['test']>

const { MUTATION_TESTS = '', TEST_SUMMARY, TESTS } = process.env

const minutes = (count: number): number => count * 60_000

/** Limits for a machine that is busy: a test of speed sets its own. */
const patient: Suite = {
  testTimeout: minutes(2),
  hookTimeout: minutes(2),
  expect: { poll: { timeout: PATIENCE_MS } },
}

/** Starts one local cloud, which the tests of the suite share. */
const globalSetup = ['test/support/global.ts']

/** Replaces the module that only the Workers' runtime has. */
const alias = { 'cloudflare:workers': new URL('test/support/cloudflare-workers.ts', import.meta.url).pathname }

const all = testFiles('.')
// TESTS=services leaves out files that have no test for `npm run test:services`.
const files = TESTS === SERVICES ? filesForServices('.', all) : all
const usesStack = (file: string): boolean => readFileSync(file, 'utf8').includes("inject('stack')")

const quick: Suite = {
  ...patient,
  alias,
  // A test that fails now and then leaves only its message in the log, so the message is not cut early.
  chaiConfig: { truncateThreshold: 1_000 },
  // Test files share the modules a worker has loaded: loading them again for each took longer than most files do.
  isolate: false,
  // A test file mostly waits for an answer, a late service or a clock, so four of them keep two cores busy. More load the same modules once more each.
  maxWorkers: 4,
  server: { deps: { inline: ['@cloudflare/workers-oauth-provider'] } },
}

const words = process.argv.slice(3).filter((word) => !word.startsWith('-'))
const named = words.length > 0 && words.every((word) => files.includes(word)) ? words : files

/** The suite of `npm test`. Its stack starts unless the command line names only files that do without one. */
const TEST: Suite[] = [
  { ...quick, name: 'test', include: files, globalSetup: named.some(usesStack) ? globalSetup : [] },
]

const long: Suite = {
  ...patient,
  // The proofs of the adapters make hundreds of publications here instead of a few.
  env: { LONG: '1' },
  testTimeout: minutes(14),
}

/** For proofs that measure time, or let it run faster: nothing runs beside them. */
const byThemselves: Suite = { maxWorkers: 1, sequence: { groupOrder: 1 } }
const measured = ['test/long/{flood,weekly}.test.ts']

/** The adapters' proofs that a publication is made once whatever goes wrong at the CMS. */
const adapters = [
  'test/providers/{gohighlevel,cms/!(webhook|wordpress)}/*.test.ts',
  'test/providers/cms/wordpress/faults.test.ts',
]

/** Suites of `npm run test:long`, on DATABASE_URL and REDIS_URL if they are set. Each starts its own stack, except the last. */
const LONG: Suite[] = [
  {
    ...long,
    name: 'long',
    include: ['test/long/**/*.test.ts', 'test/**/{crash,memory,start,to-markdown}.test.ts', ...adapters],
    exclude: measured,
  },
  { ...long, ...byThemselves, name: 'long-measured', include: measured },
  {
    ...long,
    ...byThemselves,
    name: 'long-copies',
    // Faults, and races of their own, with four copies of every Worker on one database.
    env: { ...long.env, COPIES: '4' },
    include: ['test/copies/**/*.test.ts', 'test/faults/{away,queue,rest}.test.ts'],
  },
  { ...long, name: 'long-stack', include: ['test/contract/fuzz.test.ts'], globalSetup },
]

const oneByOne: Suite = { ...patient, fileParallelism: false }

/** Suites with a command each: `npm run test:docs`, `test:mcp` (clients), `test:cms` and so on. */
const OTHERS: Suite[] = [
  {
    ...oneByOne,
    alias,
    name: 'docs',
    include: ['test/docs/**/*.test.ts'],
    globalSetup,
    sequence: { concurrent: false },
  },
  { ...oneByOne, name: 'clients', include: ['test/clients/**/*.test.ts'], testTimeout: minutes(5) },
  { ...oneByOne, name: 'pages', include: ['test/pages/**/*.test.ts'], testTimeout: minutes(3) },
  { ...oneByOne, name: 'browser', include: ['test/browser/**/*.test.ts'], hookTimeout: minutes(3) },
  { ...oneByOne, name: 'cms', include: ['test/cms/**/*.test.ts'] },
  { ...oneByOne, name: 'bluesky', include: ['test/bluesky/**/*.test.ts'] },
]

/** The pure tests that judge a module changed by `npm run mutate`. */
const MUTATION: Suite[] = [{ name: 'mutation', include: MUTATION_TESTS.split(','), testTimeout: 10_000 }]

/** A file may be in several suites, so the others take part only in a run that names its projects. */
const suites = (): Suite[] => {
  if (MUTATION_TESTS !== '') return MUTATION
  return process.argv.some((argument) => argument.startsWith('--project')) ? [...TEST, ...LONG, ...OTHERS] : TEST
}

export default defineConfig({
  test: {
    maxWorkers: 3,
    sequence: { sequencer: Sequencer },
    tags: [{ name: SERVICES, description: 'Runs on PostgreSQL and Redis too: its outcome depends on them.' }],
    reporters: TEST_SUMMARY ? ['default', ['json', { outputFile: TEST_SUMMARY }]] : ['default'],
    projects: suites().map((test) => ({ test })),
  },
})

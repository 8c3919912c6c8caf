import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { filesForServices, SERVICES, testFiles } from './scripts/test-files.ts'
import { PATIENCE_MS } from './test/support/patience.ts'
import { Sequencer } from './test/support/sequencer.ts'

const summary = process.env.TEST_SUMMARY

const all = testFiles('.')
// TESTS=services leaves out files that have no test for `npm run test:services`.
const files = process.env.TESTS === SERVICES ? filesForServices('.', all) : all
const usesStack = (file: string): boolean => readFileSync(file, 'utf8').includes("inject('stack')")

const shared = {
  // Generous, for machines that are busy: what has to be quick says so itself.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: PATIENCE_MS } },
  // A test that fails now and then leaves only its message in the log: it names what was found.
  chaiConfig: { truncateThreshold: 1_000 },
  // Test files share the modules a worker has loaded: loading them again for each took longer than most files do.
  isolate: false,
  // A module that only the Workers' runtime has.
  alias: { 'cloudflare:workers': new URL('test/support/cloudflare-workers.ts', import.meta.url).pathname },
  server: { deps: { inline: ['@cloudflare/workers-oauth-provider'] } },
}

export default defineConfig({
  test: {
    maxWorkers: 3,
    sequence: { sequencer: Sequencer },
    tags: [{ name: SERVICES, description: 'Runs on PostgreSQL and Redis too: its outcome depends on them.' }],
    reporters: summary ? ['default', ['json', { outputFile: summary }]] : ['default'],
    projects: [
      // Tests over HTTP share one running stack; it is started only where one of them runs.
      {
        test: {
          ...shared,
          name: 'stack',
          include: files.filter(usesStack),
          globalSetup: ['test/support/global.ts'],
        },
      },
      { test: { ...shared, name: 'alone', include: files.filter((file) => !usesStack(file)) } },
    ],
  },
})

import { defineConfig } from 'vitest/config'
import { PATIENCE_MS } from './test/support/patience.ts'

const summary = process.env.TEST_SUMMARY

const shared = {
  // The proofs of the adapters make hundreds of publications here instead of a few.
  env: { LONG: '1' },
  testTimeout: 840_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: PATIENCE_MS } },
  maxWorkers: 2,
}

/** For proofs that measure time, or let it run faster: nothing runs beside them. */
const byThemselves = { maxWorkers: 1, sequence: { groupOrder: 1 } }
const alone = ['test/long/{flood,weekly}.test.ts']

/** The adapters' proofs that a publication is made once whatever goes wrong at the CMS. */
const adapters = [
  'test/providers/{framer,ghost,gohighlevel,notion,shopify,webflow,wix}/*.test.ts',
  'test/providers/wordpress/faults.test.ts',
]

/** The long proofs, on DATABASE_URL and REDIS_URL where they are set. Each starts its own stack, but for the last. */
export default defineConfig({
  test: {
    reporters: summary ? ['default', ['json', { outputFile: summary }]] : ['default'],
    projects: [
      {
        test: {
          ...shared,
          name: 'long',
          include: [
            'test/long/**/*.test.ts',
            'test/{faults,site,visibility}/crash.test.ts',
            'test/html/to-markdown.test.ts',
            'test/media/memory.test.ts',
            'test/scripts/start.test.ts',
            ...adapters,
          ],
          exclude: alone,
        },
      },
      { test: { ...shared, name: 'alone', include: alone, ...byThemselves } },
      {
        test: {
          ...shared,
          name: 'copies',
          // Faults, and races of their own, with four copies of every Worker on one database.
          env: { ...shared.env, COPIES: '4' },
          ...byThemselves,
          include: ['test/copies/**/*.test.ts', 'test/faults/{away,queue,rest}.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'stack',
          include: ['test/contract/fuzz.test.ts'],
          globalSetup: ['test/support/global.ts'],
        },
      },
    ],
  },
})

import { defineConfig } from 'vitest/config'

const summary = process.env.TEST_SUMMARY

/** The long proofs: each starts its own stack, on DATABASE_URL and REDIS_URL where they are set. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts', 'test/providers/**/*.test.ts'],
    // The proofs of the adapters take a thousand publications here instead of a few.
    env: { LONG: '1' },
    testTimeout: 420_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    reporters: summary ? ['default', ['json', { outputFile: summary }]] : ['default'],
  },
})

import { defineConfig } from 'vitest/config'

const summary = process.env.TEST_SUMMARY

/** The long proofs: each starts its own stack, on DATABASE_URL and REDIS_URL where they are set. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    testTimeout: 420_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    reporters: summary ? ['default', ['json', { outputFile: summary }]] : ['default'],
  },
})

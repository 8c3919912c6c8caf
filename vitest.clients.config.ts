import { defineConfig } from 'vitest/config'

const summary = process.env.TEST_SUMMARY

/** Clients of others against the service (npm run test:mcp). */
export default defineConfig({
  test: {
    include: ['test/clients/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    reporters: summary ? ['default', ['json', { outputFile: summary }]] : ['default'],
  },
})

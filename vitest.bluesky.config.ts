import { defineConfig } from 'vitest/config'

const summary = process.env.TEST_SUMMARY

/** Tests against the real reference server of Bluesky (npm run test:bluesky). */
export default defineConfig({
  test: {
    include: ['test/bluesky/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: summary ? ['default', ['json', { outputFile: summary }]] : ['default'],
  },
})

import { defineConfig } from 'vitest/config'

const summary = process.env.TEST_SUMMARY

/** Pages for people in a real browser (npm run test:pages). */
export default defineConfig({
  test: {
    include: ['test/pages/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    reporters: summary ? ['default', ['json', { outputFile: summary }]] : ['default'],
  },
})

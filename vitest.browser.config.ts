import { defineConfig } from 'vitest/config'

const summary = process.env.TEST_SUMMARY

/** Tests in a real browser (npm run test:browser). */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    fileParallelism: false,
    reporters: summary ? ['default', ['json', { outputFile: summary }]] : ['default'],
  },
})

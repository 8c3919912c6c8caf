import { defineConfig } from 'vitest/config'

const summary = process.env.TEST_SUMMARY

/** Tests against real CMSs (npm run test:cms): one after the other, for each CMS is one site. */
export default defineConfig({
  test: {
    include: ['test/cms/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    reporters: summary ? ['default', ['json', { outputFile: summary }]] : ['default'],
  },
})

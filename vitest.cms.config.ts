import { defineConfig } from 'vitest/config'

/** Tests against real CMSs (npm run test:cms): one after the other, for each CMS is one site. */
export default defineConfig({
  test: {
    include: ['test/cms/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
})

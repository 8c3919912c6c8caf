import { defineConfig } from 'vitest/config'

const summary = process.env.TEST_SUMMARY

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**', 'test/bench/**', 'test/cms/**', 'node_modules/**'],
    globalSetup: ['test/support/global.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    // Test files share the modules a worker has loaded: loading them anew for each took longer than most files do.
    isolate: false,
    reporters: summary ? ['default', ['json', { outputFile: summary }]] : ['default'],
  },
})

import { defineConfig } from 'vitest/config'
import { PATIENCE_MS } from './test/support/patience.ts'

const summary = process.env.TEST_SUMMARY

/** What the documents say, done (npm run test:docs). */
export default defineConfig({
  test: {
    include: ['test/docs/**/*.test.ts', 'test/publishing/webhook-page.test.ts'],
    globalSetup: ['test/support/global.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    fileParallelism: false,
    sequence: { concurrent: false },
    alias: { 'cloudflare:workers': new URL('test/support/cloudflare-workers.ts', import.meta.url).pathname },
    reporters: summary ? ['default', ['json', { outputFile: summary }]] : ['default'],
  },
})

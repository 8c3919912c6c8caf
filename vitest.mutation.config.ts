import { defineConfig } from 'vitest/config'

/** The tests a mutated module is judged by: pure ones, named by `npm run mutate`. */
export default defineConfig({
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(',').filter((name) => name !== ''),
    testTimeout: 10_000,
  },
})

import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect } from 'vitest'

/** Reports a failure at once, and how to repeat it. If the run is ended early, the report would otherwise be lost. */
const tellAndThrow = (error: unknown): never => {
  process.stderr.write(`${inspect(error)}\n`)
  throw error
}

/** Time that a proof spends on random sequences, ms. LONG_MS asks for more: LONG_MS=3600000 runs each for an hour. */
export const SEQUENCES_MS = Number(process.env.LONG_MS ?? 60_000)

/** The seed of this run's sequences; SEED repeats an earlier run. */
export const SEQUENCES_SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31)

/** Slower machines hold fewer in that time; too few sequences prove nothing. */
const LEAST = 10

/** Bounds of a run: a seed of its own, another time, and the most and the fewest sequences. */
type Hold = { seed?: number; limitMs?: number; runs?: number; least?: number }

/**
 * Runs random sequences one after the other until the time is over. Reports a failure at once.
 *
 * SEED repeats a run. SEED with SEQUENCE (the `path` of a failure) continues from that sequence. SHRINK looks for the
 * shortest failure.
 */
export const holdFor = async <T>(
  sequences: fc.Arbitrary<T>,
  run: (sequence: T) => Promise<void>,
  { seed = SEQUENCES_SEED, limitMs = SEQUENCES_MS, runs = 100_000, least = LEAST }: Hold = {},
): Promise<void> => {
  const { SEQUENCE } = process.env
  let ran = 0
  const property = fc.asyncProperty(sequences, async (given) => {
    ran += 1
    await run(given)
  })
  const checked = fc.assert(property, {
    numRuns: runs,
    interruptAfterTimeLimit: limitMs,
    endOnFailure: process.env.SHRINK === undefined,
    seed,
    ...(SEQUENCE === undefined ? {} : { path: SEQUENCE }),
  })
  await checked.catch(tellAndThrow)
  expect(ran).toBeGreaterThanOrEqual(least)
  process.stdout.write(`${ran} sequences held (seed ${seed})\n`)
}

import fc from 'fast-check'
import { expect } from 'vitest'

/**
 * Runs random sequences one after the other until so many held or the time is over. SEED repeats a run, SEED with SEQUENCE (the
 * `path` of a failure) goes on from that one, SHRINK looks for the shortest failure.
 */
export const holdFor = async <T>(
  sequences: fc.Arbitrary<T>,
  limits: { sequences: number; timeMs: number },
  run: (sequence: T) => Promise<void>,
): Promise<void> => {
  const { SEED, SEQUENCE } = process.env
  let ran = 0
  const property = fc.asyncProperty(sequences, async (given) => {
    ran += 1
    await run(given)
  })
  await fc.assert(property, {
    numRuns: limits.sequences,
    interruptAfterTimeLimit: limits.timeMs,
    endOnFailure: process.env.SHRINK === undefined,
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
    ...(SEQUENCE === undefined ? {} : { path: SEQUENCE }),
  })
  // A slow machine ends by the clock; too few sequences prove nothing.
  expect(ran).toBeGreaterThanOrEqual(40)
  process.stdout.write(`${ran} sequences held\n`)
}

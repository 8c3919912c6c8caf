import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect } from 'vitest'

/** Says at once what failed and how to repeat it: a run of all long proofs that is ended before its end would tell nothing. */
const tellAndThrow = (error: unknown): never => {
  process.stderr.write(`${inspect(error)}\n`)
  throw error
}

/**
 * Runs random sequences one after the other until so many held or the time is over. SEED repeats a run, SEED with SEQUENCE (the
 * `path` of a failure) goes on from that one, SHRINK looks for the shortest failure. A failure is told at once, with both.
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
  const checked = fc.assert(property, {
    numRuns: limits.sequences,
    interruptAfterTimeLimit: limits.timeMs,
    endOnFailure: process.env.SHRINK === undefined,
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
    ...(SEQUENCE === undefined ? {} : { path: SEQUENCE }),
  })
  await checked.catch(tellAndThrow)
  // A slow machine ends by the clock; too few sequences prove nothing.
  expect(ran).toBeGreaterThanOrEqual(40)
  process.stdout.write(`${ran} sequences held\n`)
}

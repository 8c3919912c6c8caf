import { setTimeout as sleep } from 'node:timers/promises'

/** A timer of so many ms beside what is measured. */
export type Beside = {
  /** Returns the lateness beyond that of a timer, in ms: a machine that stalls holds up both. */
  behind: (at?: number) => Promise<number>
}

/** Returns the least of what is measured three times, one after the other: a moment in which the machine stood still is in one of them. */
export const leastOf = async (measure: () => Promise<number>): Promise<number> => {
  const measured: number[] = []
  for (let n = 0; n < 3; n += 1) measured.push(await measure())
  return Math.min(...measured)
}

export const startTimer = (ms: number): Beside => {
  const rang = sleep(ms).then(() => performance.now())
  return { behind: async (at = performance.now()) => at - (await rang) }
}

import { setTimeout as sleep } from 'node:timers/promises'

/** Timer that runs beside a measurement. */
export type Beside = {
  /** Returns the lateness beyond that of the timer, in ms. A machine that stalls delays both. */
  behind: (at?: number) => Promise<number>
}

/** Returns the least of three measurements, because a stall of the machine affects only some of them. */
export const leastOf = async (measure: () => Promise<number>): Promise<number> => {
  const measured: number[] = []
  for (let n = 0; n < 3; n += 1) measured.push(await measure())
  return Math.min(...measured)
}

export const startTimer = (ms: number): Beside => {
  const rang = sleep(ms).then(() => performance.now())
  return { behind: async (at = performance.now()) => at - (await rang) }
}

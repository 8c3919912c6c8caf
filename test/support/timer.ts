import { setTimeout as sleep } from 'node:timers/promises'

/** A timer of so many ms beside what is measured. */
export type Beside = {
  /** How much later than the timer something was, in ms: a machine that stalls holds up both. */
  behind: (at?: number) => Promise<number>
}

export const startTimer = (ms: number): Beside => {
  const rang = sleep(ms).then(() => performance.now())
  return { behind: async (at = performance.now()) => at - (await rang) }
}

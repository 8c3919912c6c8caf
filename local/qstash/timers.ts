export type Timers = {
  /** Fires `id` at `at` (epoch ms), at once when that is past; a running timer of the same id is replaced. */
  start: (id: string, at: number) => void
  stop: (id: string) => void
  fireAll: () => void
  size: () => number
  close: () => void
}

// setTimeout takes a signed 32-bit number of ms and fires at once for more.
const longestMs = 2 ** 31 - 1

/** One-shot timers by id on an epoch clock, never early and without setTimeout's limit of 24.8 days. */
export const createTimers = (fire: (id: string) => void, clock: () => number): Timers => {
  const running = new Map<string, NodeJS.Timeout>()

  const stop = (id: string): void => {
    clearTimeout(running.get(id))
    running.delete(id)
  }
  const start = (id: string, at: number): void => {
    stop(id)
    const wake = (): void => {
      running.delete(id)
      if (clock() < at) start(id, at)
      else fire(id)
    }
    running.set(id, setTimeout(wake, Math.min(longestMs, Math.max(0, Math.ceil(at - clock())))))
  }
  const fireAll = (): void => {
    for (const id of [...running.keys()]) {
      stop(id)
      fire(id)
    }
  }
  const close = (): void => {
    for (const id of [...running.keys()]) stop(id)
  }
  return { start, stop, fireAll, size: () => running.size, close }
}

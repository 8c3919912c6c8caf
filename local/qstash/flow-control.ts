import type { FlowControl } from './store.ts'

type Gate = { active: number; periodEndsAt: number; started: number }

export type FlowGates = {
  /** Takes a place for a delivery: 0 when it may start, else the ms until asking again (Infinity: when a place is freed). */
  enter: (flow: FlowControl, now: number) => number
  leave: (key: string) => void
}

/** Parallelism and rate per flow-control key. A period is a wait, so it is divided by `timeScale`. */
export const createFlowGates = (timeScale: number): FlowGates => {
  const gates = new Map<string, Gate>()

  const enter = (flow: FlowControl, now: number): number => {
    const gate = gates.get(flow.key) ?? { active: 0, periodEndsAt: 0, started: 0 }
    gates.set(flow.key, gate)
    if (now >= gate.periodEndsAt) {
      gate.periodEndsAt = now + flow.periodMs / timeScale
      gate.started = 0
    }
    if (flow.parallelism !== undefined && gate.active >= flow.parallelism) return Number.POSITIVE_INFINITY
    if (flow.rate !== undefined && gate.started >= flow.rate) return gate.periodEndsAt - now
    gate.active += 1
    gate.started += 1
    return 0
  }

  const leave = (key: string): void => {
    const gate = gates.get(key)
    if (gate) gate.active -= 1
  }
  return { enter, leave }
}

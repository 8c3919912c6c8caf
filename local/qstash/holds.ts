import type { FaultRule } from '../faults.ts'

export type Holds = {
  /** Holds a message until the rule's `reorder` number has arrived, then releases them all. */
  hold: (id: string, rule: FaultRule) => void
  /** Releases all held messages, even if some are missing. */
  release: () => void
  /** Returns the number of messages that are held or waiting for their turn to leave. */
  size: () => number
}

/**
 * The `reorder` fault: messages are held per rule and released last first.
 *
 * Each runs until its answer before the next one starts. Otherwise the sockets would decide their order at the
 * endpoint. `run` adds nothing to `size`.
 */
export const createHolds = (run: (id: string, rule: FaultRule) => Promise<void>): Holds => {
  const held = new Map<FaultRule, string[]>()
  let leaving = 0

  const letGo = async (ids: string[], rule: FaultRule): Promise<void> => {
    leaving += ids.length
    for (const id of ids.toReversed()) {
      leaving -= 1
      await run(id, rule)
    }
  }
  const releaseRule = (rule: FaultRule): void => {
    const ids = held.get(rule) ?? []
    held.delete(rule)
    void letGo(ids, rule)
  }
  const hold = (id: string, rule: FaultRule): void => {
    const ids = [...(held.get(rule) ?? []), id]
    held.set(rule, ids)
    if (ids.length >= (rule.reorder ?? 1)) releaseRule(rule)
  }
  const release = (): void => {
    for (const rule of [...held.keys()]) releaseRule(rule)
  }
  return { hold, release, size: () => leaving + [...held.values()].flat().length }
}

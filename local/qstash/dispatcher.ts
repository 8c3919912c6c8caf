import type { FaultRule, Faults } from '../faults.ts'
import type { Attempt } from './settle.ts'
import type { Message, Store } from './store.ts'

type Holds = {
  /** Holds a message until the rule's `reorder` number has arrived, then releases them all. */
  hold: (id: string, rule: FaultRule) => void
  /** Releases all held messages, even if some are missing. */
  release: () => void
  /** Returns the number of messages that are held or waiting for their turn to leave. */
  size: () => number
}

/**
 * Returns the `reorder` fault, which holds the messages of each rule and releases the last one first.
 *
 * Each runs until its answer before the next one starts. Otherwise the sockets would decide their order at the
 * endpoint. `run` adds nothing to `size`.
 */
const createHolds = (run: (id: string, rule: FaultRule) => Promise<void>): Holds => {
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

type Timers = {
  /** Fires `id` at `at` (epoch ms), at once when that is past; a running timer of the same id is replaced. */
  start: (id: string, at: number) => void
  stop: (id: string) => void
  fireAll: () => void
  size: () => number
  close: () => void
}

// setTimeout takes a signed 32-bit number of ms and fires at once for more.
const longestMs = 2 ** 31 - 1

/** Creates one-shot timers by id on an epoch clock. They are never early, and have no limit of 24.8 days as setTimeout has. */
const createTimers = (fire: (id: string) => void, clock: () => number): Timers => {
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

export type DispatcherOptions = {
  store: Store
  attempt: Attempt
  faults: Faults
  clock: () => number
  maxParallel: number
}

export type Dispatcher = {
  /** Takes a stored message; it is attempted when due. */
  add: (message: Message) => void
  /** Makes every message that waits for its time due now. */
  fireDelayed: () => void
  /** Releases the messages that a `reorder` fault still holds, last first. */
  releaseHeld: () => void
  /** Resolves when nothing is due and nothing is in flight; incomplete `reorder` holds are released on the way. */
  idle: () => Promise<void>
  isInFlight: (messageId: string) => boolean
  inFlight: () => number
  close: () => void
}

type State = DispatcherOptions & {
  holds: Holds
  /** Waiting for their due time, for the end of a `delay_ms` fault. */
  delayed: Timers
  late: Timers
  ready: Set<string>
  running: Set<string>
  /** The fault drawn for a late message, so that it is not drawn twice. */
  drawn: Map<string, FaultRule>
  waiters: (() => void)[]
  closed: boolean
}

const run = async (state: State, message: Message, rule: FaultRule | undefined): Promise<void> => {
  const id = message.messageId
  state.running.add(id)
  const next = await state.attempt(message, rule).catch((error: unknown) => {
    console.error('qstash: what an attempt came to could not be stored', error)
    return undefined
  })
  state.running.delete(id)
  if (next) add(state, next)
  pump(state)
}

const runHeld = async (state: State, id: string, rule: FaultRule): Promise<void> => {
  const message = state.store.messages.get(id)
  if (message && !state.closed) await run(state, message, rule)
  else pump(state)
}

const begin = (state: State, message: Message): void => {
  const id = message.messageId
  const known = state.drawn.get(id)
  const rule = known ?? state.faults.take(message.url, Buffer.from(message.body, 'base64').toString('utf8'))
  if (rule?.delay_ms !== undefined && !known) {
    state.drawn.set(id, rule)
    state.late.start(id, state.clock() + rule.delay_ms)
    return
  }
  state.drawn.delete(id)
  if (rule?.reorder !== undefined) state.holds.hold(id, rule)
  else void run(state, message, rule)
}

const settleIdle = (state: State): void => {
  const busy = state.running.size + state.late.size() > 0
  if (busy || state.waiters.length === 0) return
  if (state.holds.size() > 0) state.holds.release()
  else for (const done of state.waiters.splice(0)) done()
}

const pump = (state: State): void => {
  if (state.closed) return
  for (const id of state.ready) {
    if (state.running.size >= state.maxParallel) break
    const message = state.store.messages.get(id)
    state.ready.delete(id)
    if (message) begin(state, message)
  }
  settleIdle(state)
}

const makeDue = (state: State, id: string): void => {
  state.ready.add(id)
  pump(state)
}

const add = (state: State, message: Message): void => {
  if (state.closed) return
  if (message.dueAt <= state.clock()) makeDue(state, message.messageId)
  else state.delayed.start(message.messageId, message.dueAt)
}

const close = (state: State): void => {
  state.closed = true
  for (const timers of [state.delayed, state.late]) timers.close()
  for (const done of state.waiters.splice(0)) done()
}

const waitIdle = (state: State): Promise<void> =>
  new Promise((resolve) => {
    state.waiters.push(resolve)
    pump(state)
  })

/** Decides when each message starts, by due times, the parallel limit and delivery faults. */
export const createDispatcher = (options: DispatcherOptions): Dispatcher => {
  const due = (id: string): void => makeDue(state, id)
  const state: State = {
    ...options,
    holds: createHolds((id, rule) => runHeld(state, id, rule)),
    delayed: createTimers(due, options.clock),
    late: createTimers(due, options.clock),
    ready: new Set(),
    running: new Set(),
    drawn: new Map(),
    waiters: [],
    closed: false,
  }
  return {
    add: (message) => add(state, message),
    fireDelayed: state.delayed.fireAll,
    releaseHeld: state.holds.release,
    idle: () => waitIdle(state),
    isInFlight: (id) => state.running.has(id),
    inFlight: () => state.running.size,
    close: () => close(state),
  }
}

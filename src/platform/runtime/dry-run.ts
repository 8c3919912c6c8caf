import { AsyncLocalStorage } from 'node:async_hooks'
import type { SQL } from 'drizzle-orm'

/** A call to another system that a dry run reports instead of making it. */
export type OutsideCall = {
  /** The system: a platform, or the host that is called. */
  to: string
  /** The call: an operation, or method and path. */
  call: string
  payload?: unknown
}

type DryRun = {
  /** Writes of the call so far. Each was rolled back, and is repeated before later queries. */
  writes: SQL[]
  report: (call: OutsideCall) => void
}

const runs = new AsyncLocalStorage<DryRun>()

/** Returns the current dry run; undefined outside of one. */
export const currentDryRun = (): DryRun | undefined => runs.getStore()

/** Runs work as a dry run. Resolves with its result, or with the first call it wants to make to another system. */
export const inDryRun = <T>(work: () => Promise<T>): Promise<{ value: T } | { call: OutsideCall }> =>
  new Promise((resolve, reject) => {
    const dryRun: DryRun = { writes: [], report: (call) => resolve({ call }) }
    runs.run(dryRun, work).then((value) => resolve({ value }), reject)
  })

/** Thrown to end a dry run at a call to another system. `inDryRun` has resolved by then. */
class NotCalled extends Error {}

/** Reports the call and throws in a dry run; otherwise does nothing. Every call to another system starts with this. */
export const guardOutsideCall = (call: () => OutsideCall): void => {
  const dryRun = currentDryRun()
  if (!dryRun) return
  dryRun.report(call())
  throw new NotCalled()
}

/** Returns a function that does the work, except in dry runs. */
export const unlessDryRun = (work: () => Promise<void>) => async (): Promise<void> => {
  if (!currentDryRun()) await work()
}

const SECRET = /pass(word|phrase)?$|secret|token|(^|_|api)key$|authorization|credential|assertion|jwt/i

/** Returns the JSON body of a call with its secrets hidden. Returns no payload for any other body. */
export const shownPayload = (body: unknown): { payload?: unknown } => {
  if (typeof body !== 'string') return {}
  try {
    const hidden = (name: string, value: unknown): unknown => (SECRET.test(name) ? '[hidden]' : value)
    return { payload: JSON.parse(body, hidden) as unknown }
  } catch {
    return {}
  }
}

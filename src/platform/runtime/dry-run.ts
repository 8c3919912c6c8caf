import { AsyncLocalStorage } from 'node:async_hooks'
import type { SQL } from 'drizzle-orm'

/** A call to another system that a dry run reports instead of making it. */
export type OutsideCall = {
  /** The system: a platform, or the host that is called. */
  to: string
  /** Call to the other side: an operation, or method and path. */
  call: string
  payload?: unknown
}

type DryRun = {
  /** The writes of the call so far. Each was undone, and runs again before what follows it. */
  writes: SQL[]
  report: (call: OutsideCall) => void
}

const runs = new AsyncLocalStorage<DryRun>()

/** Returns the dry run that the present work belongs to; undefined if the work is in earnest. */
export const dryRunNow = (): DryRun | undefined => runs.getStore()

/** Runs work as a dry run. Resolves with what it returns, or with the first call to another system that it wants to make. */
export const inDryRun = <T>(work: () => Promise<T>): Promise<{ value: T } | { call: OutsideCall }> =>
  new Promise((resolve, reject) => {
    const dryRun: DryRun = { writes: [], report: (call) => resolve({ call }) }
    runs.run(dryRun, work).then((value) => resolve({ value }), reject)
  })

/** Ends the work of a dry run that wants to call another system. The caller of `inDryRun` has its answer by then. */
class NotCalled extends Error {}

/** Stands before every call to another system. In a dry run it reports the call and throws. */
export const beforeCallingOut = (call: () => OutsideCall): void => {
  const dryRun = dryRunNow()
  if (!dryRun) return
  dryRun.report(call())
  throw new NotCalled()
}

/** Returns work that a dry run leaves out. */
export const unlessDryRun = (work: () => Promise<void>) => async (): Promise<void> => {
  if (!dryRunNow()) await work()
}

const SECRET = /pass(word|phrase)?$|secret|token|(^|_|api)key$|authorization|credential|assertion|jwt/i

/** Returns the JSON body of a call without its secrets; nothing of any other body. */
export const shownPayload = (body: unknown): { payload?: unknown } => {
  if (typeof body !== 'string') return {}
  try {
    const hidden = (name: string, value: unknown): unknown => (SECRET.test(name) ? '[hidden]' : value)
    return { payload: JSON.parse(body, hidden) as unknown }
  } catch {
    return {}
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'

/** What is waited for outside of a Worker. */
type Kind = 'database' | 'redis' | 'queue' | 'outbound'

type Attributes = Record<string, string | number | boolean>
type Span = { setAttribute: (name: string, value: string | number | boolean) => unknown }

/** Runs work as a span of the platform's trace. */
export type Tracer = <T>(name: string, work: (span: Span) => T) => T

type Scope = { id: string; spent: Map<Kind, { times: number; ms: number }> }

const scopes = new AsyncLocalStorage<Scope>()

let trace: Tracer = (_, work) => work({ setAttribute: () => undefined })
let clock = (): number => 0

/** Hands in the platform's tracer and a clock in ms; without them what is waited for is only counted. */
export const traceWith = (tracer: Tracer, now: () => number): void => {
  trace = tracer
  clock = now
}

/** Runs a request's work, so that everything it does knows the request's id and adds up what it waits for. */
export const inRequest = <T>(id: string, work: () => T): T => scopes.run({ id, spent: new Map() }, work)

/** The id of the request at work; undefined outside of one. */
export const requestIdNow = (): string | undefined => scopes.getStore()?.id

/** Header fields that carry the request's id to another Worker. */
export const requestIdHeader = (): Record<string, string> => {
  const id = requestIdNow()
  return id === undefined ? {} : { 'x-request-id': id }
}

/** How often each kind was waited for in this request so far, and for how many milliseconds in all, as fields of a log line. */
export const spentFields = (): Record<string, number> => {
  const fields: Record<string, number> = {}
  for (const [kind, { times, ms }] of scopes.getStore()?.spent ?? [])
    Object.assign(fields, { [kind]: times, [`${kind}_ms`]: ms })
  return fields
}

/** Waits for something outside: a span of the trace, and counted with the request. */
export const waitingFor = <T>(kind: Kind, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  trace(kind, async (span) => {
    for (const [name, value] of Object.entries(attributes)) span.setAttribute(name, value)
    const startedAt = clock()
    try {
      return await work()
    } finally {
      const spent = scopes.getStore()?.spent
      const { times, ms } = spent?.get(kind) ?? { times: 0, ms: 0 }
      spent?.set(kind, { times: times + 1, ms: ms + clock() - startedAt })
    }
  })

/** What `cloudflare:workers` gives a Worker, for tests that load one into this process. */
export const waitUntil = (work: Promise<unknown>): void => void work

type Span = { setAttribute: () => void }

export const tracing = { enterSpan: <T>(_: string, work: (span: Span) => T): T => work({ setAttribute: () => {} }) }

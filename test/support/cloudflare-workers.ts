/** What `cloudflare:workers` gives a Worker, for tests that load one into this process. */
export const waitUntil = (work: Promise<unknown>): void => void work

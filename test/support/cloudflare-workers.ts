/** What `cloudflare:workers` gives a Worker, for tests that load one into this process. */
export const waitUntil = (work: Promise<unknown>): void => void work

/** What a Worker's entry may be a class of; none of ours is. */
export class WorkerEntrypoint {}

/** Replaces `cloudflare:workers` for tests that load a Worker into this process. */
export const waitUntil = (work: Promise<unknown>): void => void work

/** Class that a Worker's entry may extend; none of ours does. */
export class WorkerEntrypoint {}

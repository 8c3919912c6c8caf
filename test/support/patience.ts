/** Time that a test waits for what comes by itself, on a busy machine, before it reports that it did not come. */
export const PATIENCE_MS = 60_000

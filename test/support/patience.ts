/** How long a test waits for what comes by itself, on a machine that is busy with others, before it says that it did not come. */
export const PATIENCE_MS = 60_000

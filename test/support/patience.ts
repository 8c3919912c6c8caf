/** Longest wait of a test for something that should happen by itself on a busy machine. */
export const PATIENCE_MS = 60_000

/** Command line that cannot be run. Exit code 2. */
export class UsageError extends Error {}

/** Returns a sentence about a file that cannot be read, with the system's reason. */
export const unread = (file: string, cause: unknown): string =>
  `${file} cannot be read: ${cause instanceof Error ? cause.message.replace(/,.*/s, '') : String(cause)}.`

/** A command line that cannot be run. Exit code 2. */
export class UsageError extends Error {}

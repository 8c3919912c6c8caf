/** Returns the innermost error, because drizzle's own message has the statement and its parameters. */
const rootOf = (error: unknown): { code?: string; message: string } => {
  let bottom = error
  while (bottom instanceof Error && bottom.cause instanceof Error) bottom = bottom.cause
  const { code, message } = bottom as NodeJS.ErrnoException
  return { ...(code ? { code } : {}), message: message || code || String(bottom) }
}

/** Returns a failure in one sentence for an operator. */
export const reasonOf = (error: unknown): string => {
  const { code, message } = rootOf(error)
  if (code === '42P01' || code === '42703') return `The database is not migrated (${message}). Run: npm run migrate`
  return message
}

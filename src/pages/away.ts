import { databaseFields, isDatabaseAway } from '../platform/db/client.ts'

/** Returns log fields on why the database is unavailable, also from a wrapped error; undefined for any other error. */
export const databaseFailureFields = (error: unknown): ReturnType<typeof databaseFields> | undefined => {
  if (!(error instanceof Error)) return undefined
  return isDatabaseAway(error) ? databaseFields(error) : databaseFailureFields(error.cause)
}

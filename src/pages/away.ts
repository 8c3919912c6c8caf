import { databaseFields, isDatabaseAway } from '../platform/db/client.ts'

/** For the log, why the database did not answer, however often the error was wrapped; undefined where something else failed. */
export const awayFields = (error: unknown): ReturnType<typeof databaseFields> | undefined => {
  if (!(error instanceof Error)) return undefined
  return isDatabaseAway(error) ? databaseFields(error) : awayFields(error.cause)
}

import { ApiError } from '../lib/errors.ts'
import { listOf } from './lists.ts'

/** Result of a look-up by id that ignores ownership. */
export type Found<T> = { row: T; mine: boolean } | undefined

/** Returns the row, if it is the caller's. Throws 404 when it does not exist and 403 when it belongs to another account. */
export const owned = <T>(found: Found<T>, what: string): T => {
  if (!found) throw new ApiError('not_found', `The ${what} does not exist.`, listOf(what))
  if (!found.mine) throw new ApiError('forbidden', `The ${what} belongs to another account.`)
  return found.row
}

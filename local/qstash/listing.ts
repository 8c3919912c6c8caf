import { RequestError } from './wire.ts'

export type Page<T> = { rows: T[]; cursor?: string }

/** Every value of a query parameter, given repeatedly or separated by commas. */
export const queryList = (query: URLSearchParams, name: string): string[] =>
  query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter((value) => value !== '')

const defaultCount = 100
const maxCount = 1_000

/**
 * One page of rows (`count` and `cursor` of the query), with the cursor of the next one if there are more. A cursor is
 * the id of the last row seen, so `isAfter` must order rows as they are listed. Throws a 400 RequestError.
 */
export const pageOf = <T>(
  rows: T[],
  query: URLSearchParams,
  idOf: (row: T) => string,
  isAfter: (id: string, cursor: string) => boolean,
): Page<T> => {
  const count = Number(query.get('count') ?? defaultCount)
  if (!Number.isInteger(count) || count < 1) throw new RequestError(400, `invalid count: "${query.get('count')}"`)
  const cursor = query.get('cursor')
  const left = cursor ? rows.filter((row) => isAfter(idOf(row), cursor)) : rows
  const page = left.slice(0, Math.min(count, maxCount))
  const last = page.at(-1)
  return left.length > page.length && last !== undefined ? { rows: page, cursor: idOf(last) } : { rows: page }
}

import * as z from 'zod/mini'
import { invalidInput } from './errors.ts'
import { intParam } from './fields.ts'

/** Any positive integer, however large: one above a list's maximum is lowered to it. */
export const lengthParam = () =>
  z.pipe(
    z.string().check(
      z.refine((value) => /^0*[1-9]\d*$/.test(value), {
        error: 'must be an integer of at least 1',
        params: { allowed: { min: 1 } },
      }),
    ),
    z.transform((value) => Math.min(Number(value), 2_147_483_647)),
  )

/** Where a list starts and how long it is. `before_id` continues below a row at a cost that does not grow with depth. */
export const pagingParams = () => ({
  limit: z.optional(lengthParam()),
  offset: z.optional(intParam(0)),
  before_id: z.optional(intParam(1)),
})

export type PagingInput = { limit?: number | undefined; offset?: number | undefined; before_id?: number | undefined }

export type Paging = { limit: number; offset: number; beforeId: number | undefined }

const MIXED = 'offset and before_id cannot be used together: go on with one of them'

/**
 * The page asked for, with the default filled in and the limit lowered to the maximum. Throws 400 for one that is to begin
 * at an offset and below a row at once.
 */
export const pagingOf = (input: PagingInput, bounds: { default: number; max: number }): Paging => {
  if (input.offset !== undefined && input.before_id !== undefined)
    throw invalidInput(['offset', 'before_id'].map((field) => ({ field, message: MIXED })))
  return {
    limit: Math.min(input.limit ?? bounds.default, bounds.max),
    offset: input.offset ?? 0,
    beforeId: input.before_id,
  }
}

/**
 * The paging part of a list answer. `rows` were read with one more than the limit, to know whether there is a next page
 * without counting the table; `more` says it where they were not.
 */
export const pageOf = <Row extends { id: number }>(
  rows: Row[],
  paging: Paging,
  more: boolean = rows.length > paging.limit,
) => {
  const shown = rows.slice(0, paging.limit)
  return {
    rows: shown,
    page: {
      count: shown.length,
      limit: paging.limit,
      offset: paging.offset,
      // A page below a row has no offset to go on from.
      next_offset: more && paging.beforeId === undefined ? paging.offset + shown.length : null,
      before_id: more ? (shown.at(-1)?.id ?? null) : null,
    },
  }
}

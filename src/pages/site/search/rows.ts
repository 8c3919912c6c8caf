import { csvLine } from '../../../platform/lib/csv.ts'

/** Figures of a query or a page in Google Search. */
export type SearchRow = {
  clicks: number
  delta_clicks?: number | undefined
  impressions: number
  position: number
  striking_distance: boolean
  is_new?: boolean | undefined
}

const changeOf = ({ delta_clicks: change = 0 }: SearchRow): number => change

/** Orders of a table. The first is the usual one, most clicks first; positions rise. */
const SORTS = {
  clicks: (one: SearchRow, other: SearchRow) => other.clicks - one.clicks,
  change: (one: SearchRow, other: SearchRow) => changeOf(other) - changeOf(one),
  impressions: (one: SearchRow, other: SearchRow) => other.impressions - one.impressions,
  position: (one: SearchRow, other: SearchRow) => one.position - other.position,
} as const

type Sort = keyof typeof SORTS

/** Kinds of rows to which a click limits the tables. */
const KINDS = {
  reach: ({ striking_distance: isWithinReach }: SearchRow) => isWithinReach,
  new: ({ is_new: isNew = false }: SearchRow) => isNew,
} as const

type Kind = keyof typeof KINDS

/** Order, kind and words of the tables, as the address has them. */
export type Chosen = { sort: Sort; only: Kind | ''; q: string }

const oneOf = <T extends string>(names: Record<T, unknown>, given: string | undefined): T | undefined =>
  (Object.keys(names) as T[]).find((name) => name === given)

/** Returns what the address chooses; unknown values are the usual ones. */
export const chosenIn = (sort: string | undefined, only: string | undefined, q: string): Chosen => ({
  sort: oneOf(SORTS, sort) ?? 'clicks',
  only: oneOf(KINDS, only) ?? '',
  q,
})

/** Returns the chosen rows in their order. `nameOf` returns the text that the words are looked for in. */
export const rowsFor = <Row extends SearchRow>(
  rows: readonly Row[],
  { sort, only, q }: Chosen,
  nameOf: (row: Row) => string,
): Row[] =>
  rows
    .filter((row) => only === '' || KINDS[only](row))
    .filter((row) => nameOf(row).toLowerCase().includes(q.toLowerCase()))
    .sort(SORTS[sort])

/** Returns rows as CSV, with a head. */
export const csvOf = <Row extends SearchRow>(
  head: string,
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): string =>
  [
    csvLine([head, 'clicks', 'change', 'impressions', 'position']),
    ...rows.map((row) =>
      csvLine([nameOf(row), row.clicks, row.delta_clicks ?? null, row.impressions, Number(row.position.toFixed(1))]),
    ),
  ].join('')

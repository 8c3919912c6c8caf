import { parse as parseArray } from 'postgres-array'

/** A column of an answer, with PostgreSQL's number of its type. */
export type Field = { name: string; dataTypeID: number }
export type Rows = unknown[][] | Record<string, unknown>[]

type Decode = (text: string) => unknown

const asIs: Decode = (text) => text
const bool: Decode = (text) => text === 't'
const integer: Decode = (text) => Number.parseInt(text, 10)
const json: Decode = (text) => JSON.parse(text)
const listOf =
  (decode: Decode): Decode =>
  (text) =>
    parseArray(text, decode)

/**
 * How a value of a type is read, by the numbers in PostgreSQL's pg_type. Whatever is not here stays text: instants and dates,
 * which their columns read, and numbers that may have more digits than ours.
 */
const DECODERS: Readonly<Record<number, Decode>> = {
  16: bool,
  21: integer,
  23: integer,
  26: integer,
  114: json,
  199: listOf(json),
  700: Number.parseFloat,
  701: Number.parseFloat,
  1000: listOf(bool),
  1005: listOf(integer),
  1007: listOf(integer),
  1009: listOf(asIs),
  1015: listOf(asIs),
  1016: listOf(asIs),
  1021: listOf(Number.parseFloat),
  1022: listOf(Number.parseFloat),
  1028: listOf(integer),
  2951: listOf(asIs),
  3802: json,
  3807: listOf(json),
}

/** Rows of texts as values: each a list, or an object by the columns' names. */
export const decodeRows = (
  fields: readonly Field[],
  rows: readonly (readonly (string | null)[])[],
  asLists: boolean,
): Rows => {
  const decoders = fields.map(({ dataTypeID }) => DECODERS[dataTypeID] ?? asIs)
  const values = (row: readonly (string | null)[]) =>
    row.map((text, n) => (text === null ? null : (decoders[n] ?? asIs)(text)))
  if (asLists) return rows.map(values)
  return rows.map((row) => Object.fromEntries(values(row).map((value, n) => [fields[n]?.name ?? '', value])))
}

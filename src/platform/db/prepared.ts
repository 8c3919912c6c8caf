import type { Db } from './client.ts'

type Values = Record<string, string | number>
type Executable<Row> = { execute: (values: Values) => Promise<Row[]> }

/** A prepared query with its values. It cannot be part of a batch, so it is sent as a request of its own. */
export class PreparedQuery<Row> {
  declare readonly _: { readonly dialect: 'pg'; readonly result: Row[] }
  readonly run: () => Promise<Row[]>

  constructor(run: () => Promise<Row[]>) {
    this.run = run
  }
}

/** Returns a query that drizzle prepares once for each database; `make` ends with drizzle's `.prepare()`. */
export const preparedOnce = <Row>(make: (db: Db) => Executable<Row>) => {
  const made = new WeakMap<Db, Executable<Row>>()
  return (db: Db, values: Values): PreparedQuery<Row> => {
    const query = made.get(db) ?? make(db)
    made.set(db, query)
    return new PreparedQuery(() => query.execute(values))
  }
}

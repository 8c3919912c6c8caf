import { fillPlaceholders, is, Param, Placeholder, QueryPromise, type SQL, sql } from 'drizzle-orm'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import type { Db } from './client.ts'
import { originOf } from './owner.ts'

type Value = string | number
/** Where a value stands in a kept text. */
export type Place = Placeholder
/** A place for each value by its name; an optional one is absent where no value is given, and the query has another text then. */
type Places = Record<string, Place | undefined>
type Given<P extends Places> = { [Name in keyof P]: Value | (undefined extends P[Name] ? undefined : never) }

/** What of drizzle's prepared queries is used here. */
type Prepared = {
  getQuery: () => { sql: string; params: unknown[] }
  mapResult: (result: unknown) => unknown
  isResponseInArrayMode: () => boolean
  execute: (values: Record<string, Value>) => Promise<unknown>
}

type Select<Row> = PromiseLike<Row[]> & { prepare: (name: string) => unknown }

const OWNER = 'owner'

const isPlace = (param: unknown): boolean =>
  is(param, Placeholder) || (is(param, Param) && is(param.value, Placeholder))

/** One use of a kept text: what drizzle sends alone or in a batch. */
class KeptQuery<Row, Shown> extends QueryPromise<Shown[]> implements RunnableQuery<Shown[], 'pg'> {
  declare readonly _: { readonly dialect: 'pg'; readonly result: Shown[] }
  readonly #prepared: Prepared
  readonly #values: Record<string, Value>
  readonly #show: (row: Row) => Shown

  constructor(prepared: Prepared, values: Record<string, Value>, show: (row: Row) => Shown) {
    super()
    this.#prepared = prepared
    this.#values = values
    this.#show = show
  }

  override async execute(): Promise<Shown[]> {
    return ((await this.#prepared.execute(this.#values)) as Row[]).map(this.#show)
  }

  /** Text and values as they are sent. */
  toSQL(): { sql: string; params: unknown[] } {
    const { sql: text, params } = this.#prepared.getQuery()
    return { sql: text, params: fillPlaceholders(params, this.#values) }
  }

  /** As drizzle's batch asks for it. */
  _prepare() {
    const prepared = this.#prepared
    return {
      getQuery: () => this.toSQL(),
      isResponseInArrayMode: () => prepared.isResponseInArrayMode(),
      mapResult: (result: unknown) => (prepared.mapResult(result) as Row[]).map(this.#show),
    }
  }
}

/**
 * A query whose text is made once for each set of values that are given, in place of every time. `show` makes of each row what
 * the query answers; without it that is the row.
 *
 * `make` gets a place for each value and makes the query from these alone. No value of a caller can be kept with the text: a
 * text that holds one throws.
 */
export const keptQuery = <P extends Places, Row, Shown = Row>(
  make: (db: Db, places: P, owner: SQL) => Select<Row>,
  show: (row: Row) => Shown = (row) => row as unknown as Shown,
) => {
  const texts = new WeakMap<Db, Map<string, Prepared>>()

  const prepare = (db: Db, names: readonly string[], owner: SQL): Prepared => {
    const places = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]))
    const prepared = make(db, places as P, owner).prepare('kept') as Prepared
    if (!prepared.getQuery().params.every(isPlace)) throw new Error('the text of a kept query holds a value')
    return prepared
  }

  return (db: Db, values: Given<P>, owner?: SQL) => {
    const origin = owner && originOf(owner)
    if (owner && !origin) throw new Error('the owner of a kept query must be made by ownerFrom')
    const names = Object.keys(values).filter((name) => values[name] !== undefined)
    const key = [origin?.text, ...names].join(' ')
    const kept = texts.get(db) ?? new Map<string, Prepared>()
    if (kept.size === 0) texts.set(db, kept)
    const prepared = kept.get(key) ?? prepare(db, names, origin?.expression(sql.placeholder(OWNER)) ?? sql``)
    kept.set(key, prepared)
    const given = origin ? { ...values, [OWNER]: origin.value } : values
    return new KeptQuery<Row, Shown>(prepared, given as Record<string, Value>, show)
  }
}

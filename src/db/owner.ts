import { type SQL, sql } from 'drizzle-orm'

/** What an expression for an account's id was made from: an expression of the same text for any value, and this one's value. */
type Origin = { text: 'account' | 'key'; value: string | number; expression: (value: unknown) => SQL }

const origins = new WeakMap<SQL, Origin>()

/** An expression for an account's id that remembers what it was made from, so that a kept text can take the value by itself. */
export const ownerFrom = (origin: Origin): SQL => {
  const owner = origin.expression(origin.value)
  origins.set(owner, origin)
  return owner
}

/** What an expression was made from; undefined where it was not made by `ownerFrom`. */
export const originOf = (owner: SQL): Origin | undefined => origins.get(owner)

const byId = (id: unknown): SQL => sql`${id}::int`

/** An account's id as an expression. */
export const ownerOfId = (id: number): SQL => ownerFrom({ text: 'account', value: id, expression: byId })

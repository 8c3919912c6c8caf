import { type SQL, sql } from 'drizzle-orm'
import { RETENTION_RULES, type RetentionRule, type SweepName } from '../../../schema/retention.ts'
import { DAY_MS } from '../lib/time.ts'
import type { Db } from './client.ts'
import { dropInBatches } from './writes.ts'

type Clock = { db: Db; now: () => Date }

/** A rule by which the clock deletes rows. */
export type Sweep = Extract<RetentionRule, { days: number }> & { table: string }

/** Returns the name in the database of a table or column. */
export const named = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Every rule by which the clock deletes rows. */
export const SWEPT: readonly Sweep[] = RETENTION_RULES.flatMap(({ table, rule }) =>
  'days' in rule ? [{ ...rule, table: named(table) }] : [],
)

const column = (name: string): SQL => sql`${sql.identifier(named(name))}`

/**
 * Returns the statement that deletes at most `most` rows by a rule, the oldest first.
 *
 * It reads the first rows of an index, however many rows the table has.
 */
export const sweepOf = ({ table, by, days, order, only, clears }: Sweep, now: Date, most: number): SQL => {
  const name = sql.identifier(table)
  const conditions = [only, clears && `${named(clears)} is not null`].filter((one) => one !== undefined && one !== '')
  const isEligible = sql.raw(conditions.length > 0 ? conditions.join(' and ') : 'true')
  const cutoff = new Date(now.getTime() - days * DAY_MS).toISOString()
  const oldest = sql`select ctid from ${name} where ${isEligible} order by ${column(order ?? by)} limit ${most}::int`
  // The conditions are repeated, because a row may have changed since it was found.
  const where = sql`where ctid = any(array(${oldest})) and ${column(by)} < ${cutoff}::timestamptz and ${isEligible}`
  return clears === undefined
    ? sql`delete from ${name} ${where}`
    : sql`update ${name} set ${column(clears)} = null ${where}`
}

/** Deletes the rows of a rule that are too old, in batches. Returns how many. */
export const sweep = ({ db, now }: Clock, rule: Sweep): Promise<number> =>
  dropInBatches(async (most) => (await db.execute(sweepOf(rule, now(), most))).rowCount ?? 0)

/** Functions for what a plain statement cannot delete. */
export type Sweeps = Readonly<Record<SweepName, (deps: Clock) => Promise<number>>>

/** Returns one step for each rule: its name, and the call that deletes what is too old. */
export const retentionSteps = (deps: Clock, sweeps: Sweeps) =>
  SWEPT.map((rule) => ({
    name: `forget_${rule.table}${rule.clears === undefined ? '' : `_${named(rule.clears)}`}`,
    run: () => (rule.sweep === undefined ? sweep(deps, rule) : sweeps[rule.sweep](deps)),
  }))

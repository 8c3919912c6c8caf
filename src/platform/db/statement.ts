import { type Column, type SQL, sql } from 'drizzle-orm'
import { type AnyPart, type Part, partsIn } from './part.ts'

/** Parts of a statement; what is undefined or false is left out. */
export type Parts = readonly (AnyPart | Parts | undefined | false)[]

/** True if a statement says who did what, or why it need not. */
type Trail = { audit: Part | readonly Part[]; unaudited?: never } | { unaudited: string; audit?: never }

type Answer = Record<string, SQL | Column>

/** A writing statement: named parts, run as one, and the row it answers with. */
export type Write<A extends Answer> = Trail & {
  parts: Parts
  /** Columns of the answer, made from the parts' columns: a row for each row of the parts that are named. */
  answer: A
  /** The answer's rows, if they are not simply the rows of all parts it names: what follows `from`. */
  answerFrom?: SQL
  answerWhere?: SQL
  answerOrder?: SQL
}

const flat = (parts: Parts): AnyPart[] =>
  parts.flatMap((part): AnyPart[] => {
    if (!part) return []
    return Array.isArray(part) ? flat(part as Parts) : [part as AnyPart]
  })

const checkReferences = (piece: SQL, known: ReadonlySet<AnyPart>, where: string): void => {
  for (const part of partsIn(piece))
    if (!known.has(part)) throw new Error(`${where} refers to the part "${part.name}", which does not stand before it`)
}

const commonTables = (parts: readonly AnyPart[]): SQL => {
  const known = new Set<AnyPart>()
  const names = new Set<string>()
  const tables: SQL[] = []
  for (const part of parts) {
    if (names.has(part.name)) throw new Error(`two parts of a statement are named "${part.name}"`)
    checkReferences(part.body, known, `the part "${part.name}"`)
    names.add(part.name)
    known.add(part)
    tables.push(sql`${sql.identifier(part.name)} as ${sql.raw(part.materialized ? 'materialized ' : '')}(${part.body})`)
  }
  return sql.join(tables, sql`,\n`)
}

const answerOf = <A extends Answer>(write: Write<A>, parts: readonly AnyPart[]): SQL => {
  const columns = Object.entries(write.answer).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`)
  const list = sql.join(columns, sql`, `)
  const sources = [...partsIn(list)].map((part) => part.rows)
  const rows = write.answerFrom ?? (sources.length === 0 ? undefined : sql.join(sources, sql`, `))
  const answer = sql.join(
    [
      sql`select ${list}`,
      rows && sql`from ${rows}`,
      write.answerWhere && sql`where ${write.answerWhere}`,
      write.answerOrder && sql`order by ${write.answerOrder}`,
    ].filter((piece) => piece !== undefined),
    sql` `,
  )
  checkReferences(answer, new Set(parts), 'the answer')
  return answer
}

/** Returns the number of rows of a part, for an answer of one row: `answerFrom: ONE_ROW`. */
export const countOf = (part: AnyPart): SQL => sql`(select count(*)::int from ${part.rows})`
export const ONE_ROW: SQL = sql`(select 1) as one_row`

/**
 * Joins parts into one statement. Its effects happen together or not at all; each part sees the tables as they were before
 * the statement, and of the others only what they return.
 *
 * Throws when two parts have one name, or a part refers to one that does not stand before it.
 */
export const statement = <A extends Answer>(write: Write<A>): SQL => {
  const trail = write.audit === undefined ? [] : [write.audit].flat()
  const parts = flat([write.parts, trail])
  return sql`with ${commonTables(parts)}\n${answerOf(write, parts)}`
}

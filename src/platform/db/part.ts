import { Name, SQL, StringChunk, sql } from 'drizzle-orm'

/** A part's name in the text of a statement, so that the composer sees what refers to what. */
class PartName extends Name {
  readonly part: AnyPart

  constructor(part: AnyPart) {
    super(part.name)
    this.part = part
  }
}

/** Columns of a part by name, for use in other parts. */
type Columns<Names extends string> = { readonly [Name in Names]: SQL }

/**
 * One named part of a statement (a CTE): rows it reads or writes, and the columns other parts may use.
 * `writes` names the table it changes; undefined for a part that only reads.
 */
export type Part<Names extends string = string> = {
  readonly name: string
  readonly body: SQL
  readonly writes: string | undefined
  readonly materialized: boolean
  /** The part as a row source: `from ${part.rows}`. */
  readonly rows: SQL
  /** A column of the part: `${part.c.id}`. */
  readonly c: Columns<Names>
  /** True if the part has any row, as a condition. */
  readonly hasRows: SQL
}

export type AnyPart = Part<never> | Part

type Made<Names extends string> = {
  name: string
  body: SQL
  columns: readonly Names[]
  writes?: string
  materialized?: boolean
}

const DOT = new StringChunk('.')

/** Makes a part from its name, its SQL and the names of its columns. */
export const partOf = <Names extends string>(made: Made<Names>): Part<Names> => {
  const c: Record<string, SQL> = {}
  const part = {
    name: made.name,
    body: made.body,
    writes: made.writes,
    materialized: made.materialized ?? false,
    c: c as Columns<Names>,
  } as { -readonly [Key in keyof Part<Names>]: Part<Names>[Key] }
  const name = new PartName(part)
  part.rows = sql.fromList([name])
  part.hasRows = sql`exists (select 1 from ${part.rows})`
  for (const column of made.columns) c[column] = sql.fromList([name, DOT, sql.identifier(column)])
  return part
}

/** The parts a piece of SQL refers to, in the order they are named. */
export const partsIn = (piece: SQL, found: Set<AnyPart> = new Set()): Set<AnyPart> => {
  for (const chunk of piece.queryChunks as unknown[]) {
    if (chunk instanceof PartName) found.add(chunk.part)
    else if (chunk instanceof SQL) partsIn(chunk, found)
    else if (Array.isArray(chunk)) for (const one of chunk) if (one instanceof SQL) partsIn(one, found)
  }
  return found
}

import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { withinTransaction } from '../../local/database.ts'
import { type Migration, readMigrations } from '../../local/migrations.ts'

type SqlFault = { message: string; position?: string; hint?: string }

const SHOWN = 200

/** Returns the text around the position that PostgreSQL names, counted from 1. */
const around = (statement: string, position: number): string =>
  statement.slice(Math.max(0, position - 1 - SHOWN / 4), position - 1 + SHOWN)

const faultText = (tag: string, number: number, statement: string, { message, position, hint }: SqlFault): string => {
  const at = position === undefined ? statement.slice(0, SHOWN) : around(statement, Number(position))
  return `${tag}, statement ${number}${position === undefined ? '' : `, character ${position}`}: ${message}${hint ? ` ${hint}` : ''}\n  ${at.trim()}`
}

/**
 * Applies the migrations to an empty embedded database. Returns the first failure with its migration, statement and
 * position; '' if all apply.
 */
export const migrationFault = async (migrations: readonly Migration[] = readMigrations()): Promise<string> => {
  const db = await PGlite.create({ extensions: { btree_gin, pg_trgm } })
  try {
    for (const { tag, statements } of migrations)
      for (const [n, statement] of statements.entries())
        try {
          await db.exec(withinTransaction(statement))
        } catch (error) {
          return faultText(tag, n + 1, statement, error as SqlFault)
        }
    return ''
  } finally {
    await db.close()
  }
}

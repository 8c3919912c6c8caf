import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { ROOT } from '../../local/root.ts'

const files = readdirSync(join(ROOT, 'schema')).filter((name) => name.endsWith('.ts'))
const modules = await Promise.all(files.map((name) => import(join(ROOT, 'schema', name)) as Promise<object>))

/** Every table of the schema. */
export const TABLES: readonly PgTable[] = [
  ...new Set(modules.flatMap((one) => Object.values(one)).filter((one): one is PgTable => is(one, PgTable))),
]

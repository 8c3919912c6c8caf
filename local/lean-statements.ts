import { readFile } from 'node:fs/promises'
import { type Plugin, transform } from 'esbuild'
import { type Change, changed } from './changed.ts'

/** What falls out of drizzle's files, by the end of their paths. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  'pg-core/dialect.js': [
    {
      what: 'queries by relations, of which the schema declares none',
      pattern: /^ {2}buildRelationalQueryWithoutPK\(\{\n[\s\S]*?\n {2}\}\n/m,
      by: '',
    },
    {
      what: 'migrations, which no Worker runs',
      pattern: /^ {2}async migrate\([\s\S]*?\n {2}\}\n/m,
      by: '',
    },
  ],
  'pg-core/db.js': [
    {
      what: 'the queries by relations of each table',
      pattern: /^ {4}if \(this\._\.schema\) \{\n[\s\S]*?\n {4}\}\n/m,
      by: '',
    },
    {
      what: 'materialized views, of which there are none, and counts, which are asked for in statements',
      pattern: /^ {2}(?:refreshMaterializedView|\$count)\([^)]*\) \{\n[\s\S]*?\n {2}\}\n/gm,
      by: '',
    },
  ],
  'neon-http/driver.js': [
    {
      what: 'the reading of relations',
      pattern: /^ {2}if \(config\.schema\) \{\n[\s\S]*?\n {2}\}\n/m,
      by: '',
    },
  ],
}

const partOf = (path: string): string | undefined =>
  Object.keys(CHANGES).find((end) => path.replaceAll('\\', '/').endsWith(`/drizzle-orm/${end}`))

/** Leaves out of bundles what of drizzle no statement of a Worker is made by. Throws where drizzle is built in another way. */
export const leanStatements: Plugin = {
  name: 'lean-statements',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]drizzle-orm[\\/](?:pg-core|neon-http)[\\/]\w+\.js$/ }, async ({ path }) => {
      const part = partOf(path)
      if (part === undefined) return undefined
      // Printed by esbuild, each method begins on a line of its own.
      const { code } = await transform(await readFile(path, 'utf8'), { format: 'esm', target: 'es2024' })
      return { contents: changed(code, CHANGES[part] ?? [], `drizzle-orm/${part}`, 'local/lean-statements.ts') }
    })
  },
}

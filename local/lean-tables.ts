import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, transform } from 'esbuild'

/** Where the bracket or the text in quotes ends that opens at `open`. Texts in quotes and comments are passed over. */
const endOf = (code: string, open: number): number => {
  let depth = 0
  for (let at = open; at < code.length; at += 1) {
    const character = code[at] ?? ''
    if (code.startsWith('/*', at)) at = code.indexOf('*/', at) + 1
    else if (`'"\``.includes(character)) {
      at += 1
      while (at < code.length && code[at] !== character) at += code[at] === '\\' ? 2 : 1
      if (depth === 0) return at
    } else if ('([{'.includes(character)) depth += 1
    else if (')]}'.includes(character)) {
      depth -= 1
      if (depth === 0) return at
    }
  }
  throw new Error('a bracket is never closed')
}

/** The code with every place that matches, up to where its last bracket ends, handed to `change`. */
const replaced = (code: string, opening: RegExp, change: (part: string) => string): string => {
  const found = opening.exec(code)
  if (!found) return code
  const end = endOf(code, found.index + found[0].length - 1) + 1
  return `${code.slice(0, found.index)}${change(code.slice(found.index, end))}${replaced(code.slice(end), opening, change)}`
}

/** What a column refers to. */
const REFERENCES = /\s*\.references\(/
/** Indexes and checks, which stand behind a table's columns. */
const INDEXES = /,\s+\(\w*\) => \[/
const TABLE = /(?<=^const \w+ = )pgTable\(/m

const ENTRY = /^(?:\s|\/\*[\s\S]*?\*\/)*(?:\.\.\.|(\w+):)/

/** What stands between the commas of an object's own level. */
const entriesOf = (object: string): string[] => {
  const entries: string[] = []
  let from = 1
  for (let at = 1; at < object.length; at += 1) {
    if (object.startsWith('/*', at)) at = object.indexOf('*/', at) + 1
    else if (`([{'"\``.includes(object[at] ?? '')) at = endOf(object, at)
    else if (',}'.includes(object[at] ?? '')) {
      entries.push(object.slice(from, at))
      from = at + 1
    }
  }
  return entries.filter((entry) => entry.trim() !== '')
}

/** A table's columns as `lateTable` takes them: each behind a function of its own. */
const late = (table: string): string => {
  const open = table.indexOf('{')
  const close = endOf(table, open)
  const entries = entriesOf(table.slice(open, close + 1)).map((entry) => {
    const [opening, key] = ENTRY.exec(entry) ?? []
    if (opening === undefined) throw new Error(`no column of a table: ${entry.trim()}`)
    const column = entry.slice(opening.length)
    return key === undefined ? `...columnsMade(${column})` : `${key}: () => (${column})`
  })
  return `lateTable${table.slice('pgTable'.length, open)}{ ${entries.join(', ')} }${table.slice(close + 1)}`
}

const IMPORT = `import { columnsMade, lateTable } from ${JSON.stringify(fileURLToPath(new URL('../src/db/late-table.ts', import.meta.url)))}\n`

/** What a Worker needs of a file of tables: names and columns, made when they are read, and of those only the tables it uses. */
const leanSchema = (code: string): string => {
  const without = replaced(
    replaced(code, REFERENCES, () => ''),
    INDEXES,
    () => '',
  )
  return IMPORT + replaced(without, TABLE, (table) => `/* @__PURE__ */ ${late(table)}`)
}

/**
 * Foreign keys, indexes and checks are for migrations: no statement asks for them. Without them a table refers to no other one, so
 * that a bundle holds only the tables that it uses.
 *
 * Columns are made when they are read (`src/db/late-table.ts`): all of them while a Worker starts would cost a tenth of an empty
 * Worker's start.
 */
export const leanTables = (folder: string): Plugin => ({
  name: 'lean-tables',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (dirname(path) !== folder) return undefined
      // Printed by esbuild, there are no types in it and no comments.
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'ts', format: 'esm', target: 'es2024' })
      return { contents: leanSchema(code) }
    })
  },
})

import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Plugin } from 'esbuild'

/** Where the bracket ends that opens at `open`. Texts in quotes and comments are passed over. */
const endOf = (code: string, open: number): number => {
  let depth = 0
  for (let at = open; at < code.length; at += 1) {
    const character = code[at] ?? ''
    if (code.startsWith('/*', at)) at = code.indexOf('*/', at) + 1
    else if (`'"\``.includes(character)) {
      at += 1
      while (at < code.length && code[at] !== character) at += code[at] === '\\' ? 2 : 1
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
const TABLE = /(?<=^export const \w+ = )pgTable\(/m

/** What a Worker needs of a file of tables: names and columns, and of those only the tables it uses. */
const leanSchema = (code: string): string => {
  const without = replaced(
    replaced(code, REFERENCES, () => ''),
    INDEXES,
    () => '',
  )
  return replaced(without, TABLE, (table) => `/* @__PURE__ */ (() => ${table})()`)
}

/**
 * Foreign keys, indexes and checks are for migrations: no statement asks for them. Without them a table refers to no other one, so
 * that a bundle holds, and a Worker makes as it starts, only the tables that it uses.
 */
export const leanTables = (folder: string): Plugin => ({
  name: 'lean-tables',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) =>
      dirname(path) === folder ? { contents: leanSchema(await readFile(path, 'utf8')), loader: 'ts' } : undefined,
    )
  },
})

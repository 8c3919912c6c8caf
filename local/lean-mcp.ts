import { readFile } from 'node:fs/promises'
import { type Plugin, transform } from 'esbuild'
import { type Change, changed } from './changed.ts'

/** A schema of the protocol made where it is declared: in a function of its own that has no effect, it falls away when nobody asks for it. */
const SCHEMAS: readonly Change[] = [
  {
    what: 'schemas of the protocol',
    pattern: /^const (\w+Schema = )([\s\S]*?);$(?=\n(?:const|function|export) )/gm,
    by: 'const $1/* @__PURE__ */ (() => $2)();',
  },
]

const TYPES: readonly Change[] = [
  {
    what: 'the table of all types of the protocol by their names, which holds every schema and which nothing here reads',
    pattern: /^for \(const .*\) register\(.*\);\n/gm,
    by: '',
  },
]

/**
 * The MCP server makes all schemas of the protocol as it loads, those of tasks, of clients and of OAuth's metadata included. A Worker
 * keeps those that it reads messages with. Throws where the SDK is built in another way.
 */
export const leanMcp: Plugin = {
  name: 'lean-mcp',
  setup: ({ onLoad }) => {
    onLoad(
      { filter: /[\\/]@modelcontextprotocol[\\/](?:core|server)[\\/]dist[\\/](?:schemas|auth|src)-[\w-]+\.mjs$/ },
      async ({ path }) => {
        // Printed by esbuild, each statement begins on a line of its own.
        const { code } = await transform(await readFile(path, 'utf8'), { format: 'esm', target: 'es2024' })
        const isServer = /[\\/]server[\\/]dist[\\/]/.test(path)
        const name = `@modelcontextprotocol/${isServer ? 'server' : 'core'}`
        return { contents: changed(code, isServer ? TYPES : SCHEMAS, name, 'local/lean-mcp.ts') }
      },
    )
  },
}

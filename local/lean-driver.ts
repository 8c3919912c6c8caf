import { readFile } from 'node:fs/promises'
import { type Plugin, transform } from 'esbuild'
import { type Change, changed } from './changed.ts'

/** The platform's Buffer, asked for when a value is made of bytes: a Worker that names it reads eight modules of Node's. */
const LATE_BUFFER = `{
  from: (...given) => globalThis.Buffer.from(...given),
  alloc: (...given) => globalThis.Buffer.alloc(...given),
  concat: (...given) => globalThis.Buffer.concat(...given),
  [Symbol.hasInstance]: (value) => value instanceof Uint8Array && value instanceof globalThis.Buffer,
}`

/**
 * Neon's driver comes as one built file in which a bundler cannot tell what is needed, so that each Worker would carry and run
 * node-postgres with its pool and its sockets, of which a query over HTTP uses none.
 *
 * Most entries say of one kind of statement in that file that nothing happens when it runs, so that what nobody imports falls
 * away (esbuild's annotations). The last ones put in what a query over HTTP needs of Node in place of copies of Node's own modules.
 * What stays does what it did.
 */
const CHANGES: readonly Change[] = [
  {
    what: 'the helper that gives functions their names',
    pattern: /^var (\w+ = )(\(r, e\) => \w+\(r, "name",)/m,
    by: 'const $1/* @__NO_SIDE_EFFECTS__ */ $2',
  },
  {
    what: 'the helper of what runs when it is first needed',
    pattern: /^var (\w+ = )(\(r, e, t\) => \(\) => \{)/m,
    by: 'const $1/* @__NO_SIDE_EFFECTS__ */ $2',
  },
  {
    what: 'the helper of CommonJS modules',
    pattern: /^var (\w+ = )(\(r, e\) => \(\) => \{)/m,
    by: 'const $1/* @__NO_SIDE_EFFECTS__ */ $2',
  },
  {
    what: 'the helper that imports one of them',
    pattern: /^var (\w+ = )(\(r, e, t\) => \(t = r != null)/m,
    by: 'const $1/* @__NO_SIDE_EFFECTS__ */ $2',
  },
  {
    what: 'imports of CommonJS modules',
    pattern: /^(var \w+ = \w+\()(\w+\(\)\);)$/gm,
    by: '$1/* @__PURE__ */ $2',
  },
  {
    what: 'the parsers of types, which node-postgres only hands on',
    pattern: /(this\.types = (\w+)\(\)[\s\S]*^var export_types = )\w+\.types;/m,
    by: '$1$2();',
  },
  {
    what: 'exports that are read from node-postgres',
    pattern: /^(var export_\w+ = )(\w+\.\w+);/gm,
    by: '$1/* @__PURE__ */ (() => $2)();',
  },
  {
    what: 'the exports of modules',
    pattern: /^var (\w+) = \{\};\n(\w+)\(\1, (\{[^}]*\})\);/gm,
    by: 'var $1 = /* @__PURE__ */ (() => { const all = {}; $2(all, $3); return all; })();',
  },
  {
    what: 'classes made from those of node-postgres',
    pattern: /^(var \w+ = )(class \w+ extends \w+\.\w+ \{\n[\s\S]*?\n\});/gm,
    by: '$1/* @__PURE__ */ (() => $2)();',
  },
  {
    what: 'its copy of Buffer, and what it asks of the process it runs in',
    pattern:
      /(\w+ = )typeof globalThis\.Buffer == "function" && typeof globalThis\.Buffer\.allocUnsafe == "function" \? globalThis\.Buffer : \w+\(\)\.Buffer, (\w+ = )globalThis\.process \?\? \{\};[\s\S]*?\n\}\);/,
    by: `$1${LATE_BUFFER}, $2{ env: {}, nextTick: queueMicrotask };\n});`,
  },
  {
    what: 'the events of its sockets, which nothing opens',
    pattern: /(\w+ = )(?:\/\* @__PURE__ \*\/ )?\w+\(\w+\(\), 1\);(\s+\w+\(\w+, "isIP"\))/,
    by: '$1{ EventEmitter: class {} };$2',
  },
  {
    what: 'settings of one socket; those of all, which hold the endpoint, stay',
    pattern: /^( +)[gs]et (\w+)\(\w*\) \{\n +(?:return )?this\.opts\.\2 [^\n]*\n\1\}\n/gm,
    by: '',
  },
  {
    what: 'what a socket does',
    pattern: /^( +)wsProxyAddrForHost\([\s\S]*?\n\1destroy\(\) \{\n[\s\S]*?\n\1\}\n/m,
    by: '',
  },
  {
    what: 'the hashes of passwords, which are for sockets too',
    pattern:
      /(var \w+ = )\(\w+\(\), \w+\(\w+\)\)(, \w+ = \w+\(\);\s+function \w+\(\w+\) \{\s+var \w+ = \w+\.replace\()/,
    by: '$1{}$2',
  },
  {
    what: 'the parsers of values in bytes, since over HTTP all come as text',
    pattern:
      /, (\w+) = \w+\(\)(, \w+ = \w+\(\), \w+ = \w+\(\);\s+\w+\.getTypeParser = [\s\S]*?)\1\.init\(function\(\w+, \w+\) \{[\s\S]*?\}\);/,
    by: '$2',
  },
]

/**
 * The driver reads its connection string with every query, by four `URL`s. It depends on that string alone here, since no query of
 * ours names a connection of its own, so that it is read once.
 */
const READ_ONCE = {
  what: 'the reading of the connection string',
  pattern:
    /= (await \w+\(\s*\w+,\s*\w+,\s*\{ application_name: \w+ \}\s*\))(?=[\s\S]*?return \w+\(\s*(\w+),\s*"execute"\s*\))/,
  by: '= $2.read ??= $1',
}

/** The driver's code with what a bundler has to know. Throws where it is built in another way. */
export const withoutUnused = (code: string): string =>
  changed(code, [...CHANGES, READ_ONCE], '@neondatabase/serverless', 'local/lean-driver.ts')

/** Leaves out of bundles what of Neon's driver no query over HTTP uses, and has the connection string read once. Throws where the driver is built in another way. */
export const leanDriver: Plugin = {
  name: 'lean-driver',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]@neondatabase[\\/]serverless[\\/]index\.mjs$/ }, async ({ path }) => {
      // Printed by esbuild, each statement stands on lines of its own.
      const { code } = await transform(await readFile(path, 'utf8'), { format: 'esm', target: 'es2024' })
      return { contents: withoutUnused(code) }
    })
  },
}

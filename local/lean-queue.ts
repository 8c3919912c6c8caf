import { readFile } from 'node:fs/promises'
import { type Plugin, transform } from 'esbuild'
import { type Change, changed } from './changed.ts'

/**
 * QStash's SDK comes as one built file. A Worker sends messages with it and checks signatures; what else it can do hangs on the
 * client's accessors, without which it falls away.
 */
const CHANGES: readonly Change[] = [
  {
    what: 'accessors of what is not used: address groups, lists, schedules, workflows, models',
    pattern: /^ {2}(?:get )?\w+\(\w*\) \{\n {4}return new \w+\(this\.http.*\);\n {2}\}\n/gm,
    by: '',
  },
  {
    what: 'the process it runs in: no setting of a Worker stands there, and the platform reads seven modules for it',
    pattern: /const proc = globalThis\["process"\];/g,
    by: 'const proc = undefined;',
  },
  {
    what: 'the development server, which it starts under Node only',
    pattern: / {2}if \(!devServerPromise\) \{\n[\s\S]*?\n {2}\}\n {2}await devServerPromise;\n/,
    by: '',
  },
]

/** Leaves out of bundles what of QStash's SDK no Worker uses. Throws where the SDK is built in another way. */
export const leanQueue: Plugin = {
  name: 'lean-queue',
  setup: ({ onResolve, onLoad, resolve }) => {
    onLoad({ filter: /[\\/]@upstash[\\/]qstash[\\/]chunk-\w+\.mjs$/ }, async ({ path }) => {
      // Printed by esbuild, each statement stands on lines of its own.
      const { code } = await transform(await readFile(path, 'utf8'), { format: 'esm', target: 'es2024' })
      if (!code.includes('var Client = class')) return { contents: code }
      return { contents: changed(code, CHANGES, '@upstash/qstash', 'local/lean-queue.ts') }
    })
    // Nothing that stays needs it, which its package does not tell a bundler.
    onResolve({ filter: /^neverthrow$/ }, async ({ path, kind, resolveDir, pluginData }) =>
      pluginData === 'lean-queue'
        ? undefined
        : { ...(await resolve(path, { kind, resolveDir, pluginData: 'lean-queue' })), sideEffects: false },
    )
  },
}

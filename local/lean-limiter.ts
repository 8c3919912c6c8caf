import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Plugin, transform } from 'esbuild'
import { type Change, changed } from './changed.ts'

const NAMESPACE = 'lean-limiter'

/** What stands for the limiter's statistics, which no limiter of this service keeps. */
const NO_STATISTICS = `export class Analytics {
  constructor() {
    throw new Error('Statistics of limits are not in the bundle: see local/lean-limiter.ts')
  }
}`

const CHANGES: readonly Change[] = [
  {
    what: 'the algorithms it comes with, and their scripts: this service counts by one of its own',
    pattern: /^ {2}static \w+\([^)]*\) \{\n[\s\S]*?\n {2}\}\n/gm,
    by: '',
  },
]

/**
 * Upstash's limiter as ECMAScript modules, of which a bundle holds only what is used: as CommonJS, which its package names first,
 * all of it would stay, limits over several regions and lists of addresses included. Throws where the limiter is built in another way.
 */
export const leanLimiter: Plugin = {
  name: NAMESPACE,
  setup: ({ onResolve, onLoad, resolve }) => {
    onResolve({ filter: /^@upstash\/ratelimit$/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === NAMESPACE) return undefined
      const found = await resolve(path, { kind, resolveDir, pluginData: NAMESPACE })
      return { ...found, path: join(dirname(found.path), 'index.mjs') }
    })
    onLoad({ filter: /[\\/]@upstash[\\/]ratelimit[\\/]dist[\\/]index\.mjs$/ }, async ({ path }) => {
      // Printed by esbuild, each method begins on a line of its own.
      const { code } = await transform(await readFile(path, 'utf8'), { format: 'esm', target: 'es2024' })
      return { contents: changed(code, CHANGES, '@upstash/ratelimit', 'local/lean-limiter.ts') }
    })
    onResolve({ filter: /^@upstash\/core-analytics$/ }, ({ path }) => ({
      path,
      namespace: NAMESPACE,
      sideEffects: false,
    }))
    onLoad({ filter: /./, namespace: NAMESPACE }, () => ({ contents: NO_STATISTICS }))
  },
}

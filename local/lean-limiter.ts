import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'

const NAMESPACE = 'lean-limiter'

/** What stands for the limiter's statistics, which no limiter of this service keeps. */
const NO_STATISTICS = `export class Analytics {
  constructor() {
    throw new Error('Statistics of limits are not in the bundle: see local/lean-limiter.ts')
  }
}`

/**
 * Upstash's limiter as ECMAScript modules, of which a bundle holds only what is used: as CommonJS, which its package names first,
 * all of it would stay, limits over several regions and lists of addresses included.
 */
export const leanLimiter: Plugin = {
  name: NAMESPACE,
  setup: ({ onResolve, onLoad, resolve }) => {
    onResolve({ filter: /^@upstash\/ratelimit$/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === NAMESPACE) return undefined
      const found = await resolve(path, { kind, resolveDir, pluginData: NAMESPACE })
      return { ...found, path: join(dirname(found.path), 'index.mjs') }
    })
    onResolve({ filter: /^@upstash\/core-analytics$/ }, ({ path }) => ({
      path,
      namespace: NAMESPACE,
      sideEffects: false,
    }))
    onLoad({ filter: /./, namespace: NAMESPACE }, () => ({ contents: NO_STATISTICS }))
  },
}

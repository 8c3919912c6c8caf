import type { Plugin } from 'esbuild'

/** Packages that build large tables as they load, and the functions of each that are imported. */
const LATE: Readonly<Record<string, readonly string[]>> = {
  '@sindresorhus/transliterate': ['default'],
  tldts: ['getDomain', 'getDomainWithoutSuffix', 'parse'],
}

const FILTER = new RegExp(`^(?:${Object.keys(LATE).join('|')})$`)
const NAMESPACE = 'late-packages'

/** zod's messages in sixty languages, which a package that takes all of zod would bring along: nobody here asks for another. */
const ENGLISH_ONLY = `export { default as en } from './en.js'`

/** A module with the same functions, the first call of which runs the package. */
const standIn = (name: string, functions: readonly string[]): string => {
  const exported = functions.map((one) =>
    one === 'default'
      ? 'export default (...given) => all().default(...given)'
      : `export const ${one} = (...given) => all().${one}(...given)`,
  )
  return [`let made`, `const all = () => (made ??= require(${JSON.stringify(name)}))`, ...exported].join('\n')
}

/** Has packages that build tables do so when they are first called, not while a Worker starts, and zod speak English only. */
export const latePackages: Plugin = {
  name: NAMESPACE,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: FILTER }, ({ path, kind, resolveDir }) =>
      kind === 'import-statement'
        ? { path, namespace: NAMESPACE, pluginData: resolveDir, sideEffects: false }
        : undefined,
    )
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: ENGLISH_ONLY }))
    onLoad({ filter: /./, namespace: NAMESPACE }, ({ path, pluginData }) => ({
      contents: standIn(path, LATE[path] ?? []),
      resolveDir: pluginData as string,
    }))
  },
}

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

/**
 * The MCP server's file for workerd makes the schemas of all revisions of the protocol as it loads, to have that behind it at the
 * first request. The first caller waits for it all the same, and needs those of one revision. The file for browsers makes none.
 */
const SCHEMAS_WHEN_NEEDED = `export * from './shimsBrowser.mjs'`

/**
 * better-auth is given functions of ours for passwords and calls its own nowhere; theirs would read Node's crypto, thirty modules,
 * as the Worker starts.
 */
const PASSWORDS_ARE_OURS = `const refuse = async () => { throw new Error('passwords are hashed by src/people/password.ts') }
export { refuse as hashPassword, refuse as verifyPassword }`

/** A module with the same functions, the first call of which runs the package. */
const standIn = (name: string, functions: readonly string[]): string => {
  const exported = functions.map((one) =>
    one === 'default'
      ? 'export default (...given) => all().default(...given)'
      : `export const ${one} = (...given) => all().${one}(...given)`,
  )
  return [`let made`, `const all = () => (made ??= require(${JSON.stringify(name)}))`, ...exported].join('\n')
}

/** Has packages that build tables or schemas do so when they first need them, not while a Worker starts, and zod speak English only. */
export const latePackages: Plugin = {
  name: NAMESPACE,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: FILTER }, ({ path, kind, resolveDir }) =>
      kind === 'import-statement'
        ? { path, namespace: NAMESPACE, pluginData: resolveDir, sideEffects: false }
        : undefined,
    )
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: ENGLISH_ONLY }))
    onLoad({ filter: /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsWorkerd\.mjs$/ }, () => ({
      contents: SCHEMAS_WHEN_NEEDED,
    }))
    onLoad({ filter: /[\\/]@better-auth[\\/]utils[\\/]dist[\\/]password(\.node)?\.mjs$/ }, () => ({
      contents: PASSWORDS_ARE_OURS,
    }))
    onLoad({ filter: /./, namespace: NAMESPACE }, ({ path, pluginData }) => ({
      contents: standIn(path, LATE[path] ?? []),
      resolveDir: pluginData as string,
    }))
  },
}

import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Proofs with commands of their own. */
const ELSEWHERE = /^test\/(long|bench|clients|pages|cms|browser|bluesky|docs|copies)\//

/** The test files of `npm test`, below the folder of the project. */
export const testFiles = (root: string): string[] =>
  globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !ELSEWHERE.test(file))

/** Modules that speak to a database or to Redis. */
const ASKS = /^(local\/(neon|redis)\/|local\/(stack|database|start)\.ts$|test\/support\/(stack|databases|global)\.ts$)/
/** A shared stack, a service that is named, or a program that is started, which may ask whom it likes. */
const SAYS = /inject\('stack'\)|\b(DATABASE_URL|REDIS_URL|GALLEY_PG_\w+)\b|node:child_process/

const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g

/**
 * Those of the files that may ask a database or Redis, by what they import, however far: the rest is the same whatever stands behind.
 */
export const filesThatAsk = (root: string, files: readonly string[]): string[] => {
  const texts = new Map<string, string>()
  const textOf = (file: string): string => {
    const path = join(root, file)
    const text = texts.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '')
    texts.set(file, text)
    return text
  }
  const importsOf = (file: string): string[] =>
    [...textOf(file).matchAll(IMPORT)].map(([, path = '']) => join(dirname(file), path))
  const asks = (file: string): boolean => {
    const reached = new Set([file])
    for (const one of reached) {
      if (ASKS.test(one) || (one.startsWith('test/') && SAYS.test(textOf(one)))) return true
      for (const next of importsOf(one)) reached.add(next)
    }
    return false
  }
  return files.filter(asks)
}

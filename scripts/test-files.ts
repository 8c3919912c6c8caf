import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Files of tests with commands of their own. `npm run test:long` has crashes, faults, fuzz, memory and starts of whole
 * processes.
 */
const ELSEWHERE =
  /^test\/(long|bench|clients|pages|cms|browser|bluesky|docs|copies|faults)\/|\/(crash|fuzz|memory|start)\.test\.ts$/

/** Returns the test files of `npm test`, below the folder of the project. */
export const testFiles = (root: string): string[] =>
  globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !ELSEWHERE.test(file))

/**
 * Tag of tests that depend on the services behind the API: races, query plans, and commands that need a real PostgreSQL.
 *
 * The embedded database runs one statement at a time, so it cannot prove anything about a race.
 */
export const SERVICES = 'services'

const TAGGED = new RegExp(`tags: \\['${SERVICES}'\\]|@module-tag ${SERVICES}\\b`)

/** Returns those of the files that have a test with the tag. */
export const filesForServices = (root: string, files: readonly string[]): string[] =>
  files.filter((file) => TAGGED.test(readFileSync(join(root, file), 'utf8')))

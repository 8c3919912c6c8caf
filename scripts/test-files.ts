import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Proofs with commands of their own. Crashes, faults, fuzz, memory and starts of whole processes are in `npm run test:long`. */
const ELSEWHERE =
  /^test\/(long|bench|clients|pages|cms|browser|bluesky|docs|copies|faults)\/|\/(crash|fuzz|memory|start)\.test\.ts$/

/** Returns the test files of `npm test`, below the folder of the project. */
export const testFiles = (root: string): string[] =>
  globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !ELSEWHERE.test(file))

/**
 * The tag of tests whose outcome depends on what stands behind the service: calls that race, plans of statements, and commands
 * that need a real PostgreSQL. The embedded database runs one statement at a time, so a race proves nothing there.
 */
export const SERVICES = 'services'

const TAGGED = new RegExp(`tags: \\['${SERVICES}'\\]|@module-tag ${SERVICES}\\b`)

/** Returns those of the files that have a test with the tag. */
export const filesForServices = (root: string, files: readonly string[]): string[] =>
  files.filter((file) => TAGGED.test(readFileSync(join(root, file), 'utf8')))

import { globSync } from 'node:fs'

/** Proofs with commands of their own. */
const ELSEWHERE = /^test\/(long|bench|clients|pages|cms|browser|bluesky|docs|copies)\//

/** The test files of `npm test`, below the folder of the project. */
export const testFiles = (root: string): string[] =>
  globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !ELSEWHERE.test(file))

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { newCms } from './cms.ts'
import { BadName, type Files } from './edit.ts'
import { newJob } from './job.ts'
import { newOperation } from './operation.ts'
import { newPage } from './page.ts'
import { newSetting } from './setting.ts'

/** Thing that can be made: its files, and the commands that follow before its test. */
type Kind = { files: (name: string, like?: string) => Files; next: readonly string[] }

export const KINDS: Readonly<Record<string, Kind>> = {
  operation: { files: newOperation, next: ['npm run generate'] },
  setting: { files: newSetting, next: ['npm run migration -- --name new_setting', 'npm run generate'] },
  job: { files: newJob, next: [] },
  cms: { files: newCms, next: ['npm run migration -- --name new_cms', 'npm run generate'] },
  page: { files: newPage, next: [] },
}

/** Writes the files, in the project's format. */
const writeFiles = (files: Files): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), text)
  }
  const code = Object.keys(files).filter((path) => /\.tsx?$/.test(path))
  spawnSync(join(ROOT, 'node_modules/.bin/biome'), ['check', '--write', ...code], { cwd: ROOT, stdio: 'ignore' })
}

/** Writes the files of a new thing and prints them with the next commands. Returns the exit code. */
export const makeNew = (kind = '', name = '', like?: string): number => {
  const made = KINDS[kind]
  if (!made || name === '') {
    process.stderr.write('Give what to make and its name. See: npm run new -- --help\n')
    return 2
  }
  try {
    const files = made.files(name, like)
    writeFiles(files)
    const tests = Object.keys(files).filter((path) => path.endsWith('.test.ts'))
    const next = [...made.next, `npm test -- ${tests.join(' ')}`, 'npm run verify']
    process.stdout.write(`${[...Object.keys(files), '', 'Next:', ...next.map((one) => `  ${one}`)].join('\n')}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof BadName)) throw error
    process.stderr.write(`${error.message}\nNothing was written.\n`)
    return 2
  }
}

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import type { WorkerConfig } from '../../local/workers.ts'
import type { answerSchemas, OPERATIONS } from '../../src/operations.ts'

/**
 * The release before this code: its bundles, the configurations of its Workers, and the declared answers of its
 * operations.
 */
export type ReleaseBefore = {
  ref: string
  bundles: string
  workers: WorkerConfig[]
  answerSchemas: ReturnType<typeof answerSchemas>
  /** The Worker that answers an operation there, by the operation's id. */
  workerOf: ReadonlyMap<string, string>
  remove: () => void
}

type Declared = { answerSchemas: typeof answerSchemas; OPERATIONS: typeof OPERATIONS }
type Built = Pick<ReleaseBefore, 'bundles' | 'workers'>

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/**
 * Returns RELEASE_BEFORE if it is set; else the newest tag of a version; else the commit that set the version in
 * package.json.
 */
const refOfRelease = (): string => {
  if (process.env.RELEASE_BEFORE) return process.env.RELEASE_BEFORE
  const tag = spawnSync('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*'], { cwd: ROOT, encoding: 'utf8' })
  if (tag.status === 0) return tag.stdout.trim()
  return git('log', '-1', '--format=%H', '-G"version": "', '--', 'package.json')
}

const BUILD = `const { bundleWorkers, WORKERS } = await import('./local/bundle.ts')
process.stdout.write(JSON.stringify({ bundles: await bundleWorkers(), workers: WORKERS }))`

/** Gives a release the packages of its own lock file: it may need one that this release has no more. */
const installPackages = (dir: string): void => {
  const lockIn = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (lockIn(dir) === lockIn(ROOT)) {
    symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
    return
  }
  const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', ...quiet], { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Builds the Workers of the release before with that release's own build, in a folder of its own. Throws when it does not build. */
export const buildReleaseBefore = async (): Promise<ReleaseBefore> => {
  const ref = refOfRelease()
  const dir = mkdtempSync(join(tmpdir(), 'galley-before-'))
  const tar = execFileSync('git', ['archive', '--format=tar', ref], { cwd: ROOT, maxBuffer: 1 << 28 })
  mkdirSync(join(dir, 'src'), { recursive: true })
  execFileSync('tar', ['-x', '-C', dir], { input: tar })
  installPackages(dir)
  const built = execFileSync(process.execPath, ['--input-type=module', '-e', BUILD], { cwd: dir, encoding: 'utf8' })
  const declared = (await import(join(dir, 'src/operations.ts'))) as Declared
  const { bundles, workers } = JSON.parse(built) as Built
  return {
    ref,
    bundles,
    // Configurations of earlier releases have no entrypoints.
    workers: workers.map((worker) => ({ ...worker, entrypoints: worker.entrypoints ?? {} })),
    answerSchemas: declared.answerSchemas(),
    // Up to release 0.3.0 a group's Worker had the group's name.
    workerOf: new Map(declared.OPERATIONS.map(({ id, group, worker = group }) => [id, worker])),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

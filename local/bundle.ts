import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type BuildOptions, build, stop } from 'esbuild'
import { SECRETS } from '../src/platform/runtime/secrets.ts'
import { ROOT } from './root.ts'
import { giveSecrets, readWorkers, type WorkerConfig } from './workers.ts'

/** Every Worker, as the wrangler.toml files declare them, with its secrets. */
export const WORKERS: readonly WorkerConfig[] = giveSecrets(readWorkers(ROOT), SECRETS)

const DEFINE = {
  'navigator.userAgent': '"Cloudflare-Workers"',
  'process.env.NODE_ENV': '"production"',
  'global.process.env.NODE_ENV': '"production"',
  'globalThis.process.env.NODE_ENV': '"production"',
}

const SOURCES = ['local/bundle.ts', 'src', 'functions', 'schema', 'package-lock.json', 'wrangler.toml']

const filesBelow = (path: string): string[] => {
  const full = join(ROOT, path)
  if (!existsSync(full)) return []
  const entries = readdirSync(full, { withFileTypes: true, recursive: true })
  const files = entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name))
  // wrangler dev leaves a folder of this name beside each wrangler.toml.
  return files.filter((path) => !path.includes('.wrangler'))
}

/** Returns a hash of all sources of the bundles. */
const sourceHash = (): string => {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const files = /\.\w+$/.test(source) ? [join(ROOT, source)] : filesBelow(source).sort()
    for (const file of files) if (existsSync(file)) hash.update(file.slice(ROOT.length)).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

/** File that a Worker imports unchanged: WebAssembly, or bytes. */
export type ModuleFile = { name: string; kind: 'wasm' | 'data' }

/** Returns the files beside a built Worker's `index.js` that it imports. */
export const modulesIn = (folder: string): ModuleFile[] =>
  readdirSync(folder)
    .filter((name) => !/\.(js|map)$/.test(name))
    .sort()
    .map((name) => ({ name, kind: name.endsWith('.wasm') ? 'wasm' : 'data' }))

/**
 * Options that wrangler 4 gives esbuild for a Worker with `minify` and without `keep_names`.
 *
 * Both build the same bytes (test/long/bundle.test.ts).
 */
const OPTIONS = {
  bundle: true,
  minify: true,
  keepNames: false,
  format: 'esm',
  target: 'es2024',
  supported: { 'import-source': true, using: true },
  platform: 'browser',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*', 'node:*'],
  define: DEFINE,
  loader: { '.js': 'jsx', '.mjs': 'jsx', '.cjs': 'jsx', '.wasm': 'copy' },
  sourcemap: true,
  logLevel: 'silent',
} satisfies BuildOptions

const reasoned = (what: string) => (error: Error) => {
  throw new Error(`Building ${what} failed:\n${error.message}`)
}

/** Bundles one Worker into a folder, with the files it imports. */
export const bundleEntry = async (entry: string, outdir: string, absWorkingDir = dirname(entry)): Promise<void> => {
  await build({ ...OPTIONS, entryPoints: [entry], absWorkingDir, outdir }).catch(reasoned(relative(ROOT, entry)))
}

const entryOf = ({ folder }: WorkerConfig): string => join(ROOT, 'functions', folder, 'index.ts')

/** Returns the bytes of each file in a Worker's code. */
export const bytesInBundle = async (worker: WorkerConfig): Promise<Record<string, number>> => {
  const absWorkingDir = dirname(join(ROOT, worker.config))
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: [entryOf(worker)],
    absWorkingDir,
    outdir: 'none',
    write: false,
    metafile: true,
  })
  const written = Object.entries(metafile.outputs).filter(([path]) => path.endsWith('.js'))
  const inputs = written.flatMap(([, output]) => Object.entries(output.inputs))
  return Object.fromEntries(inputs.map(([path, { bytesInOutput }]) => [path, bytesInOutput]))
}

/**
 * Bundles Workers together, each into its folder. Shared sources are read once; the output equals that of separate
 * builds.
 */
const bundleTogether = async (workers: readonly WorkerConfig[], outdir: string): Promise<void> => {
  const entryPoints = workers.map((worker) => ({ in: entryOf(worker), out: `${worker.folder}/index` }))
  const absWorkingDir = dirname(join(ROOT, workers[0]?.config ?? ''))
  await build({ ...OPTIONS, entryPoints, absWorkingDir, outdir }).catch(reasoned('the Workers'))
  const [stray] = readdirSync(outdir, { withFileTypes: true }).filter((entry) => entry.isFile())
  if (stray) throw new Error(`A Worker imports ${stray.name}: its wrangler.toml needs a rule for such files.`)
}

/**
 * Bundles every Worker. Those that import files are built alone: only then does esbuild put the files beside the code.
 */
const bundleAll = async (outdir: string): Promise<void> => {
  await Promise.all([
    bundleTogether(
      WORKERS.filter(({ importsFiles }) => !importsFiles),
      outdir,
    ),
    ...WORKERS.filter(({ importsFiles }) => importsFiles).map((worker) =>
      bundleEntry(entryOf(worker), join(outdir, worker.folder), dirname(join(ROOT, worker.config))),
    ),
  ])
}

/** Ends esbuild, which otherwise waits for the next build and uses a gigabyte. For a process that builds once. */
export const endBuilding = (): Promise<void> => stop()

/** Time for which a build stays after its last use, because a running stack may start its Workers again. */
const KEPT_MS = 2 * 3_600_000

/** Removes builds that were not used for `KEPT_MS`, also interrupted ones. */
const removeOld = (base: string): void => {
  for (const name of readdirSync(base)) {
    const asked = statSync(join(base, name), { throwIfNoEntry: false })?.mtimeMs
    if (asked !== undefined && asked < Date.now() - KEPT_MS) rmSync(join(base, name), { recursive: true, force: true })
  }
}

/** True if a folder can be written to, or created. */
const isWritable = (folder: string): boolean => {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Bundles every Worker, unless there is a build of the same sources. Returns the folder that has `<worker>/index.js`.
 *
 * The files are those that a deployment uploads. The folder is below `dir` if the project's own folder cannot be
 * written to. Throws esbuild's message if a Worker does not build.
 */
export const bundleWorkers = async (onBuild: () => void = () => {}, dir?: string): Promise<string> => {
  const own = join(ROOT, '.galley/build')
  const base = dir === undefined || existsSync(join(own, sourceHash())) || isWritable(own) ? own : join(dir, 'build')
  const ready = join(base, sourceHash())
  if (existsSync(ready)) {
    utimesSync(ready, new Date(), new Date())
    return ready
  }
  onBuild()
  const making = `${ready}.${process.pid}`
  mkdirSync(making, { recursive: true })
  try {
    await bundleAll(making)
    renameSync(making, ready)
    removeOld(base)
  } catch (error) {
    // Another process may have built the same sources at the same time. Then its build is used.
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(ready)) throw error
  }
  return ready
}

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, stop } from 'esbuild'
import { readWorkers, type WorkerConfig } from './workers.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Every Worker, as the wrangler.toml files declare them. */
export const WORKERS: readonly WorkerConfig[] = readWorkers(ROOT)

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
  return entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name))
}

/** A hash of everything the bundles are made from. */
const sourceHash = (): string => {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const files = /\.\w+$/.test(source) ? [join(ROOT, source)] : filesBelow(source).sort()
    for (const file of files) if (existsSync(file)) hash.update(file.slice(ROOT.length)).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

/** A file that a Worker imports as it is: WebAssembly, or bytes such as a font. */
export type ModuleFile = { name: string; kind: 'wasm' | 'data' }

/** The files beside a built Worker's `index.js` that it imports. */
export const modulesIn = (folder: string): ModuleFile[] =>
  readdirSync(folder)
    .filter((name) => !/\.(js|map)$/.test(name))
    .sort()
    .map((name) => ({ name, kind: name.endsWith('.wasm') ? 'wasm' : 'data' }))

/**
 * A file whose name ends in `.built.ts` is run when a Worker is built, and what it exports, which is plain JSON, stands in the
 * bundle in its place: a small table made from declarations that are large. A build without this does the same when it starts.
 */
const builtModules: Plugin = {
  name: 'built-modules',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.built\.ts$/ }, async ({ path }) => {
      const made = await build({ entryPoints: [path], bundle: true, write: false, format: 'esm', platform: 'node' })
      const code = Buffer.from(made.outputFiles[0]?.contents ?? []).toString('base64')
      const values: Record<string, unknown> = await import(`data:text/javascript;base64,${code}`)
      const lines = Object.entries(values).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
      return { contents: lines.join('\n') }
    })
  },
}

/** What wrangler 4 gives esbuild for a Worker of these settings (`minify`, no `keep_names`), so that its own build would be the same but for built modules. */
export const bundleEntry = async (entry: string, outdir: string, countedFrom = dirname(entry)): Promise<void> => {
  await build({
    entryPoints: [entry],
    // Short names depend on where paths are counted from.
    absWorkingDir: countedFrom,
    outdir,
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
    loader: { '.js': 'jsx', '.mjs': 'jsx', '.cjs': 'jsx', '.wasm': 'copy', '.ttf': 'copy', '.otf': 'copy' },
    plugins: [builtModules],
    sourcemap: true,
    logLevel: 'silent',
  }).catch((error: Error) => {
    throw new Error(`Building ${relative(ROOT, entry)} failed:\n${error.message}`)
  })
}

const buildOne = ({ folder, config }: WorkerConfig, outdir: string): Promise<void> =>
  bundleEntry(join(ROOT, 'functions', folder, 'index.ts'), outdir, dirname(join(ROOT, config)))

/** Ends esbuild, which stays for the next build and keeps a gigabyte: for a process that builds once. */
export const endBuilding = (): Promise<void> => stop()

/** A stack that runs may start its Workers again: a build stays for so long after it was last asked for. */
const KEPT_MS = 2 * 3_600_000

/** Removes builds of other sources, and those that were cut off, unless somebody may still use them. */
const removeOld = (base: string): void => {
  for (const name of readdirSync(base)) {
    const asked = statSync(join(base, name), { throwIfNoEntry: false })?.mtimeMs
    if (asked !== undefined && asked < Date.now() - KEPT_MS) rmSync(join(base, name), { recursive: true, force: true })
  }
}

/**
 * Bundles every Worker, for here and for a deployment, which uploads these very files, unless the sources are those of the last time. Returns the
 * folder that holds `<worker>/index.js`. Throws with esbuild's words when one does not build.
 */
export const bundleWorkers = async (onBuild: () => void = () => {}): Promise<string> => {
  const base = join(ROOT, '.galley/build')
  const ready = join(base, sourceHash())
  if (existsSync(ready)) {
    utimesSync(ready, new Date(), new Date())
    return ready
  }
  onBuild()
  const making = `${ready}.${process.pid}`
  mkdirSync(making, { recursive: true })
  try {
    await Promise.all(WORKERS.map((worker) => buildOne(worker, join(making, worker.folder))))
    renameSync(making, ready)
    removeOld(base)
  } catch (error) {
    // Another process may have made the same at the same time: then its build is used.
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(ready)) throw error
  }
  return ready
}

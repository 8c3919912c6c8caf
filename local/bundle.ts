import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Every Worker and where its configuration stands. The first is the public one. */
export const WORKERS: Record<string, string> = {
  gateway: 'wrangler.toml',
  projects: 'functions/projects/wrangler.toml',
  articles: 'functions/articles/wrangler.toml',
  publishing: 'functions/publishing/wrangler.toml',
  research: 'functions/research/wrangler.toml',
  writer: 'functions/writer/wrangler.toml',
  cms: 'functions/cms/wrangler.toml',
  jobs: 'functions/jobs/wrangler.toml',
}

const SOURCES = ['src', 'functions', 'schema', 'package-lock.json', 'wrangler.toml']

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

const buildOne = (config: string, outdir: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
    const child = spawn(
      process.execPath,
      [wrangler, 'deploy', '--dry-run', '-c', join(ROOT, config), '--outdir', outdir],
      {
        cwd: ROOT,
        env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
      },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`Building ${config} failed:\n${output}`)),
    )
  })

/**
 * Bundles every Worker as a deploy would (wrangler's dry run), unless the sources are those of the last time. Returns the
 * folder that holds `<worker>/index.js`. Throws with wrangler's output when one does not build.
 */
export const bundleWorkers = async (onBuild: () => void = () => {}): Promise<string> => {
  const base = join(ROOT, '.galley/build')
  const ready = join(base, sourceHash())
  if (existsSync(ready)) return ready
  onBuild()
  const making = `${ready}.${process.pid}`
  mkdirSync(making, { recursive: true })
  try {
    await Promise.all(Object.entries(WORKERS).map(([name, config]) => buildOne(config, join(making, name))))
    for (const old of readdirSync(base))
      if (!old.includes('.')) rmSync(join(base, old), { recursive: true, force: true })
    renameSync(making, ready)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(ready)) throw error
  }
  return ready
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { bundleWorkers, modulesIn, WORKERS } from '../../local/bundle.ts'
import { ROOT } from '../../local/root.ts'

const out = mkdtempSync(join(tmpdir(), 'galley-bundle-'))
afterAll(() => rmSync(out, { recursive: true }))

/** Builds a Worker as `wrangler deploy` does, into a folder of its own. */
const buildWithWrangler = async (folder: string, config: string): Promise<string> => {
  const outdir = join(out, folder)
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
  // vitest sets NODE_ENV to "test", which wrangler would build into the Worker.
  const env = { ...process.env, NODE_ENV: 'production', CI: '1', WRANGLER_SEND_METRICS: 'false' }
  const child = spawn(process.execPath, [wrangler, 'deploy', '--dry-run', '-c', config, '--outdir', outdir], {
    ...{ cwd: ROOT, env, stdio: ['ignore', 'ignore', 'pipe'] },
  })
  let fault = ''
  child.stderr?.on('data', (chunk: Buffer) => (fault += chunk))
  const [code] = await once(child, 'close')
  expect(code, fault).toBe(0)
  return outdir
}

/**
 * Returns the code and imported files of a built Worker. wrangler and esbuild name imported files by different hashes, so each is
 * named by its content here.
 */
const contentOf = (folder: string): { code: string; files: string[] } => {
  const files = modulesIn(folder).filter(({ name }) => name.endsWith('.wasm'))
  const contents = files.map(({ name }) => readFileSync(join(folder, name), 'base64'))
  const code = files.reduce(
    (text, { name }, index) => text.replaceAll(name, `file ${contents[index]?.length}`),
    readFileSync(join(folder, 'index.js'), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''),
  )
  return { code, files: contents.sort() }
}

it.each(WORKERS.map(({ folder, config }) => [folder, config]))(
  'wrangler builds %s to the bytes that npm start runs and npm run deploy uploads',
  async (folder, config) => {
    const ours = contentOf(join(await bundleWorkers(), folder))
    const theirs = contentOf(await buildWithWrangler(folder, join(ROOT, config)))
    expect({ code: ours.code === theirs.code, files: ours.files.length }).toEqual({
      code: true,
      files: theirs.files.length,
    })
    expect(ours.files.every((content, index) => content === theirs.files[index])).toBe(true)
  },
)

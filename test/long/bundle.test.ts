import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bundleEntry, ROOT, WORKERS } from '../../local/bundle.ts'

const codeOf = (file: string): string => readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')

const TIMEOUT_MS = 120_000

// What makes them leaner is compared in test/local/lean.test.ts.
it('the bundles are those wrangler makes from the wrangler.toml files, but for what makes them leaner', {
  timeout: TIMEOUT_MS,
}, async () => {
  const out = mkdtempSync(join(tmpdir(), 'galley-bundle-'))
  onTestFinished(() => rmSync(out, { recursive: true }))
  // The writer brings the most foreign code.
  for (const folder of ['media', 'writer']) {
    const config = WORKERS.find((worker) => worker.folder === folder)?.config ?? ''
    const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
    const options = ['deploy', '--dry-run', '-c', join(ROOT, config), '--outdir', join(out, folder)]
    const env = { ...process.env, NODE_ENV: 'production', CI: '1', WRANGLER_SEND_METRICS: 'false' }
    const made = spawnSync(process.execPath, [wrangler, ...options], { cwd: ROOT, env, encoding: 'utf8' })
    expect(made.status, made.stderr).toBe(0)
    const bundled = join(out, `${folder}-bundled`)
    await bundleEntry(join(ROOT, 'functions', folder, 'index.ts'), bundled, dirname(join(ROOT, config)), [])
    const isSame = codeOf(join(bundled, 'index.js')) === codeOf(join(out, folder, 'index.js'))
    expect({ folder, isSame }).toEqual({ folder, isSame: true })
  }
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { launchChromium } from '../../local/browser/chromium.ts'
import { startBrowser } from '../../local/browser/server.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/** Code of a helper that writes its process id to a file, and then writes to the profile until it is killed. */
const HELPER = `import { mkdirSync, writeFileSync } from 'node:fs'
const [, , pidFile, profile] = process.argv
writeFileSync(pidFile, String(process.pid))
let n = 0
setInterval(() => {
  try {
    mkdirSync(profile + '/Default', { recursive: true })
    writeFileSync(profile + '/Default/' + n++, '')
  } catch {}
}, 1)`

/** Returns the code of a browser whose helper continues to write to its profile after the browser was killed. */
const browserWith = (folder: string, detached: boolean): string => `#!${process.execPath}
const { spawn } = require('node:child_process')
const profile = process.argv.find((one) => one.startsWith('--user-data-dir=')).slice(16)
spawn(process.execPath, ['${folder}/helper.mjs', '${folder}/pid', profile], { detached: ${detached}, stdio: 'ignore' })
const { existsSync } = require('node:fs')
setInterval(() => existsSync(profile + '/Default') && console.error('DevTools listening on ws://127.0.0.1:9/devtools'), 20)
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'galley-stand-in-'))
  vi.stubEnv('TMPDIR', folder)
  writeFileSync(join(folder, 'helper.mjs'), HELPER)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const profiles = () => readdirSync(folder).filter((name) => name.startsWith('galley-chromium-'))

const helper = () => Number(readFileSync(join(folder, 'pid'), 'utf8'))

const killAndWait = async (detached: boolean, say: (line: string) => void) => {
  const executable = join(folder, `browser-${detached}`)
  writeFileSync(executable, browserWith(folder, detached))
  chmodSync(executable, 0o755)
  const { kill, ended } = await launchChromium(executable, say)
  kill()
  await ended
}

it('a helper ends with its browser, and the profile is removed', async () => {
  await killAndWait(false, expect.fail)
  await vi.waitFor(() => expect(() => process.kill(helper(), 0)).toThrow('ESRCH'), { timeout: PATIENCE_MS })
  expect(profiles()).toEqual([])
})

it('a helper that keeps writing after its browser ended does no harm; a later start removes the profile', async () => {
  const said: string[] = []
  onTestFinished(() => void process.kill(helper(), 'SIGKILL'))
  await killAndWait(true, (line) => said.push(line))
  for (const line of said) expect(line).toContain(folder)

  const gone = spawn(process.execPath, ['-e', ''])
  await once(gone, 'exit')
  const [left, ours] = [gone.pid, process.pid].map((pid) => join(folder, `galley-chromium-${pid}-x`)) as [
    string,
    string,
  ]
  for (const path of [left, ours]) mkdirSync(join(path, 'Default'), { recursive: true })
  const server = await startBrowser({ executable: '/bin/false' })
  await vi.waitFor(() => expect(existsSync(left)).toBe(false), { timeout: PATIENCE_MS })
  expect(existsSync(ours)).toBe(true)
  await server.close()
})

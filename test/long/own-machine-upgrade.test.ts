import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { type Machine, newMachine } from '../server/machine.ts'
import { PATIENCE_MS } from '../support/patience.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 })

/** What a release needs to run. The packages are linked. */
const PARTS = ['src', 'functions', 'schema', 'local', 'server', 'scripts', 'docs', 'wrangler.toml']

const { DATABASE_URL, ...env } = process.env

/** Returns a folder with a release like this one, as `upgrade` names it. */
const newRelease = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'galley-release-'))
  for (const part of [...PARTS, 'package.json', 'package-lock.json', '.galley/build'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return `${folder}/`
}

describe.skipIf(!DATABASE_URL)('an upgrade of a service on one’s own machine', () => {
  let machine: Machine
  let keeper: ChildProcess
  let [next, broken] = ['', '']

  beforeAll(async () => {
    machine = await newMachine()
    // Starts the service again whenever it ends, as systemd does.
    const start = `"${process.execPath}" "${machine.data}/release/server/main.ts" start --data "${machine.data}"`
    keeper = spawn('/bin/sh', ['-c', `while :; do ${start}; sleep 0.2; done`], { env, stdio: 'ignore', detached: true })
    await vi.waitFor(async () => expect((await machine.run('metrics')).code).toBe(0), { timeout: PATIENCE_MS * 4 })
    next = newRelease()
    broken = newRelease()
    writeFileSync(join(broken, 'server/start.ts'), 'export const start = async () => { throw new Error("broken") }\n')
  })

  afterAll(async () => {
    process.kill(-(keeper.pid ?? 0), 'SIGKILL')
    await machine.remove()
    for (const folder of [next, broken]) rmSync(folder, { recursive: true, force: true })
  })

  const upgradeIn = (root: string): Promise<{ code: number; text: string }> =>
    new Promise((resolve) => {
      const command = [join(root, 'server/main.ts'), 'upgrade', '--data', machine.data]
      execFile(process.execPath, command, { env }, (error, out, err) =>
        resolve({ code: error ? 1 : 0, text: out + err }),
      )
    })

  it('changes nothing if that release runs already', async () => {
    expect(await upgradeIn(ROOT)).toMatchObject({ code: 1, text: expect.stringContaining('already') })
    expect(readlinkSync(join(machine.data, 'release'))).toBe(ROOT)
  })

  it('runs the new release afterwards, with a backup from before', async () => {
    const { code, text } = await upgradeIn(next)
    expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining('The new release runs.') })
    expect(readlinkSync(join(machine.data, 'release'))).toBe(next)
    expect(readdirSync(join(machine.data, 'backups'))).toHaveLength(1)
    expect((await machine.run('metrics')).out).toContain('galley_database_up 1')
  })

  it('goes back to the old release if the new one does not run', async () => {
    const { code, text } = await upgradeIn(broken)
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining('The old one runs again.') })
    expect(readlinkSync(join(machine.data, 'release'))).toBe(next)
    expect((await machine.run('metrics')).out).toContain('galley_database_up 1')
  })
})

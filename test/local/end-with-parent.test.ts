import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { expect, it, vi } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const PARENT = `import { spawn } from 'node:child_process'
import { endWithParent } from '${pathToFileURL(`${ROOT}/local/end-with-parent.ts`)}'
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
endWithParent(child)
console.log(child.pid)`

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it.each(['SIGINT', 'SIGKILL'] as const)('processes that a process started end when %s ends it', async (signal) => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(said)
  expect(isAlive(pid)).toBe(true)
  parent.kill(signal)
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: PATIENCE_MS })
})

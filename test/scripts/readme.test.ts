import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { runScript } from '../support/command.ts'

const TIMEOUT_MS = 600_000

/** README's blocks that are typed by hand against the running service, in their order. */
const byHand = (): string =>
  [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/```sh\n(.*?)```/gs)]
    .map(([, block = '']) => block)
    .filter((block) => block.includes('./.galley/service.json'))
    .join('\n')

const run = async (command: string, args: string[], cwd: string): Promise<string> => {
  const child = spawn(command, args, { cwd })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk))
  await once(child, 'close')
  return out
}

it("README's walk by hand works as printed, after the demo too", { timeout: TIMEOUT_MS }, async () => {
  const home = mkdtempSync(join(tmpdir(), 'galley-readme-'))
  const dir = join(home, '.galley')
  const { DATABASE_URL: _, REDIS_URL: __, ...env } = process.env
  const service = spawn(process.execPath, [join(ROOT, 'local/start.ts'), '--dir', dir, '--port', '0'], { env })
  onTestFinished(async () => {
    service.kill('SIGTERM')
    if (service.exitCode === null) await once(service, 'exit')
    rmSync(home, { recursive: true, force: true })
  })
  let said = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
  while (!said.includes('Galley is running')) {
    if (service.exitCode !== null) throw new Error(said)
    await sleep(50)
  }
  const demo = await runScript('scripts/demo.ts', ['--dir', dir, '--skip-schedule'])
  expect(demo.out.slice(-2_000) + demo.err).toContain('Everything checked out')
  const answers = (await run('bash', ['-c', byHand()], home)).trim().split('\n')
  const published = answers.filter((line) => line.startsWith('{"status":"published"'))
  expect(published, answers.join('\n')).toHaveLength(2)
  for (const line of published)
    expect(JSON.parse(line).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/posts\/sourdough-starter$/)
})

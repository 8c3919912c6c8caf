import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'

/**
 * Tests the commands of README and of the operators' pages for a new person: in printed order, on a fresh clone.
 *
 * If a page shows an answer beside a call, it is compared with the call's output.
 */

const MINUTES = 60_000
const home = mkdtempSync(join(tmpdir(), 'galley-newcomer-'))
const clone = join(home, 'galley')
const MIB = 1024 * 1024

const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

/**
 * Returns the block of shell commands in a document that contains a line. Throws if there is none, or more than one.
 */
const blockWith = (line: string, document: string): string => {
  const text = readFileSync(join(ROOT, document), 'utf8')
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)
  const found = blocks.filter((block) => block.includes(line))
  if (found.length !== 1) throw new Error(`${found.length} blocks of ${document} have the line ${line}`)
  return found[0] ?? ''
}

/** README's commands, without their comments. */
const COMMANDS = blockWith('npm start', 'README.md')
  .trim()
  .split('\n')
  .map((line) => line.replace(/ +#.*/, ''))

/** Environment of a person who never ran this project, without variables of vitest, npm or the packages here. */
const env = Object.fromEntries(
  Object.entries({
    ...process.env,
    PATH: (process.env.PATH ?? '')
      .split(':')
      .filter((folder) => !folder.includes('node_modules'))
      .join(':'),
  }).filter(([name]) => !/^(npm_|VITEST|DATABASE_URL$|REDIS_URL$|NODE_)/.test(name)),
)

type Ended = { code: number | null; out: string }

const sh = async (script: string): Promise<Ended> => {
  const child = spawn('bash', ['-c', script], { cwd: clone, env })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out }
}

/** Bytes of a folder; a file with several names counts once. */
const sizeOf = (folder: string, counted = new Set<number>()): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sum + sizeOf(path, counted)
    const { ino, size } = lstatSync(path)
    if (counted.has(ino)) return sum
    counted.add(ino)
    return sum + size
  }, 0)

/** The lock file: `dev` marks packages that only developers need. */
type Lock = { packages: Record<string, { dev?: boolean }> }

let service: ChildProcess
let said = ''

/** Ctrl-C in the terminal: the signal goes to everything that was started in it. */
const interrupt = async (): Promise<void> => {
  const ended = once(service, 'exit')
  process.kill(-(service.pid ?? 0), 'SIGINT')
  await ended
}

beforeAll(() => {
  const { status, stderr } = spawnSync('git', ['clone', '--quiet', ROOT, clone], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
})
afterAll(async () => {
  if (service && service.exitCode === null && service.signalCode === null) await interrupt()
  rmSync(home, { recursive: true, force: true })
})

it('npm start installs no more than README says, and runs', { timeout: 10 * MINUTES }, async () => {
  // Another port than the usual one, which may be taken on this machine.
  service = spawn('npm', ['start', '--', '--port', '0'], { cwd: clone, env, detached: true })
  for (const stream of [service.stdout, service.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk))
  while (!said.includes('Galley is running')) {
    if (service.exitCode !== null) throw new Error(said)
    await sleep(100)
  }
  expect(said).toMatch(/Base URL +http:\/\/127\.0\.0\.1:\d+\/api\/v1\n +API key +gly_/)
  const stated = Number(/(\d+) MB for `npm start`/.exec(README)?.[1])
  expect(sizeOf(join(clone, 'node_modules')) / MIB).toBeLessThan(stated)
  expect(stated).toBeLessThan(400)
  const locked = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8')) as Lock
  const ofDevelopers = Object.keys(locked.packages).filter((path) => locked.packages[path]?.dev)
  expect(ofDevelopers).toContain('node_modules/knip')
  expect(ofDevelopers.filter((path) => existsSync(join(clone, path)))).toEqual([])
})

it('README starts, shows and tests, with the command that CI runs', () => {
  expect(COMMANDS).toEqual(['npm start', 'npm run demo', 'npm test'])
  expect(readFileSync(join(ROOT, '.ci/run'), 'utf8')).toMatch(/^tests embedded '[^']+' npm test$/m)
})

it('npm run demo walks through everything', { timeout: 10 * MINUTES }, async () => {
  // Without the article that is published on its date, which takes two minutes more.
  const { code, out } = await sh(`${COMMANDS[1]} -- --skip-schedule`)
  expect([code, out.slice(-1_500)]).toEqual([0, expect.stringContaining('Everything checked out')])
})

/** Returns the answer beside a line as a pattern, in which `…` matches anything. */
const stated = (comment: string): RegExp =>
  new RegExp(
    comment
      .split('…')
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('.*'),
  )

it('the calls by hand return the documented answers', { timeout: 5 * MINUTES }, async () => {
  const byHand = blockWith('call() {', 'docs/operations/local.md')
  const { out } = await sh(`${byHand}\n${blockWith('/_control', 'docs/operations/local.md')}`)
  const answers = out.split('\n').filter((line) => line.startsWith('{'))
  const calls = byHand.split('\n').filter((line) => /^call (GET|POST)/.test(line))
  for (const [n, line] of calls.entries()) {
    expect(answers[n], line).not.toContain('"code":')
    const comment = /# +(\{.*\})/.exec(line)?.[1]
    if (comment) expect(answers[n]).toMatch(stated(comment))
  }
  const publications = answers.filter((line) => line.startsWith('{"status":"published"'))
  expect(publications).toHaveLength(2)
  expect(new Set(publications).size).toBe(1)
})

it('the commands of operators work in their order', { timeout: 10 * MINUTES }, async () => {
  // A line with … needs the reader's own keys.
  const lines = blockWith('admin -- account create', 'docs/operations/admin.md')
    .split('\n')
    .filter((line) => line !== '' && !line.includes('…'))
  const { code, out } = await sh(`set -e\n${lines.join('\n')}`)
  expect([code, out]).toEqual([0, expect.stringMatching(/shown this once[\s\S]*cron[\s\S]*revoked/)])
})

it('Ctrl-C ends everything, and data stay for the next start', { timeout: 2 * MINUTES }, async () => {
  const lock = JSON.parse(readFileSync(join(clone, '.galley/lock.json'), 'utf8')) as { children: number[] }
  await interrupt()
  for (const pid of lock.children) expect(() => process.kill(pid, 0)).toThrow()
  expect(existsSync(join(clone, '.galley/data'))).toBe(true)
})

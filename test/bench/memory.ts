import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../../local/root.ts'
import { createCaller } from './caller.ts'
import { memoryOfFamily } from './machine.ts'
import type { Findings } from './report.ts'
import { seedAccount, seedArticles, seedKeys, seedProjects, sqlOver } from './seed.ts'
import { sized } from './sizes.ts'

const READS = sized(10_000, 50)
const CONNECTIONS = 8
/** Below the limit of 30 reads a minute, however fast the machine is. */
const READS_PER_KEY = 25
const ARTICLES = 200
const GOAL_MIB = 900
const START_TIMEOUT_MS = 120_000
const CONTENT = `<h2>What to check</h2><p>${'The chain wears first, then the brake pads. '.repeat(60)}</p>`

type Service = { public_url: string; neon_url: string; connection_string: string }

/** `npm start` on an empty folder, with the embedded database as on anybody's machine. */
const startService = async (dir: string) => {
  const { DATABASE_URL: _, REDIS_URL: __, ...env } = process.env
  const args = [join(ROOT, 'scripts/run.mjs'), 'local/start.ts', '--dir', dir, '--port', '0', '--no-sample']
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await ended
  }
  const file = join(dir, 'service.json')
  for (let waited = 0; !existsSync(file); waited += 100) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
    if (waited > START_TIMEOUT_MS) {
      await close()
      throw new Error('npm start did not come to listen')
    }
    await sleep(100)
  }
  return { service: JSON.parse(readFileSync(file, 'utf8')) as Service, pid: child.pid ?? 0, close }
}

/** Reads the list and single articles in turn over several connections. */
const readAll = async (url: string, keys: readonly string[], articleIds: readonly number[]): Promise<void> => {
  let sent = 0
  const connection = async () => {
    const caller = createCaller(url)
    try {
      for (let n = sent++; n < READS; n = sent++) {
        const path = n % 2 === 0 ? '/articles' : `/articles/${articleIds[n % articleIds.length]}`
        await caller.call('GET', path, keys[n % keys.length] ?? '')
      }
    } finally {
      caller.close()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
}

const total = (held: Record<string, number>): number => Object.values(held).reduce((sum, mib) => sum + mib, 0)

const shares = (held: Record<string, number>): string =>
  Object.entries(held)
    .map(([name, mib]) => `${name} ${mib.toFixed(0)}`)
    .join(', ')

/** Measures the memory of all processes of `npm start` after ten thousand reads. */
export const memory = async (): Promise<Findings> => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-memory-'))
  const { service, pid, close } = await startService(dir)
  try {
    const sql = sqlOver(service.neon_url, service.connection_string)
    const accountId = await seedAccount(sql, 'memory@bench.example')
    const projectIds = await seedProjects(sql, accountId, 3)
    await seedArticles(sql, { accountId, projectIds, count: ARTICLES, weeks: 17, content: CONTENT })
    const ids = await sql<{ id: number }>('select id from articles where account_id = $1::int', [accountId])
    const keys = await seedKeys(sql, accountId, READS / READS_PER_KEY)
    const before = memoryOfFamily(pid)
    await readAll(
      service.public_url,
      keys,
      ids.map(({ id }) => id),
    )
    const after = memoryOfFamily(pid)
    return {
      lines: [
        {
          part: 'memory',
          name: `npm start after ${READS.toLocaleString('en-US')} reads`,
          kind: 'size',
          value: total(after),
          unit: 'MiB',
          goal: { max: GOAL_MIB },
          note: `${total(before).toFixed(0)} MiB before the first; ${shares(after)}`,
        },
      ],
      notes: [],
      details: { before_mib: before, after_mib: after },
    }
  } finally {
    await close()
    rmSync(dir, { recursive: true, force: true })
  }
}

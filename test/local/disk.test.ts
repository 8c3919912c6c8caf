import fs, { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DiskFull, isDiskFull, NEEDED_BYTES, shortageAt, watchDisk } from '../../local/disk.ts'
import type { Backend } from '../../local/neon/backend.ts'
import { backendOf, openPglite } from '../../local/neon/backend-pglite.ts'
import { openDataDir } from '../../local/neon/data-dir.ts'
import { describeFull } from '../../local/start/data.ts'

const free = (bytes: number) =>
  vi.spyOn(fs, 'statfsSync').mockImplementation(() => ({ bavail: bytes / 4096, bsize: 4096 }) as never)

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-disk-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))
beforeEach(() => free(10 * NEEDED_BYTES))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it.each([
  ['of the system', Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' })],
  ['of a quota', Object.assign(new Error('EDQUOT'), { code: 'EDQUOT' })],
  ['of the engine’s file system', { name: 'ErrnoError', errno: 51 }],
  ['of PostgreSQL', Object.assign(new Error('no words'), { code: '53100' })],
  ['of a table', new Error('could not extend file "base/5/16450": wrote only 4096 of 8192 bytes')],
  ['of the log', new Error('could not write to file "pg_wal/xlogtemp.42": No space left on device')],
  ['inside another', new Error('query failed', { cause: Object.assign(new Error('x'), { code: 'ENOSPC' }) })],
])('an error %s is known as a full disk', (_, error) => expect(isDiskFull(error)).toBe(true))

it.each([
  Object.assign(new Error('EACCES'), { code: 'EACCES' }),
  { name: 'ErrnoError', errno: 44 },
  new Error('invalid page in block 0'),
  'ENOSPC',
  undefined,
])('%s is no full disk', (error) => expect(isDiskFull(error)).toBe(false))

it('the error names disk, path and free bytes, and no start with empty data', () => {
  free(12_288)
  const path = join(dir, 'not', 'there', 'yet')
  const told = describeFull(shortageAt(path) as DiskFull)
  expect(told).toMatch(/^The disk at \/.* is full: 12288 bytes \(0\.0 MiB\) are free, and writing to /)
  expect(told).toContain(path)
  expect(told).not.toMatch(/fresh|damage/)
  free(NEEDED_BYTES)
  expect(shortageAt(path)).toBeUndefined()
})

it('says once that the disk is full, and once that it has space again', () => {
  vi.useFakeTimers()
  const say = vi.fn()
  watchDisk(dir, say)
  vi.advanceTimersByTime(10_000)
  expect(say).not.toHaveBeenCalled()
  free(0)
  vi.advanceTimersByTime(30_000)
  free(NEEDED_BYTES)
  vi.advanceTimersByTime(30_000)
  expect(say.mock.calls.map(([sentence]) => String(sentence))).toEqual([
    expect.stringContaining('Calls that write get 503 until there is space'),
    expect.stringContaining('has space again'),
  ])
})

describe('the embedded database', () => {
  const run = (backend: Backend, ...queries: string[]) =>
    backend.run({
      statements: queries.map((query) => ({ query, params: [] })),
      ...(queries.length > 1 ? { begin: 'BEGIN' } : {}),
    })
  const WRITES = [
    ['insert into kept values (3)'],
    ['select a from kept for update'],
    ["select nextval('numbers')"],
    ['create table more (a int)'],
    ['select 1', 'delete from kept'],
  ]
  let place: string
  beforeAll(async () => {
    place = join(dir, 'database')
    const backend = await openPglite({ dir: place })
    await run(backend, 'create table kept (a int)', 'insert into kept values (1), (2)', 'create sequence numbers')
    await backend.close()
  }, 120_000)

  it('is not opened or made on a full disk', async () => {
    free(NEEDED_BYTES - 4096)
    await expect(openPglite({ dir: place })).rejects.toThrow(DiskFull)
    await expect(openPglite({ dir: join(dir, 'other') })).rejects.toThrow(DiskFull)
    expect(existsSync(join(dir, 'other.unfinished'))).toBe(false)
  })

  it('only reads while the disk is full, and writes again afterwards', async () => {
    const backend = await openPglite({ dir: place })
    free(0)
    for (const queries of WRITES)
      await expect(run(backend, ...queries), queries.join()).rejects.toMatchObject({
        name: 'SqlError',
        message: expect.stringMatching(/^The disk at .* is full: 0 bytes/),
        fields: { code: '53100' },
      })
    expect(await run(backend, 'select sum(a) from kept')).toMatchObject([{ rows: [['3']] }])
    expect(await run(backend, 'select 1', 'select 2')).toMatchObject([{ rows: [['1']] }, { rows: [['2']] }])
    await expect(run(backend, 'select nonsense')).rejects.toMatchObject({ fields: { code: '42703' } })
    const [mode] = await run(backend, "select current_setting('transaction_read_only')")
    expect(mode?.rows).toEqual([['on']])
    free(NEEDED_BYTES)
    await run(backend, 'insert into kept values (4)')
    expect(await run(backend, 'select sum(a) from kept')).toMatchObject([{ rows: [['7']] }])
    await run(backend, 'delete from kept where a = 4')
    await backend.close()
  })

  it('opens again by itself after the disk filled up during a write', async () => {
    const engine = await openDataDir({ dir: place })
    const backend = backendOf(engine, place)
    await run(backend, 'insert into kept values (5)')
    await engine.close()
    const stopping = vi.spyOn(engine, 'execProtocolStream')
    stopping.mockRejectedValue(new Error('could not write to file "pg_wal/xlogtemp.42": No space left on device'))
    await expect(run(backend, 'insert into kept values (6)')).rejects.toThrow(DiskFull)
    free(0)
    await expect(run(backend, 'select 1')).rejects.toMatchObject({ fields: { code: '53100' } })
    free(NEEDED_BYTES)
    expect(await run(backend, 'select sum(a) from kept')).toMatchObject([{ rows: [['8']] }])
    expect(stopping).toHaveBeenCalledTimes(1)
    await backend.close()
  })
})

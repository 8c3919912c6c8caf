import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createAlarm } from '../../server/alarm.ts'
import type { Finding } from '../../server/doctor.ts'
import { turnLog } from '../../server/log.ts'
import { metricsOf } from '../../server/metrics.ts'

const finding = (name: string, isWell: boolean): Finding =>
  isWell ? { name, isWell, state: 'fine' } : { name, isWell, state: 'it is away', remedy: 'Start it.' }

/** Lets an alarm hear findings one after the other. Returns the subjects of the mails after each. */
const heard = async (rounds: readonly Finding[][], refusals = 0): Promise<string[]> => {
  const mails: string[] = []
  let refused = 0
  const hear = createAlarm(async (subject, text) => {
    refused += 1
    if (refused <= refusals) throw new Error('the mail server is away')
    expect(text).toMatch(/^[✓✗] /)
    mails.push(subject)
  }, 'https://galley.example')
  for (const findings of rounds) await hear(findings).catch(() => undefined)
  return mails
}

const [well, redisIll, bothIll] = [
  [finding('redis', true), finding('disk', true)],
  [finding('redis', false), finding('disk', true)],
  [finding('redis', false), finding('disk', false)],
]

it('mails once when a part is not well for longer than a moment, and once when all are well', async () => {
  expect(await heard([redisIll, well, redisIll, well])).toEqual([])
  expect(await heard([redisIll, redisIll, redisIll, bothIll, bothIll, redisIll, well, well])).toEqual([
    'https://galley.example: redis not well',
    'https://galley.example: disk not well',
    'https://galley.example: all parts are well again',
  ])
})

it('mails again what was not taken, and nothing about mail itself', async () => {
  expect(await heard([redisIll, redisIll, redisIll], 1)).toEqual(['https://galley.example: redis not well'])
  const noMail = [finding('mail', false)]
  expect(await heard([noMail, noMail, noMail])).toEqual([])
})

it('moves a large log aside, and keeps a small one', () => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-log-'))
  const file = join(dir, 'workers.log')
  turnLog(file)
  writeFileSync(file, 'old lines')
  turnLog(file, 100)
  expect(readFileSync(file, 'utf8')).toBe('old lines')
  turnLog(file, 5)
  expect([readFileSync(file, 'utf8'), readFileSync(`${file}.1`, 'utf8')]).toEqual(['', 'old lines'])
  rmSync(dir, { recursive: true })
})

it('reports a database that does not answer in metrics that can be read', async () => {
  const state = {
    pid: 1,
    release: '0.3.0',
    root: '/opt/galley/',
    address: '127.0.0.1:8787',
    workers_pid: undefined,
    restarts: 2,
    requests: { '2xx': 5, '5xx': 1 },
    open_requests: 0,
    queue: { waiting: 3, due: 0, running: 1 },
    minute_at: 1_790_000_000_500,
  }
  const text = await metricsOf(state, { data: tmpdir(), databaseUrl: 'postgresql://nobody@127.0.0.1:9/none' })
  expect(text).toContain('# TYPE galley_requests counter\n# HELP galley_requests Answers to callers.\n')
  for (const line of [
    'galley_requests_total{status="5xx"} 1',
    'galley_workers_up 0',
    'galley_workers_restarts_total 2',
    'galley_wakes{state="waiting"} 3',
    'galley_minute_seconds 1790000000.5',
    'galley_database_up 0',
  ])
    expect(text.split('\n')).toContain(line)
  expect(text).not.toContain('galley_work_dead')
  expect(text.endsWith('# EOF\n')).toBe(true)
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { ALARMS, type Seen } from '../../scripts/deploy/alarms/list.ts'
import { ringing } from '../../scripts/deploy/alarms/sound.ts'
import { EVENTS } from '../../src/platform/runtime/events.ts'
import type { Log } from '../../src/platform/runtime/log.ts'

const runbook = readFileSync(join(ROOT, 'docs/operations/runbook.md'), 'utf8')

describe('alarms and their runbooks', () => {
  const rows = [...runbook.matchAll(/^\| \[(.+?)\]\(#(.+?)\) \| (.+?) \| (.+?) \|$/gm)]

  it('are the same list, with the same thresholds', () => {
    expect(rows.map(([, name, , when, bad]) => ({ name, when, bad }))).toEqual(
      ALARMS.map(({ name, when, bad }) => ({ name, when, bad })),
    )
  })

  it.each(ALARMS.map(({ name }) => name))('%s has a section with its meaning, who is told, and what to do', (name) => {
    const [, text = ''] = runbook.split(`\n### ${name}\n`)
    const section = text.split('\n### ')[0] ?? ''
    for (const part of ['Means', 'Told', 'Do']) expect(section, name).toMatch(new RegExp(`\\*\\*${part}\\*\\*: *\\S?`))
    expect(rows.find(([, title]) => title === name)?.[2]).toBe(name.toLowerCase().replaceAll(' ', '-'))
  })

  it.each(Object.entries(EVENTS).flatMap(([event, one]) => ('alarm' in one ? [[event, one.alarm] as const] : [])))(
    '%s is explained in the section of its alarm',
    (event, alarm) => {
      const [section] = runbook.split(`\n### ${alarm}\n`)[1]?.split('\n### ') ?? []
      expect(section).toContain(`\`${event}\``)
    },
  )

  it('name only events that exist', () => {
    const named = [...runbook.matchAll(/`([a-z]+\.[a-z_]+)`/g)].map(([, name]) => name ?? '')
    const others = /\.md$|^index\.html$|^observability\./
    expect(named.filter((name) => !(name in EVENTS) && !others.test(name))).toEqual([])
  })

  it('are raised by events that the Workers log, and every declared event is logged', () => {
    const sources = globSync(['src/**/*.{ts,tsx}', 'functions/**/*.{ts,tsx}'], { cwd: ROOT })
      .filter((file) => !file.endsWith('runtime/events.ts'))
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .join('\n')
    for (const event of Object.keys(EVENTS)) expect(sources, event).toContain(`'${event}'`)
  })

  it('refuse an error that is not declared, and another level than the declared one', () => {
    const log: Log = () => undefined
    // @ts-expect-error not declared
    log('error', 'writer.fell_asleep')
    // @ts-expect-error a warning
    log('error', 'writer.refused')
    // @ts-expect-error a level that may be a warning
    log(process.env.X ? 'info' : 'warn', 'writer.fell_asleep')
    log('warn', 'writer.refused')
    log('info', 'writer.woke_up')
  })
})

describe('an alarm', () => {
  const WELL: Seen = {
    healthy: true,
    ready: 200,
    overdueS: 300,
    deadInHour: 0,
    clockAgeS: 300,
    lines: [],
    requests: { 'galley-gateway': 1_000, 'galley-jobs': 100, 'galley-writer': 100 },
  }
  const rung = (seen: Partial<Seen>): string[] => ringing({ ...WELL, ...seen }).map((text) => text.split(':')[0] ?? '')
  const line = (event: string, count = 1, step?: string) => ({ event, step, count })

  it('is silent if everything is at its threshold, and not known to be past it', () => {
    expect(rung({ lines: [line('request.failed', 7), line('page.failed', 3)] })).toEqual([])
    expect(rung({ lines: [line('job.failed', 5), line('writer.refused', 20)] })).toEqual([])
    expect(rung({ lines: [line('cron.step_failed', 2, 'due'), line('cron.step_failed', 2, 'writing')] })).toEqual([])
    expect(rung({ clockAgeS: undefined, lines: undefined, requests: undefined })).toEqual([])
  })

  it('counts by the share of the requests, and by the lines alone if their number is not known', () => {
    const few = { lines: [line('request.failed', 3)] }
    expect(rung(few)).toEqual([])
    expect(rung({ ...few, requests: { 'galley-gateway': 299 } })).toEqual(['Faults'])
    expect(rung({ ...few, requests: undefined })).toEqual(['Faults'])
    expect(rung({ lines: [line('request.failed', 2)], requests: { 'galley-gateway': 2 } })).toEqual([])
  })

  it.each<[string, Partial<Seen>]>([
    ['Not reachable', { healthy: false, ready: 0 }],
    ['Not ready', { ready: 503 }],
    ['Not ready', { ready: 0 }],
    ['Work is late', { overdueS: 301 }],
    ['The clock has stopped', { clockAgeS: 301 }],
    ['The clock has stopped', { clockAgeS: Number.POSITIVE_INFINITY }],
    ['Dead work', { deadInHour: 1 }],
    ['Dead work', { lines: [line('job.dead')] }],
    ['Messages do not arrive', { lines: [line('queue.refused')] }],
    ['Unknown work', { lines: [line('job.unknown')] }],
    ['A step of the clock fails', { lines: [line('cron.step_failed', 3, 'due')] }],
    ['Faults', { lines: [line('request.failed', 6), line('gateway.failed', 5)] }],
    ['Faults', { lines: [line('', 11)] }],
    ['Runs fail', { lines: [line('job.failed', 6)] }],
    ['Payments', { lines: [line('billing.paid_twice')] }],
    ['Mails are not accepted', { lines: [line('notices.not_mailed')] }],
    ['Models refuse', { lines: [line('writer.refused', 21)] }],
    ['A model ends', { lines: [line('models.unlisted')] }],
    ['A model ends', { lines: [line('models.ends')] }],
    ['A provider refuses the service', { lines: [line('keywords.account_refused', 3)] }],
    ['Files are not stored', { lines: [line('media.put_failed')] }],
    ['An account is not erased', { lines: [line('account.not_erased')] }],
    ['Limits are not enforced', { lines: [line('ratelimit.away', 11)] }],
  ])('%s rings alone, past its threshold: %j', (name, seen) => {
    expect(rung(seen)).toEqual([name])
  })

  it('rings for every error, whatever its event', () => {
    for (const [event, declared] of Object.entries(EVENTS)) {
      if (declared.level === 'warn' && 'quiet' in declared) continue
      expect('alarm' in declared, event).toBe(true)
      const lines = [line(event, 100, 'a step')]
      expect(rung({ lines }), event).toEqual(['alarm' in declared ? declared.alarm : ''])
    }
  })
})

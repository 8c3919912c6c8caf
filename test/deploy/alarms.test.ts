import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { ALARMS, type Seen } from '../../scripts/deploy/alarms/list.ts'
import { ringing } from '../../scripts/deploy/alarms/sound.ts'

const runbook = readFileSync(join(ROOT, 'docs/operations/runbook.md'), 'utf8')

describe('alarms and their runbooks', () => {
  const rows = [...runbook.matchAll(/^\| \[(.+?)\]\(#(.+?)\) \| (.+?) \| (.+?) \|$/gm)]

  it('are the same list, with the same thresholds', () => {
    expect(rows.map(([, name, , when, bad]) => ({ name, when, bad }))).toEqual(
      ALARMS.map(({ name, when, bad }) => ({ name, when, bad })),
    )
  })

  it.each(ALARMS.map(({ name }) => name))('%s has a page that says what to do', (name) => {
    const [, text = ''] = runbook.split(`\n### ${name}\n`)
    expect(text.split('\n### ')[0]?.trim().length).toBeGreaterThan(100)
    expect(rows.find(([, title]) => title === name)?.[2]).toBe(name.toLowerCase().replaceAll(' ', '-'))
  })

  it('name events that the Workers log', () => {
    const sources = ['functions/gateway/app.ts', 'functions/jobs/app.ts']
      .concat(
        'src/pages/app.tsx',
        'src/platform/http/app.ts',
        'src/platform/http/ratelimit.ts',
        'src/platform/jobs/executor.ts',
        'src/platform/jobs/settle.ts',
      )
      .concat('src/platform/jobs/queue.ts', 'src/accounts/billing/webhook.ts', 'src/accounts/people/send-mail.ts')
      .concat('src/insights/visibility/scan/ask.ts')
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .join('\n')
    const events = ALARMS.flatMap(({ when }) => [...when.matchAll(/`([a-z]+\.[a-z_]+)`/g)].map(([, event]) => event))
    expect(events.length).toBeGreaterThan(8)
    for (const event of events) expect(sources, event).toContain(`'${event}'`)
  })
})

describe('an alarm', () => {
  const WELL: Seen = { healthy: true, ready: 200, overdueS: 300, deadInHour: 0, clockAgeS: 300, events: {} }
  const rung = (seen: Partial<Seen>): string[] => ringing({ ...WELL, ...seen }).map((text) => text.split(':')[0] ?? '')

  it('is silent if everything is at its threshold, and not known to be past it', () => {
    expect(rung({ events: { 'request.failed': 3, 'jobs.failed': 2, 'cron.step_failed': 9 } })).toEqual([])
    expect(rung({ clockAgeS: undefined, events: undefined })).toEqual([])
  })

  it.each<[string, Partial<Seen>]>([
    ['Not reachable', { healthy: false, ready: 0 }],
    ['Not ready', { ready: 503 }],
    ['Not ready', { ready: 0 }],
    ['Work is late', { overdueS: 301 }],
    ['The clock has stopped', { clockAgeS: 301 }],
    ['The clock has stopped', { clockAgeS: Number.POSITIVE_INFINITY }],
    ['Dead work', { deadInHour: 1 }],
    ['Dead work', { events: { 'job.dead': 1 } }],
    ['Messages do not arrive', { events: { 'queue.refused': 1 } }],
    ['Unknown work', { events: { 'job.unknown': 1 } }],
    ['Faults', { events: { 'request.failed': 4, 'gateway.failed': 2 } }],
    ['Faults', { events: { '': 6 } }],
    ['Payments', { events: { 'billing.paid_twice': 1 } }],
    ['AI models end', { events: { 'visibility.model_unlisted': 1 } }],
    ['AI models end', { events: { 'visibility.model_ends': 1 } }],
    ['Limits are not enforced', { events: { 'ratelimit.away': 1 } }],
  ])('%s rings alone, past its threshold: %j', (name, seen) => {
    expect(rung(seen)).toEqual([name])
  })
})

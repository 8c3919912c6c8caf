import { freeBytesAt } from '../local/disk.ts'
import type { SqlRunner } from '../src/platform/db/client.ts'
import { workload } from '../src/platform/jobs/outbox.ts'
import { VERSION } from '../src/platform/lib/version.generated.ts'
import type { ServiceState } from './control.ts'
import { openStore } from './store.ts'

type Work = { dead: number; overdue_s: number }

/** Returns late and given-up work; undefined if PostgreSQL does not answer. */
const workIn = async (databaseUrl: string): Promise<Work | undefined> => {
  const read = async (run: SqlRunner) => (await run<Work>(workload(new Date())))[0]
  try {
    const database = await openStore(databaseUrl)
    return await read(database.run).finally(() => database.close())
  } catch {
    return undefined
  }
}

type Family = {
  name: string
  type: 'gauge' | 'counter'
  help: string
  samples: readonly [labels: string, value: number][]
}

const one = (name: string, type: Family['type'], help: string, value: number): Family => ({
  name,
  type,
  help,
  samples: [['', value]],
})

const textOf = ({ name, type, help, samples }: Family): string => {
  const suffix = type === 'counter' ? '_total' : ''
  const lines = samples.map(([labels, value]) => `${name}${suffix}${labels} ${value}\n`)
  return `# TYPE ${name} ${type}\n# HELP ${name} ${help}\n${lines.join('')}`
}

/** Type of the text that `metricsOf` returns. */
export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/** Returns the state of a service as OpenMetrics (https://prometheus.io/docs/specs/om/open_metrics_spec/). */
export const metricsOf = async (state: ServiceState, { data, databaseUrl }: { data: string; databaseUrl: string }) => {
  const work = await workIn(databaseUrl)
  const families: Family[] = [
    { name: 'galley', type: 'gauge', help: 'Release.', samples: [[`{release="${VERSION}"}`, 1]] },
    {
      name: 'galley_requests',
      type: 'counter',
      help: 'Answers to callers.',
      samples: Object.entries(state.requests).map(([status, count]) => [`{status="${status}"}`, count]),
    },
    one('galley_requests_open', 'gauge', 'Requests that run now.', state.open_requests),
    one('galley_workers_up', 'gauge', '1 while the Workers run.', state.workers_pid === undefined ? 0 : 1),
    one('galley_workers_restarts', 'counter', 'Times that the Workers ended and were started again.', state.restarts),
    {
      name: 'galley_wakes',
      type: 'gauge',
      help: 'Pieces of work that wait for their time, are due, or run.',
      samples: Object.entries(state.queue).map(([name, count]) => [`{state="${name}"}`, count]),
    },
    one('galley_minute_seconds', 'gauge', 'When the work of a minute last succeeded.', state.minute_at / 1_000),
    one('galley_disk_free_bytes', 'gauge', 'Free space at the data.', freeBytesAt(data)),
    one('galley_database_up', 'gauge', '1 if PostgreSQL answers.', work ? 1 : 0),
    ...(work
      ? [
          one('galley_work_overdue_seconds', 'gauge', 'By how much the oldest work is late.', work.overdue_s),
          one('galley_work_dead', 'gauge', 'Pieces of work that were given up, up to 1000.', work.dead),
        ]
      : []),
  ]
  return `${families.map(textOf).join('')}# EOF\n`
}

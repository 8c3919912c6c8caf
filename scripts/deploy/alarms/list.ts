/** Measurements, each undefined if it failed. */
export type Seen = {
  /** True if one of two requests to `/healthz` succeeded. */
  healthy: boolean
  /** Status of `/readyz`; 0 without an answer. */
  ready: number
  /** Seconds for which the oldest due row has waited without a lease. */
  overdueS: number
  /** Rows that died within the last hour. */
  deadInHour: number
  /** Seconds since the cron last ran; infinite if it never ran. */
  clockAgeS: number | undefined
  /** Log lines of the last five minutes, by event. Lines without one are under an empty name. */
  events: Readonly<Record<string, number>> | undefined
}

/** Alarm of a deployment. */
export type Alarm = {
  /** Heading of its runbook in docs/operations/runbook.md. */
  name: string
  /** Condition under which it sounds, as the runbook states it. */
  when: string
  /** Consequence, for people. */
  bad: string
  /** Returns the measurement if it is past the threshold. `elsewhere`: providers watch it, by budgets set there. */
  judge: ((seen: Seen) => string | undefined) | 'elsewhere'
}

const LATE_S = 300
const CLOCK_S = 300
const FAULTS = 5

const lines = (seen: Seen, events: readonly string[], more = 0): string | undefined => {
  const found = events.filter((event) => (seen.events?.[event] ?? 0) > 0)
  const count = found.reduce((sum, event) => sum + (seen.events?.[event] ?? 0), 0)
  return count > more
    ? `${count} lines ${found.map((event) => event || 'without an event').join(', ')} in 5 minutes`
    : undefined
}

/** Alarms with their thresholds. A test compares this list with the table in docs/operations/runbook.md. */
export const ALARMS: readonly Alarm[] = [
  {
    name: 'Not reachable',
    when: '`/healthz` fails twice',
    bad: 'the service cannot be reached',
    judge: ({ healthy }) => (healthy ? undefined : '/healthz failed twice'),
  },
  {
    name: 'Not ready',
    when: '`/readyz` does not return 200',
    bad: 'no call succeeds, or limits are not enforced',
    judge: ({ healthy, ready }) => (healthy && ready !== 200 ? `/readyz answers ${ready || 'nothing'}` : undefined),
  },
  {
    name: 'Work is late',
    when: `the oldest due row has waited for more than ${LATE_S} s`,
    bad: 'articles are published late',
    judge: ({ overdueS }) => (overdueS > LATE_S ? `the oldest due row waits for ${overdueS} s` : undefined),
  },
  {
    name: 'The clock has stopped',
    when: `the clock last ran more than ${CLOCK_S} s ago, or there is no heartbeat`,
    bad: 'planned articles are not published; lost messages are not repeated',
    judge: ({ clockAgeS = 0 }) => {
      if (clockAgeS === Number.POSITIVE_INFINITY) return 'the clock has not run yet'
      return clockAgeS > CLOCK_S ? `the clock last ran ${clockAgeS} s ago` : undefined
    },
  },
  {
    name: 'Dead work',
    when: 'a row died within the last hour, or a line `job.dead`',
    bad: 'one article, delivery or scan was given up',
    judge: (seen) =>
      seen.deadInHour > 0 ? `${seen.deadInHour} rows died within the last hour` : lines(seen, ['job.dead']),
  },
  {
    name: 'Messages do not arrive',
    when: 'a line `queue.not_arriving`, `queue.refused` or `queue.offer_failed`',
    bad: 'all work will be late',
    judge: (seen) => lines(seen, ['queue.not_arriving', 'queue.refused', 'queue.offer_failed']),
  },
  {
    name: 'Unknown work',
    when: 'a line `job.unknown`',
    bad: 'the work waits for a newer Worker, up to a day',
    judge: (seen) => lines(seen, ['job.unknown']),
  },
  {
    name: 'Faults',
    when: `more than ${FAULTS} lines \`request.failed\`, \`jobs.failed\`, \`page.failed\` or \`gateway.failed\`, or uncaught errors, in 5 minutes`,
    bad: 'some calls return 500',
    judge: (seen) => lines(seen, ['request.failed', 'jobs.failed', 'page.failed', 'gateway.failed', ''], FAULTS),
  },
  {
    name: 'Limits are not enforced',
    when: 'a line `ratelimit.away`',
    bad: 'one caller can use more than its share',
    judge: (seen) => lines(seen, ['ratelimit.away']),
  },
  {
    name: 'Mails are not accepted',
    when: 'a line `mail.failed` or `mail.late`',
    bad: 'people cannot sign up or sign in by mail',
    judge: (seen) => lines(seen, ['mail.failed', 'mail.late']),
  },
  {
    name: 'Payments',
    when: 'a line `billing.paid_twice` or `billing.unknown_price`',
    bad: 'someone paid twice, or paid and has no plan',
    judge: (seen) => lines(seen, ['billing.paid_twice', 'billing.unknown_price']),
  },
  {
    name: 'AI models end',
    when: 'a line `visibility.model_unlisted` or `visibility.model_ends`',
    bad: 'scans use another model, and are not compared with earlier ones',
    judge: (seen) => lines(seen, ['visibility.model_unlisted', 'visibility.model_ends']),
  },
  {
    name: 'Cost',
    when: 'a budget set at a provider is used up',
    bad: 'see `costs.md`',
    judge: 'elsewhere',
  },
]

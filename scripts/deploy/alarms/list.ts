import { EVENTS, type LineAlarm } from '../../../src/platform/runtime/events.ts'

/** Log lines with the same event. Those of the clock's steps also have the step. */
export type Lines = { event: string; step?: string | undefined; count: number }

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
  /** Warnings and errors of the last minutes. Lines without an event are under an empty name. */
  lines: readonly Lines[] | undefined
  /** Requests that each Worker handled in the same minutes. */
  requests: Readonly<Record<string, number>> | undefined
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

/** Threshold of lines: the least number of them, and the least share of a Worker's requests. */
type Threshold = { least: number; share?: { percent: number; of: string }; each?: 'step' }

/** Threshold and consequence of each alarm that log lines raise. */
const OF_LINES: Readonly<Record<LineAlarm, Threshold & { bad: string }>> = {
  'Messages do not arrive': { least: 1, bad: 'all work will be late' },
  'Unknown work': { least: 1, bad: 'the work waits for a newer Worker, up to a day' },
  'A step of the clock fails': {
    least: 3,
    each: 'step',
    bad: 'what the step does is not done, such as publishing on time',
  },
  Faults: { least: 3, share: { percent: 1, of: 'galley-gateway' }, bad: 'some calls return 500 or 503' },
  'Runs fail': { least: 3, share: { percent: 5, of: 'galley-jobs' }, bad: 'work is repeated, and is late' },
  'Limits are not enforced': {
    least: 3,
    share: { percent: 1, of: 'galley-gateway' },
    bad: 'one caller can use more than its share',
  },
  'Mails are not accepted': { least: 1, bad: 'people cannot sign up or sign in by mail' },
  Payments: { least: 1, bad: 'someone paid twice, or paid and has no plan' },
  'Models refuse': {
    least: 3,
    share: { percent: 20, of: 'galley-writer' },
    bad: 'articles are not written, or have no pictures',
  },
  'A model ends': { least: 1, bad: 'the writer, pictures or AI scans will stop or use another model' },
  'A provider refuses the service': { least: 3, bad: 'keyword data, onboarding or screenshots do not work' },
  'Files are not stored': { least: 1, bad: 'pictures and archives cannot be saved' },
  'An account reaches its ceiling': { least: 1, bad: 'its AI scans and keyword data stop until the next month' },
  'An account is not erased': { least: 1, bad: 'data of a deleted account or site still exist' },
  'Dead work': { least: 1, bad: 'one article, delivery or scan was given up' },
}

/** Returns the events that raise an alarm, in alphabetical order. */
const eventsOf = (name: LineAlarm): string[] =>
  Object.entries(EVENTS).flatMap(([event, declared]) => ('alarm' in declared && declared.alarm === name ? [event] : []))

const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter((part) => part).join(' or ')

/** Returns the condition of an alarm, for people. */
const conditionOf = (name: LineAlarm): string => {
  const { least, share, each } = OF_LINES[name]
  const events = eventsOf(name).map((event) => `\`${event}\``)
  const lines = listed(name === 'Faults' ? [...events, 'uncaught errors'] : events)
  const part = share ? `, and more than ${share.percent} % of the requests to \`${share.of}\`` : ''
  return `${least === 1 ? 'a line' : `${least} lines`} ${lines}${each ? `, of one ${each}` : ''}${part}`
}

/** Returns the lines of an alarm if they are past its threshold. */
const judgeLines = (name: LineAlarm, { lines = [], requests }: Seen): string | undefined => {
  const { least, share, each } = OF_LINES[name]
  const raising = name === 'Faults' ? [...eventsOf(name), ''] : eventsOf(name)
  const found = lines.filter(({ event }) => raising.includes(event))
  const groups = each ? found : [{ count: found.reduce((sum, { count }) => sum + count, 0), step: undefined }]
  const worst = groups.reduce((most, one) => (one.count > most.count ? one : most), {
    count: 0,
    step: undefined,
  } as Omit<Lines, 'event'>)
  // Without the number of requests, the least number of lines decides.
  const all = share && requests?.[share.of]
  if (worst.count < least || (share && all && (100 * worst.count) / all <= share.percent)) return undefined
  const names = [...new Set(found.map(({ event }) => event || 'without an event'))].join(', ')
  return `${worst.count} lines ${names}${worst.step ? ` of ${worst.step}` : ''}${all ? ` in ${all} requests to ${share.of}` : ''}`
}

const ofLines = (name: LineAlarm): Alarm => ({
  name,
  when: conditionOf(name),
  bad: OF_LINES[name].bad,
  judge: (seen) => judgeLines(name, seen),
})

const DEAD = ofLines('Dead work')

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
    ...DEAD,
    when: `a row died within the last hour, or ${DEAD.when}`,
    judge: (seen) =>
      seen.deadInHour > 0 ? `${seen.deadInHour} rows died within the last hour` : judgeLines('Dead work', seen),
  },
  ...(Object.keys(OF_LINES) as LineAlarm[]).filter((name) => name !== 'Dead work').map(ofLines),
  {
    name: 'Cost',
    when: 'a budget set at a provider is used up',
    bad: 'see `costs.md`',
    judge: 'elsewhere',
  },
]

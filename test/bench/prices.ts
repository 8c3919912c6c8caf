/** One list price, per unit, with the plan it is of. */
export type Price = { dollars: number; per: string; assumption: string }

const HOURS_A_MONTH = 730

/** List prices as of November 2026; what a plan includes is left out, so that a line says what one more costs. */
export const PRICES = {
  workersMonth: { dollars: 5, per: 'month', assumption: 'Workers Paid; it includes 10 M requests and 30 M ms of CPU' },
  workersRequest: { dollars: 0.3e-6, per: 'request', assumption: 'service bindings are not counted' },
  cpuMs: { dollars: 0.02e-6, per: 'ms of CPU', assumption: 'all Workers of a call together' },
  logEvent: {
    dollars: 0.6e-6,
    per: 'event',
    assumption: 'Workers Logs: each line of the Workers; invocation_logs is off',
  },
  traceSpan: { dollars: 0.6e-6, per: 'span', assumption: 'about 8 spans a call, of one call in two hundred' },
  redisCommand: {
    dollars: 2e-6,
    per: 'command',
    assumption: 'pay as you go; the limiter looks back in one minute of five, a caller making 4 calls a minute',
  },
  redisFixedMonth: { dollars: 10, per: 'month', assumption: '250 MB at a fixed price, however many commands' },
  queueMessage: { dollars: 10e-6, per: 'message', assumption: 'pay as you go; a retry counts again' },
  computeHour: { dollars: 0.25 * 0.106, per: 'hour awake', assumption: 'Neon Launch at 0.25 CU, $0.106 a CU-hour' },
  egressGb: { dollars: 0.1, per: 'GB', assumption: 'Neon, above the 100 GB that are included' },
} as const satisfies Record<string, Price>

/** The limiter looks the minute before up in one minute of five, once for each caller and operation. */
const LOOK_UPS = 1 / 5

/** Returns the look-ups of the limiter that a call adds, for a caller with so many calls in a minute. */
export const lookUpsOf = (callsAMinute: number): number => LOOK_UPS / callsAMinute

/** Of a call that is traced: those that the platform makes of handlers, bindings and fetches. */
const SPANS_A_CALL = 8
const TRACED = 0.005

/** Awake for five minutes after the last statement. */
const SUSPEND_AFTER_HOURS = 5 / 60

/** Average use of one thing. */
export type Use = {
  requests: number
  cpuMs: number
  logEvents: number
  redisCommands: number
  messages: number
  databaseRequests: number
  statements: number
  egressBytes: number
}

/** Dollars for `times` of it, by what they are spent on; the database's hours are counted apart. */
export const costOf = (use: Use, times: number) => ({
  workers: times * (use.requests * PRICES.workersRequest.dollars + use.cpuMs * PRICES.cpuMs.dollars),
  logs: times * (use.logEvents * PRICES.logEvent.dollars + SPANS_A_CALL * TRACED * PRICES.traceSpan.dollars),
  redis: times * use.redisCommands * PRICES.redisCommand.dollars,
  queue: times * use.messages * PRICES.queueMessage.dollars,
  egress: (times * use.egressBytes * PRICES.egressGb.dollars) / 1e9,
})

export const sum = (parts: Record<string, number>): number => Object.values(parts).reduce((a, b) => a + b, 0)

/** Crons of a month, and how long they keep the database awake: all the time when an idle minute asks it, else after each hour's sweep. */
export const idleMonth = (minute: Use) => {
  const minutes = HOURS_A_MONTH * 60
  const awakeHours = minute.databaseRequests > 0 ? HOURS_A_MONTH : HOURS_A_MONTH * SUSPEND_AFTER_HOURS
  return {
    workers: PRICES.workersMonth.dollars,
    redis: costOf(minute, minutes).redis,
    database: awakeHours * PRICES.computeHour.dollars,
    awakeHours,
  }
}

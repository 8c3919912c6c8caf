/** One list price, per unit, with the plan it is of. */
export type Price = { dollars: number; per: string; assumption: string }

const HOURS_A_MONTH = 730

/** List prices as of November 2026, without the quotas that plans include: a line shows the price of one more. */
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

/** Share of minutes in which the limiter reads the minute before, once for each caller and operation. */
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

/** Returns the dollars for `times` of a use, by service. The database's hours are counted separately. */
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

/** One line of a month's bill. `isOwn`: it is on the customer's bill if the customer's own keys are used. */
type MonthLine = { name: string; counted: string; dollars: number; isOwn?: true; source: string }

/** Tokens of one article of 1,200 words: outline, sections, repair and headline. */
const ARTICLE_TOKENS = { input: 25_000, output: 6_000 }
const ARTICLE = (ARTICLE_TOKENS.input * 2.5 + ARTICLE_TOKENS.output * 15) / 1e6
/** Projects, prompts of each, and weeks of a month. */
const ASKED = 5 * 10 * 4.3
const AWAKE_HOURS = HOURS_A_MONTH / 4

/**
 * The month of a small customer, by list prices of 25 November 2026.
 *
 * It has 5 projects, and 100 articles with one picture each, published with receipts. It scans 10 prompts in 5 engines a week. It looks
 * 500 keywords up, sends 2,000 mails and makes a million reads.
 */
const SMALL_CUSTOMER: readonly MonthLine[] = [
  {
    name: 'Workers Paid',
    counted: 'its first 10 M requests and 30 M ms',
    dollars: PRICES.workersMonth.dollars,
    source: 'https://developers.cloudflare.com/workers/platform/pricing/',
  },
  {
    name: 'Neon Launch',
    counted: '0.25 CU, awake a quarter of the time: 182 h at $0.0265',
    dollars: AWAKE_HOURS * PRICES.computeHour.dollars,
    source: 'https://neon.com/pricing',
  },
  {
    name: 'Neon storage',
    counted: '1 GB of data at $0.35, 1 GB of history for instant restore at $0.20; both grow with the articles',
    dollars: 0.35 + 0.2,
    source: 'https://neon.com/pricing',
  },
  {
    name: 'Redis',
    counted: '1 M commands at $2 a million',
    dollars: 1e6 * PRICES.redisCommand.dollars,
    source: 'https://upstash.com/pricing/redis',
  },
  {
    name: 'QStash',
    counted: '5,000 messages at $10 a million',
    dollars: 5_000 * PRICES.queueMessage.dollars,
    source: 'https://upstash.com/pricing/qstash',
  },
  {
    name: 'R2',
    counted: '1 GB of pictures, below the 10 GB that are free',
    dollars: 0,
    source: 'https://developers.cloudflare.com/r2/pricing/',
  },
  {
    name: 'Browser Run',
    counted: 'screenshots, below the 10 hours that are included',
    dollars: 0,
    source: 'https://developers.cloudflare.com/browser-run/pricing/',
  },
  {
    name: 'Mail',
    counted: "2,000, below Resend's 3,000 free ones (100 a day)",
    dollars: 0,
    source: 'https://resend.com/pricing',
  },
  {
    name: 'Writer tokens',
    counted: '100 articles, 25,000 in and 6,000 out each, at $2.50 and $15 a million',
    dollars: 100 * ARTICLE,
    isOwn: true,
    source: "the price list of the model's provider",
  },
  {
    name: 'Pictures',
    counted: '100 at $0.04',
    dollars: 100 * 0.04,
    isOwn: true,
    source: "the price list of the model's provider",
  },
  {
    name: 'Keyword data',
    counted: '500 look-ups at $0.01',
    dollars: 500 * 0.01,
    isOwn: true,
    source: 'https://dataforseo.com/pricing',
  },
  {
    name: 'AI visibility',
    counted: '645 answers of three models at about $0.02, 430 pages of results at $0.004',
    dollars: ASKED * 3 * 0.02 + ASKED * 2 * 0.004,
    isOwn: true,
    source: 'https://dataforseo.com/pricing',
  },
  {
    name: 'Zernio',
    counted: 'no social posts in this month; its plan is by connected profiles',
    dollars: 0,
    source: 'https://zernio.com/pricing',
  },
  {
    name: 'Microworkers',
    counted: "what campaigns offer, and the provider's fee of 7.5 %; none in this month",
    dollars: 0,
    source: 'https://www.microworkers.com',
  },
]

/** Dollars of a month, and with the customer's own keys. */
export const monthTotal = (): { all: number; own: number } => ({
  all: SMALL_CUSTOMER.reduce((total, { dollars }) => total + dollars, 0),
  own: SMALL_CUSTOMER.reduce((total, { dollars, isOwn }) => total + (isOwn ? 0 : dollars), 0),
})

const inDollars = (value: number): string => `$${value.toFixed(2)}`

/** Returns the month's bill as the table of `docs/operations/costs.md`. */
export const monthTable = (): string => {
  const { all, own } = monthTotal()
  return [
    '| Line | Counted | A month | With own keys | Source |',
    '|---|---|---|---|---|',
    ...SMALL_CUSTOMER.map(
      ({ name, counted, dollars, isOwn, source }) =>
        `| ${name} | ${counted} | ${inDollars(dollars)} | ${inDollars(isOwn ? 0 : dollars)} | ${source} |`,
    ),
    `| **Together** | | **${inDollars(all)}** | **${inDollars(own)}** | |`,
  ].join('\n')
}

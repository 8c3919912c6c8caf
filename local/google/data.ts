import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { SqlRunner } from '../../src/platform/db/client.ts'
import { slugify } from '../../src/platform/lib/slug.ts'

/** Numbers of one page for one query on one day. */
export type Fact = {
  day: string
  page: string
  query: string
  impressions: number
  clicks: number
  /** Average position of the day. */
  position: number
  /** True if few people ask the query. Google omits such queries from rows by query. */
  isRare: boolean
}

type QuerySpec = { query: string; perDay: number; position: number; isRare?: boolean }

/** Page and its performance: its share of the usual clicks, and how its numbers change over the months. */
type PageSpec = {
  /** Relative to the origin, or a whole address. */
  path: string
  queries: QuerySpec[]
  /** Share of the clicks that its position usually gets. */
  appeal?: number
  /** Returns the share of its numbers that remains so many days before the last day. */
  over?: (daysAgo: number) => number
}

/** Keyword of a project: the address of its page, if it has one, and the project's language. */
export type Subject = { keyword: string; url: string | null; language: string }

/** A site's made-up search data. */
export type SiteData = {
  /** The days that have data, oldest first. */
  days: readonly string[]
  facts: (day: string) => readonly Fact[]
}

const DAY_MS = 86_400_000
/** Sixteen months: Google keeps data for as long. */
const HISTORY_DAYS = 486

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** Returns a number from 0 to 1 for a name; the same each time. */
const chance = (name: string): number => {
  let hash = 2166136261
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619)
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507)
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296
}

/** Clicks an average result earns per impression, by position. */
const CTR = [0.28, 0.15, 0.1, 0.075, 0.055, 0.042, 0.034, 0.028, 0.024, 0.021]
const usualCtr = (position: number): number => {
  const place = Math.max(1, Math.round(position))
  return CTR[place - 1] ?? Math.max(0.001, 0.018 * 0.9 ** (place - 11))
}

/** Subjects of the sites of this service's samples. */
const TOPICS: readonly (readonly [path: string, subject: string])[] = [
  ['shed-base', 'shed base'],
  ['shed-roof', 'shed roof'],
  ['insulate-a-shed', 'shed insulation'],
  ['paint-a-shed', 'shed paint'],
  ['planning-permission', 'shed planning permission'],
  ['small-sheds', 'small garden shed'],
  ['shed-storage', 'shed storage'],
  ['shed-electricity', 'shed electricity'],
  ['log-store', 'log store'],
  ['bike-shed', 'bike shed'],
  ['garden-office', 'garden office'],
  ['shed-security', 'shed lock'],
]

const SHAPES: readonly ((subject: string) => string)[] = [
  (subject) => subject,
  (subject) => `best ${subject}`,
  (subject) => `${subject} ideas`,
  (subject) => `how to build ${subject}`,
  (subject) => `${subject} cost`,
  (subject) => `${subject} near me`,
]

const ordinary = (seed: string, folder: string): PageSpec[] =>
  TOPICS.map(([path, subject], index) => ({
    path: `${folder}/${path}`,
    queries: SHAPES.map((shape, place) => {
      const query = shape(subject)
      return {
        query,
        perDay: (60 / (1 + place)) * (0.5 + chance(`${seed} ${query} volume`)),
        position: 2 + 14 * chance(`${seed} ${query} place`) + (index % 3),
        isRare: place > 3,
      }
    }),
  }))

/** Queries of a keyword in any language; the shapes above are English. */
const PLAIN_SHAPES: typeof SHAPES = [
  (keyword) => keyword,
  (keyword) => `${keyword} online`,
  (keyword) => `${keyword} tips`,
]

/** Most keywords of a project that have data. */
const MAX_SUBJECTS = 24

const declines = (daysAgo: number): number => (daysAgo > 120 ? 1 : 0.33 + (0.67 * daysAgo) / 120)

/** Kinds of pages for a project's keywords, used in turn: each has something to discover, except the last. */
const CASES: readonly { position?: number; appeal?: number; over?: PageSpec['over'] }[] = [
  { position: 11.4 },
  { position: 2.6, over: declines },
  { position: 3.3, appeal: 0.22 },
  {},
]

const brandQueries = (brand: string): QuerySpec[] => [
  { query: brand, perDay: 90, position: 1.1 },
  { query: `${brand} reviews`, perDay: 20, position: 1.6 },
]

/** Returns the pages for a project's keywords, and its home page. */
const ownPages = (seed: string, brand: string, folder: string, subjects: readonly Subject[]): PageSpec[] => [
  { path: '/', queries: brandQueries(brand) },
  ...subjects.slice(0, MAX_SUBJECTS).map(({ keyword, url, language }, index): PageSpec => {
    const { position, ...how } = CASES[index % CASES.length] ?? {}
    const shapes = language.startsWith('English') ? SHAPES : PLAIN_SHAPES
    return {
      path: url ?? `${folder}/${slugify(keyword)}`,
      queries: shapes.map((shape, place) => ({
        query: shape(keyword.toLowerCase()),
        perDay: (120 / (1 + place)) * (0.5 + chance(`${seed} ${keyword} ${place} volume`)),
        position: (position ?? 2 + 14 * chance(`${seed} ${keyword} place`)) + place * 0.4,
        isRare: place > 3,
      })),
      ...how,
    }
  }),
]

/** Returns pages that each have something to discover. */
const remarkable = (brand: string, folder: string): PageSpec[] => [
  {
    path: '/',
    queries: [...brandQueries(brand), { query: 'garden sheds', perDay: 160, position: 7.4 }],
  },
  {
    // It loses two thirds of its readers over the last four months.
    path: `${folder}/shed-ventilation`,
    queries: [
      { query: 'shed ventilation', perDay: 120, position: 2.4 },
      { query: 'shed condensation', perDay: 80, position: 3.1 },
    ],
    over: declines,
  },
  {
    // Two pages that share their readers.
    path: `${folder}/shed-foundations`,
    queries: [
      { query: 'shed foundations', perDay: 110, position: 8.2 },
      { query: 'concrete base for shed', perDay: 60, position: 9.6 },
    ],
  },
  {
    path: `${folder}/foundations-for-sheds`,
    queries: [
      { query: 'shed foundations', perDay: 90, position: 9.1 },
      { query: 'concrete base for shed', perDay: 55, position: 10.4 },
    ],
  },
  {
    // A good position whose title nobody clicks.
    path: `${folder}/shed-doors`,
    queries: [
      { query: 'shed door repair', perDay: 140, position: 3.2 },
      { query: 'fix shed door', perDay: 90, position: 3.8 },
    ],
    appeal: 0.22,
  },
  {
    // Nearly on the first page.
    path: `${folder}/shed-windows`,
    queries: [
      { query: 'shed windows', perDay: 150, position: 11.3 },
      { query: 'replace shed window', perDay: 70, position: 12.8 },
    ],
  },
  {
    // Gone from the results for six weeks.
    path: `${folder}/shed-moving`,
    queries: [{ query: 'move a shed', perDay: 45, position: 5.2 }],
    over: (daysAgo) => (daysAgo < 42 ? 0 : 1),
  },
]

/** Returns the factor of a day in the year: most people search in spring. */
const season = (day: string): number => {
  const yearPart = (msOf(day) / DAY_MS / 365.25) % 1
  return 1 + 0.35 * Math.sin(2 * Math.PI * (yearPart - 0.12))
}
const weekend = (day: string): number => ([0, 6].includes(new Date(msOf(day)).getUTCDay()) ? 1.25 : 0.95)
/** Returns the factor of a day's age: the site grows by half in a year. */
const trend = (daysAgo: number): number => 1.5 ** (-daysAgo / 365)

/** Returns a whole number next to a mean, above or below it by chance. */
const whole = (mean: number, name: string): number => Math.floor(mean + chance(name))

const factOf = (seed: string, origin: string, day: string, daysAgo: number, page: PageSpec, spec: QuerySpec): Fact => {
  const name = `${seed} ${day} ${page.path} ${spec.query}`
  const mean = spec.perDay * season(day) * weekend(day) * trend(daysAgo) * (page.over?.(daysAgo) ?? 1)
  const impressions = whole(mean * (0.7 + 0.6 * chance(`${name} i`)), `${name} r`)
  const position = Math.max(1, spec.position + 1.6 * (chance(`${name} p`) - 0.5))
  const clicks = Math.min(impressions, whole(impressions * usualCtr(position) * (page.appeal ?? 1), `${name} c`))
  return {
    day,
    page: new URL(page.path, origin).href,
    query: spec.query,
    impressions,
    clicks,
    position,
    isRare: spec.isRare ?? false,
  }
}

/**
 * Returns the search data of a site up to a day, the same for the same site and day.
 *
 * They have a trend, seasons and weekends. One page declines, two share their queries, one has a poor title, one is almost on
 * the first page, and one vanished.
 *
 * `folder` is the path of its articles. The queries are made of `subjects`, the project's keywords, or else the sample's.
 */
export const siteData = (
  origin: string,
  brand: string,
  lastDay: string,
  folder = '/blog',
  subjects?: readonly Subject[],
): SiteData => {
  const seed = createHash('sha256').update(origin).digest('hex').slice(0, 8)
  const pages = subjects
    ? ownPages(seed, brand, folder, subjects)
    : [...remarkable(brand, folder), ...ordinary(seed, folder)]
  const last = msOf(lastDay)
  const days = Array.from({ length: HISTORY_DAYS }, (_, n) => dayOf(last - (HISTORY_DAYS - 1 - n) * DAY_MS))
  const made = new Map<string, Fact[]>()
  const known = new Set(days)
  return {
    days,
    facts: (day) => {
      if (!known.has(day)) return []
      let facts = made.get(day)
      if (!facts) {
        const daysAgo = Math.round((last - msOf(day)) / DAY_MS)
        facts = pages
          .flatMap((page) => page.queries.map((spec) => factOf(seed, origin, day, daysAgo, page, spec)))
          .filter(({ impressions }) => impressions > 0)
        made.set(day, facts)
      }
      return facts
    },
  }
}

/** Returns the keywords of the projects that a Google account connected to a property. */
export type SubjectsOf = (property: string, email: string) => Promise<Subject[]>

/** Keywords of articles, oldest first, then subjects that the scan found on the site. */
const subjects = (property: string, googleSub: string): SQL => sql`
  with connected as (
    select p.id, p.language, p.topics from search_connections c
    join search_sources s on s.id = c.source_id join projects p on p.id = c.project_id
    where s.property = ${property} and c.google_sub = ${googleSub})
  select keyword, min(url) as url, min(language) as language from (
    select lower(a.main_keyword) as keyword, a.url, c.language, a.id as place from articles a join connected c on c.id = a.project_id
    union all
    select lower(topic), null, c.language, 2147483647 from connected c, unnest(string_to_array(c.topics, E'\\n')) as topic) found
  where keyword <> '' group by keyword order by min(place), keyword limit 50`

/** Reads keywords from the database of the local cloud. */
export const subjectsIn =
  (run: SqlRunner): SubjectsOf =>
  (property, email) =>
    run<Subject>(subjects(property, `sub-${email}`))

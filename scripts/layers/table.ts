/** Areas, lowest first. A domain may import from its own area and from earlier ones. */
export const AREAS = ['accounts', 'content', 'insights', 'reach', 'publishing'] as const

/** Folders of the platform, which every domain uses. The platform does not import from domains. */
const PLATFORM = [
  'schema',
  'platform/lib',
  'platform/db',
  'platform/runtime',
  'platform/accounts',
  'platform/jobs',
] as const

/** Folders of the platform and its HTTP, for domains that have operations. */
const HTTP = [...PLATFORM, 'platform/http'] as const

/** Domains with operations, and the other domains that each may import. Add a row here for a new domain. */
const DOMAINS: Readonly<Record<string, readonly string[]>> = {
  'accounts/approvals': ['accounts/notices', 'accounts/people', 'accounts/policy', 'accounts/projects'],
  'accounts/audit': [],
  'accounts/events': ['accounts/audit'],
  'accounts/people': [],
  'accounts/policy': [],
  'accounts/planning': ['accounts/policy'],
  'accounts/projects': ['accounts/people', 'accounts/policy'],
  'accounts/provider-keys': [],
  'content/media': ['accounts/projects'],
  'content/site': ['accounts/projects', 'content/html'],
  'content/exchange': ['accounts/projects', 'content/html', 'content/site'],
  'content/articles': [
    'accounts/approvals',
    'accounts/policy',
    'accounts/projects',
    'content/html',
    'content/seo',
    'content/media',
    'content/site',
    'content/exchange',
  ],
  'content/archive': [
    'accounts/people',
    'accounts/policy',
    'accounts/projects',
    'content/seo',
    'content/media',
    'content/articles',
  ],
  'content/writing': [
    'accounts/policy',
    'accounts/projects',
    'content/html',
    'content/seo',
    'content/cards',
    'content/media',
    'content/articles',
  ],
  'insights/search': ['accounts/projects', 'content/articles'],
  'insights/crawlers': ['accounts/projects', 'content/articles', 'content/site'],
  'insights/traffic': [
    'accounts/projects',
    'content/articles',
    'insights/crawlers',
    'insights/search',
    'insights/visibility',
  ],
  'insights/overview': ['accounts/approvals', 'insights/search'],
  'insights/screenshots': ['content/media'],
  'insights/keywords': ['accounts/projects', 'accounts/provider-keys'],
  'insights/visibility': ['accounts/projects', 'accounts/provider-keys', 'insights/keywords'],
  'insights/onboarding': [
    'accounts/projects',
    'accounts/provider-keys',
    'content/site',
    'content/articles',
    'insights/keywords',
  ],
  'insights/suggestions': [
    'accounts/approvals',
    'accounts/projects',
    'content/html',
    'content/seo',
    'content/site',
    'content/articles',
    'content/writing',
    'insights/search',
    'insights/effects',
    'insights/traffic',
  ],
  'insights/reports': ['accounts/people', 'accounts/projects', 'content/articles'],
  'insights/care': [
    'accounts/projects',
    'content/articles',
    'content/stored',
    'insights/search',
    'insights/suggestions',
  ],
  'reach/outreach': [],
  'reach/crowdwork': ['accounts/approvals', 'accounts/policy', 'accounts/projects'],
  'reach/social': ['accounts/approvals', 'accounts/policy', 'accounts/projects', 'content/media'],
  'reach/profile': ['accounts/approvals', 'accounts/policy', 'accounts/projects', 'reach/social'],
  publishing: [
    'accounts/approvals',
    'accounts/policy',
    'accounts/projects',
    'accounts/provider-keys',
    'content/html',
    'content/seo',
    'content/media',
    'content/site',
    'content/exchange',
    'content/articles',
    'content/stored',
    'content/writing',
    'insights/effects',
    'insights/suggestions',
    'insights/traffic',
    'reach/social',
  ],
}

/** Domains without operations. */
const INNER: Readonly<Record<string, readonly string[]>> = {
  'content/html': ['platform/lib'],
  'content/stored': ['platform/lib', 'content/html'],
  'content/cards': ['platform/lib'],
  'content/seo': ['schema', 'platform/lib', 'platform/db', 'content/html'],
  'insights/page-keys': [...PLATFORM, 'content/articles', 'content/site'],
  'insights/effects': [...PLATFORM, 'insights/search', 'content/articles'],
  'accounts/billing': [...PLATFORM],
  'accounts/oauth': [...PLATFORM, 'accounts/people'],
  'accounts/notices': [...PLATFORM, 'accounts/people'],
  'accounts/restore': [...PLATFORM, 'accounts/people', 'accounts/projects'],
}

const ALL_DOMAINS = [...Object.keys(DOMAINS), ...Object.keys(INNER)]

/** Folders of `src`, and the folders that each may import. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  'platform/lib': ['schema'],
  'platform/db': ['schema', 'platform/lib'],
  'platform/runtime': ['schema', 'platform/lib', 'platform/db'],
  'platform/accounts': ['schema', 'platform/lib', 'platform/db', 'platform/runtime'],
  'platform/jobs': ['schema', 'platform/lib', 'platform/db', 'platform/runtime', 'platform/accounts'],
  'platform/http': [...PLATFORM],
  ...Object.fromEntries(Object.entries(DOMAINS).map(([domain, others]) => [domain, [...HTTP, ...others]])),
  ...INNER,
  providers: [
    ...PLATFORM.filter((folder) => folder !== 'platform/db' && folder !== 'platform/accounts'),
    ...ALL_DOMAINS.filter((domain) => domain !== 'accounts/oauth' && domain !== 'accounts/projects'),
  ],
  operations: [...HTTP, ...Object.keys(DOMAINS)],
  mcp: [...HTTP, 'operations'],
  pages: [...HTTP, ...ALL_DOMAINS, 'mcp', 'providers'],
}

const inSource = (folder: string): string => (folder === 'schema' ? folder : `src/${folder}`)

/**
 * Folders, and the folders that each may import.
 *
 * No two folders import each other. A folder without an entry fails the check, so that each new one is placed on
 * purpose.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  schema: [],
  ...Object.fromEntries(Object.entries(SOURCES).map(([folder, below]) => [inSource(folder), below.map(inSource)])),
  functions: ['schema', ...Object.keys(SOURCES).map(inSource)],
  // What it uses of the Workers' code. No Worker imports it; it has the Workers from `local` as bundles.
  server: [...HTTP, 'accounts/people'].map(inSource),
}

/** Rule for single files: a file that matches `from` may not import one that matches `to`. */
export type FileRule = { name: string; why: string; from: string; fromNot?: string; to: string; toNot?: string }

/** Folders of domains. Each has its own SQL. */
const DOMAIN = 'src/(publishing|[^/]+/[^/]+)'

/** Rules about files in folders. `$1` in `toNot` is the first group that `from` matched. */
export const FILE_RULES: readonly FileRule[] = [
  {
    name: 'sql-is-private',
    why: 'Another domain’s queries and statements are its own: call its verb, or use its writes.ts and parts.ts.',
    from: `^${DOMAIN}/`,
    fromNot: '^src/pages/',
    to: '^src/.*(queries|statements)\\.ts$',
    toNot: '^src/$1/',
  },
  {
    name: 'routes-know-no-sql',
    why: 'Routes call verbs; they know no SQL and no provider.',
    from: '^functions/[^/]+/(?!index\\.|build\\.|checks\\.)',
    to: '(^schema/[^/]+\\.ts$|(queries|statements)\\.ts$|node_modules/drizzle-orm/|^src/providers/)',
  },
  {
    name: 'workers-stand-alone',
    why: 'A Worker imports no other Worker.',
    from: '^functions/([^/]+)/',
    to: '^functions/',
    toNot: '^functions/$1/',
  },
  {
    name: 'providers-stand-alone',
    why: 'A provider knows its port and what adapters share, never another provider.',
    from: '^src/providers/((?:(?:cms|social|data|models)/)?[^/]+)/',
    to: '^src/providers/',
    toNot: '^src/providers/($1/|cms/[^/]+$)',
  },
  {
    name: 'providers-store-nothing',
    why: 'A provider stores nothing: no database, no tables.',
    from: '^src/providers/',
    to: '(^src/platform/db/|^schema/[^/]+\\.ts$|node_modules/drizzle-orm/)',
  },
  {
    name: 'pure-files',
    why: 'Rules, transforms and presenters are pure: no database, clock, network or HTTP.',
    from: '(/|-)(rules|transform|present|settings|transitions|calendar)\\.ts$',
    to: '(^src/platform/(db|http)/|^src/platform/runtime/(?!env\\.ts)|node_modules/(drizzle-orm|hono)/)',
  },
  {
    name: 'lib-is-pure',
    why: 'lib knows no framework and no database, and of the values only the error codes.',
    from: '^src/platform/lib/',
    to: '(^schema/|node_modules/(hono|drizzle-orm|@neondatabase|@upstash)/)',
    toNot: '^schema/values/errors\\.ts$',
  },
  {
    name: 'verbs-know-no-http',
    why: 'Hono is for src/platform/http, what pages share, and the Workers.',
    from: '^src/',
    fromNot: '^src/(platform/http|pages)/',
    to: 'node_modules/(hono|@hono)/',
  },
  {
    name: 'zod-mini',
    why: 'zod/mini: plain zod adds 20 KB gzipped to every Worker.',
    from: '^(src|functions|schema)/',
    to: 'node_modules/zod/(index|v4/index|v4/classic)',
  },
]

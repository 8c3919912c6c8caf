/** What the kernel below every domain is made of. */
const KERNEL = ['schema', 'src/lib', 'src/db', 'src/runtime', 'src/accounts', 'src/jobs'] as const

/** What a domain is built on besides the domains that its row names. */
const BASE = [...KERNEL, 'src/http'] as const

/**
 * Folders with endpoints of their own, and what each may import besides the kernel: the table of operations and the Workers may
 * import all of them. A new domain has its row here and nowhere else.
 */
const DOMAINS: Readonly<Record<string, readonly string[]>> = {
  'src/audit': [],
  'src/projects': [],
  'src/outreach': [],
  'src/people': [],
  'src/policy': [],
  'src/provider-keys': [],
  'src/media': ['src/projects'],
  'src/crowdwork': ['src/projects'],
  'src/search': ['src/projects'],
  'src/screenshots': ['src/media'],
  'src/site': ['src/html', 'src/projects'],
  'src/social': ['src/media', 'src/projects'],
  'src/keywords': ['src/projects', 'src/provider-keys'],
  'src/profile': ['src/projects', 'src/social'],
  'src/catalog': ['src/projects', 'src/provider-keys', 'src/social'],
  'src/exchange': ['src/html', 'src/projects', 'src/site'],
  'src/visibility': ['src/projects', 'src/keywords', 'src/provider-keys'],
  'src/articles': ['src/html', 'src/seo', 'src/media', 'src/projects', 'src/site', 'src/exchange'],
  'src/writing': ['src/html', 'src/seo', 'src/cards', 'src/media', 'src/projects', 'src/articles'],
  'src/onboarding': ['src/projects', 'src/site', 'src/provider-keys', 'src/keywords', 'src/articles'],
  'src/publishing': [
    'src/html',
    'src/seo',
    'src/media',
    'src/projects',
    'src/site',
    'src/exchange',
    'src/social',
    'src/articles',
    'src/effects',
  ],
  'src/suggestions': [
    'src/html',
    'src/seo',
    'src/projects',
    'src/articles',
    'src/writing',
    'src/search',
    'src/effects',
  ],
}

/**
 * Which folder may import which others. Arrows only point down: no two folders import each other. A folder that is not here
 * fails the check, so a new one is put in its place on purpose.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'src/lib': [],
  schema: [],
  'src/html': ['src/lib'],
  'src/db': ['schema', 'src/lib'],
  'src/runtime': ['schema', 'src/lib', 'src/db'],
  'src/accounts': ['schema', 'src/lib', 'src/db', 'src/runtime'],
  'src/jobs': ['schema', 'src/lib', 'src/db', 'src/runtime'],
  'src/http': [...KERNEL],
  'src/seo': ['schema', 'src/lib', 'src/html', 'src/db'],
  'src/cards': ['src/lib'],
  ...Object.fromEntries(Object.entries(DOMAINS).map(([folder, others]) => [folder, [...BASE, ...others]])),
  'src/effects': [...KERNEL, 'src/search', 'src/articles'],
  'src/providers': [
    'schema',
    'src/lib',
    'src/jobs',
    'src/html',
    'src/seo',
    'src/runtime',
    'src/provider-keys',
    'src/keywords',
    'src/onboarding',
    'src/media',
    'src/writing',
    'src/publishing',
    'src/screenshots',
    'src/visibility',
    'src/profile',
    'src/social',
    'src/people',
    'src/billing',
    'src/search',
    'src/suggestions',
    'src/crowdwork',
  ],
  'src/operations': ['src/http', 'src/accounts', 'src/runtime', ...Object.keys(DOMAINS)],
  'src/billing': [...KERNEL],
  'src/oauth': [...KERNEL, 'src/people'],
  'src/pages': [...BASE, 'src/people', 'src/oauth', 'src/mcp'],
  'src/mcp': ['schema', 'src/lib', 'src/accounts', 'src/runtime', 'src/http', 'src/operations'],
  functions: [
    ...KERNEL,
    ...Object.keys(DOMAINS),
    'src/html',
    'src/seo',
    'src/effects',
    'src/mcp',
    'src/people',
    'src/billing',
    'src/oauth',
    'src/pages',
    'src/http',
    'src/operations',
    'src/cards',
    'src/providers',
  ],
}

/** A rule over single files: what matches `from` may not import what matches `to`. */
export type FileRule = { name: string; why: string; from: string; fromNot?: string; to: string; toNot?: string }

/** Folders of domains: each has SQL of its own. */
const DOMAIN = 'src/([^/]+)'

/** Rules that go below the folder. `$1` in `toNot` is what the first group of `from` matched. */
export const FILE_RULES: readonly FileRule[] = [
  {
    name: 'sql-is-private',
    why: 'Another domain’s queries and statements are its own: call its verb, or a part from its parts.ts.',
    from: `^${DOMAIN}/`,
    to: '(queries|statements)\\.ts$',
    toNot: '^src/$1/',
  },
  {
    name: 'routes-know-no-sql',
    why: 'Routes call verbs; they know no SQL and no provider.',
    from: '^functions/[^/]+/app\\.ts$',
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
    from: '^src/providers/([^/]+)/',
    to: '^src/providers/',
    toNot: '^src/providers/($1|cms)/',
  },
  {
    name: 'providers-store-nothing',
    why: 'A provider stores nothing: no database, no tables.',
    from: '^src/providers/',
    to: '(^src/db/|^schema/[^/]+\\.ts$|node_modules/drizzle-orm/)',
  },
  {
    name: 'pure-files',
    why: 'Rules, transforms and presenters are pure: no database, clock, network or HTTP.',
    from: '(/|-)(rules|transform|present|settings|transitions|calendar)\\.ts$',
    to: '(^src/(db|http)/|^src/runtime/(?!env\\.ts)|node_modules/(drizzle-orm|hono)/)',
  },
  {
    name: 'lib-is-pure',
    why: 'lib knows no framework and no database.',
    from: '^src/lib/',
    to: 'node_modules/(hono|drizzle-orm|@neondatabase|@upstash)/',
  },
  {
    name: 'verbs-know-no-http',
    why: 'Hono is for src/http, what pages share, and the Workers.',
    from: '^src/',
    fromNot: '^src/(http|pages)/',
    to: 'node_modules/(hono|@hono)/',
  },
  {
    name: 'zod-mini',
    why: 'zod/mini: plain zod adds 20 KB gzipped to every Worker.',
    from: '^(src|functions|schema)/',
    to: 'node_modules/zod/(index|v4/index|v4/classic)',
  },
]

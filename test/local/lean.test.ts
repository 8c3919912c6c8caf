import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns, isTable, type Table } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { build, type Plugin } from 'esbuild'
import { SignJWT } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { LEAN, ROOT, WORKERS } from '../../local/bundle.ts'
import { withoutUnused } from '../../local/lean-driver.ts'

const SCHEMA = join(ROOT, 'schema')

const bundled = async (contents: string, external: string[] = []): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    minifySyntax: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2024',
    write: false,
    external,
    plugins: LEAN,
  })
  return outputFiles[0]?.text ?? ''
}

const imported = async (code: string): Promise<Record<string, unknown>> =>
  await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)

/** What a statement is made from: names and types of a table and its columns, and what is filled in. */
const shapeOf = (table: Table) =>
  Object.entries(getTableColumns(table)).map(([key, column]) => ({
    key,
    name: column.name,
    type: column.getSQLType(),
    notNull: column.notNull,
    hasDefault: column.hasDefault,
    isPrimary: column.primary,
    generated: column.generated !== undefined,
    values: column.enumValues,
  }))

describe('tables in bundles', () => {
  it('have the columns of the schema, and no indexes, checks or foreign keys', async () => {
    const files = readdirSync(SCHEMA).filter((name) => name.endsWith('.ts'))
    const code = await bundled(
      [
        `export { getTableColumns } from 'drizzle-orm'`,
        `export { getTableConfig } from 'drizzle-orm/pg-core'`,
        ...files.map((name) => `export * from './schema/${name}'`),
      ].join('\n'),
    )
    const lean = await imported(code)
    const columnsOf = lean.getTableColumns as typeof getTableColumns
    const configOf = lean.getTableConfig as typeof getTableConfig
    let tables = 0
    for (const name of files) {
      const whole: Record<string, unknown> = await import(join(SCHEMA, name))
      for (const [key, table] of Object.entries(whole)) {
        if (!isTable(table)) continue
        tables += 1
        const own = lean[key] as PgTable
        expect(Object.keys(columnsOf(own)), key).toEqual(Object.keys(getTableColumns(table)))
        expect(shapeOf(own), key).toEqual(shapeOf(table))
        const { indexes, checks, foreignKeys, name: called } = configOf(own)
        expect([indexes, checks, foreignKeys]).toEqual([[], [], []])
        expect(called).toBe(getTableConfig(table as PgTable).name)
      }
    }
    expect(tables).toBeGreaterThan(60)
  })

  it('make a column when it is first read, once, and not while they are loaded', async () => {
    const { readOnce } = await imported(
      await bundled(`
import { articles } from './schema/articles.ts'
const isMade = (key) => 'value' in Object.getOwnPropertyDescriptor(articles, key)
const readOnce = [isMade('title'), articles.title.name, isMade('title'), articles.title === articles.title, isMade('slug')]
export { readOnce }`),
    )
    expect(readOnce).toEqual([false, 'title', true, true, false])
  })

  it('bring no kinds of columns that they do not have', async () => {
    const code = await bundled(`export { articles } from './schema/articles.ts'`)
    expect(code).toContain('PgTimestamp')
    expect(code).not.toMatch(/PgCidr|PgHalfVector/)
  })

  it('are only those that are used', async () => {
    const code = await bundled(`import { deliveries } from './schema/deliveries.ts'\nconsole.log(deliveries)`)
    expect(code).toContain('"deliveries"')
    for (const other of ['delivery_attempts', 'integrations', 'articles', 'accounts'])
      expect(code).not.toContain(`lateTable("${other}"`)
  })
})

/** zod that tells `globalThis.schemaMade` of each schema it makes. */
const tellingZod: Plugin = {
  name: 'telling-zod',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]core\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8')
      const contents = code.replace(/function init\(inst, def\) \{/, '$& globalThis.schemaMade?.();')
      return contents === code ? { errors: [{ text: 'zod makes schemas in another way' }] } : { contents }
    })
  },
}

describe('schemas in bundles', () => {
  /** Runs `work` and says how many schemas were made meanwhile, those inside of others counted too. */
  const countingSchemas = async (work: () => Promise<unknown> | unknown): Promise<number> => {
    let made = 0
    vi.stubGlobal('schemaMade', () => {
      made += 1
    })
    try {
      await work()
    } finally {
      vi.unstubAllGlobals()
    }
    return made
  }

  /** better-auth and the MCP server make theirs as they load. Fonts and drawing of cards are no code that Node imports. */
  const OTHERS = ['signin', 'mcp', 'cards']
  const OWN = WORKERS.map(({ folder }) => folder).filter((folder) => !OTHERS.includes(folder))

  it('are made by no Worker while it loads', async () => {
    const { outputFiles } = await build({
      entryPoints: OWN.map((folder) => ({ in: join(ROOT, 'functions', folder, 'index.ts'), out: folder })),
      bundle: true,
      format: 'esm',
      platform: 'browser',
      conditions: ['workerd', 'worker', 'browser'],
      target: 'es2024',
      outdir: 'none',
      write: false,
      external: ['node:*'],
      alias: { 'cloudflare:workers': join(ROOT, 'test/support/cloudflare-workers.ts') },
      plugins: [tellingZod, ...LEAN],
    })
    expect(outputFiles).toHaveLength(OWN.length)
    for (const { path, text } of outputFiles)
      expect([path, await countingSchemas(() => imported(text))]).toEqual([path, 0])
  })

  it('are made when they are first asked, once, and read as in the source', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `export { CreateArticle, ListArticles } from './src/articles/schemas.ts'
export { fieldNames } from './src/http/ignored.ts'`,
        resolveDir: ROOT,
      },
      bundle: true,
      format: 'esm',
      write: false,
      plugins: [tellingZod, ...LEAN],
    })
    const late = await imported(outputFiles[0]?.text ?? '')
    const source = await import('../../src/articles/schemas.ts')
    const { CreateArticle, ListArticles } = late as unknown as typeof source
    const fieldNames = late.fieldNames as typeof import('../../src/http/ignored.ts').fieldNames
    const values = [{ project_id: 7, keyword: ' sheds ', status: 'planned' }, { project_id: 'x' }, { keyword: 3 }, null]
    const read = () => values.map((value) => CreateArticle.safeParse(value))
    expect(fieldNames(CreateArticle)).toContain('keyword')
    expect(await countingSchemas(read)).toBeGreaterThan(0)
    expect(await countingSchemas(read)).toBe(0)
    const plainly = (results: ReturnType<typeof read>) =>
      results.map(({ success, data, error }) => ({ success, data, issues: error?.issues }))
    expect(plainly(read())).toEqual(plainly(values.map((value) => source.CreateArticle.safeParse(value))))
    expect(fieldNames(ListArticles)).toEqual(fieldNames(source.ListArticles))
  })

  it('bring nothing of zod that is not used', async () => {
    const code = await bundled(`export * from './src/providers/ahrefs/transform.ts'`)
    expect(code).toContain('constantCatch')
    expect(code).not.toContain('util_exports')
  })
})

describe('the driver in bundles', () => {
  it('answers over HTTP and brings no pool', async () => {
    const code = await bundled(`export { neon, neonConfig, types, NeonDbError } from '@neondatabase/serverless'`)
    for (const unused of ['BoundPool', 'No WebSocket proxy is configured', 'startTls', 'readInt32BE'])
      expect(code).not.toContain(unused)
    const { neon, neonConfig, types, NeonDbError } = (await imported(code)) as typeof import('@neondatabase/serverless')
    const asked: unknown[] = []
    const rows = {
      fields: [
        { name: 'n', dataTypeID: 23 },
        { name: 'at', dataTypeID: 1184 },
        { name: 'tags', dataTypeID: 1009 },
      ],
      rows: [['7', '2026-11-22 10:00:00+00', '{a,"b c"}']],
      rowCount: 1,
      command: 'SELECT',
    }
    neonConfig.fetchFunction = async (url: string, init: RequestInit) => {
      asked.push(url, JSON.parse(String(init.body)))
      return asked.length === 2 ? Response.json(rows) : Response.json({ message: 'no', code: '23505' }, { status: 400 })
    }
    const sql = neon('postgresql://user:secret@db.galley.example/main')
    types.setTypeParser(1184, (text: string) => text)
    const given = [1, new Date(0), ['x', 'y'], { a: 1 }, null, Buffer.from([1, 255])]
    expect(await sql.query('select $1, $2, $3, $4, $5, $6', given)).toEqual([
      { n: 7, at: '2026-11-22 10:00:00+00', tags: ['a', 'b c'] },
    ])
    expect(asked[0]).toBe('https://api.galley.example/sql')
    expect((asked[1] as { params: unknown[] }).params).toEqual([
      '1',
      expect.stringMatching(/^19(69|70)-/),
      '{"x","y"}',
      '{"a":1}',
      null,
      '\\x01ff',
    ])
    const fault = await sql.query('select 1').catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(NeonDbError)
    expect(fault).toMatchObject({ name: 'NeonDbError', code: '23505' })
  })

  it('reads its connection string once, and another driver reads its own', async () => {
    const code = await bundled(`export { neon, neonConfig } from '@neondatabase/serverless'`)
    const { neon, neonConfig } = (await imported(code)) as typeof import('@neondatabase/serverless')
    const asked: [string, string | null][] = []
    neonConfig.fetchFunction = async (url: string, init: RequestInit) => {
      asked.push([url, new Headers(init.headers).get('Neon-Connection-String')])
      return Response.json({ fields: [], rows: [], rowCount: 0, command: 'SELECT' })
    }
    const RealUrl = globalThis.URL
    let urls = 0
    globalThis.URL = class extends RealUrl {
      constructor(text: string | URL, base?: string | URL) {
        super(text, base)
        urls += 1
      }
    } as typeof URL
    try {
      const [one, other] = [
        neon('postgresql://a:1@one.galley.example/x'),
        neon('postgresql://b:2@two.galley.example/y'),
      ]
      for (const sql of [one, one, other, one]) await sql.query('select 1')
      const made = urls
      await one.query('select 1')
      expect(urls).toBe(made)
      expect(made).toBeGreaterThan(0)
    } finally {
      globalThis.URL = RealUrl
    }
    const hosts = asked.map(([url]) => new URL(url).hostname)
    expect(hosts.every((name) => name === 'api.galley.example')).toBe(true)
    const users = asked.map(([, given]) => (given === null ? undefined : new URL(given).username))
    expect(users).toEqual(['a', 'a', 'b', 'a', 'a'])
  })

  it('asks nothing of Node as it loads, and brings no copies of its modules', async () => {
    const code = await bundled(`export { neon, types } from '@neondatabase/serverless'`)
    expect(code).not.toContain('5d41402abc4b2a76b9719d911017c592')
    expect(code).not.toContain('allocUnsafe')
    const watched = `
export const named = []
const real = { Buffer: globalThis.Buffer, process: globalThis.process }
for (const name of Object.keys(real))
  Object.defineProperty(globalThis, name, { configurable: true, get: () => (named.push(name), real[name]) })
${code}
for (const name of Object.keys(real))
  Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: real[name] })`
    const { named, types } = (await imported(watched)) as {
      named: string[]
    } & typeof import('@neondatabase/serverless')
    expect(named).toEqual([])
    const bytes: unknown = types.getTypeParser(17)('\\x01ff')
    expect(bytes).toEqual(Buffer.from([1, 255]))
  })

  it('is refused where it is built otherwise', () => {
    expect(() => withoutUnused('export const neon = 1')).toThrow(/built otherwise.*the helper that gives functions/)
  })
})

describe('drizzle in bundles', () => {
  /** One statement of each kind, as it would be sent. */
  const statements = `
const db = drizzle(neon('postgresql://user:secret@db.galley.example/main'))
const rows = db.select({ id: projects.id, name: accounts.email }).from(projects)
  .innerJoin(accounts, eq(accounts.id, projects.accountId)).where(eq(projects.id, 7)).orderBy(projects.id).limit(2)
const due = db.$with('due').as(db.select({ id: projects.id }).from(projects).where(eq(projects.id, 8)))
export const statements = [
  rows,
  db.select().from(rows.as('own')).union(db.select({ id: accounts.id, name: accounts.email }).from(accounts)),
  db.with(due).update(projects).set({ timezone: 'UTC' }).from(due).where(eq(projects.id, due.id)).returning({ id: projects.id }),
  db.insert(accounts).values({ email: 'jo@example.com' }).onConflictDoUpdate({ target: accounts.email, set: { plan: 'pro' } }),
  db.delete(projects).where(eq(projects.id, 9)),
].map((statement) => statement.toSQL())
export const sent = async (fetchFunction) => {
  neonConfig.fetchFunction = fetchFunction
  const [first, second] = await db.batch([db.select({ id: projects.id }).from(projects), db.execute(sql\`select 1 as n\`)])
  return [first, second.rows]
}`
  const imports = [
    `import { drizzle } from 'drizzle-orm/neon-http'`,
    `import { eq, sql } from 'drizzle-orm'`,
    `import { neon, neonConfig } from '@neondatabase/serverless'`,
    `import { accounts } from './schema/accounts.ts'`,
    `import { projects } from './schema/projects.ts'`,
  ].join('\n')

  it('makes the statements that it always made, and brings no queries by relations and no migrations', async () => {
    const code = await bundled(imports + statements)
    for (const unused of [
      'RelationalQueryBuilder',
      'extractTablesRelationalConfig',
      '__drizzle_migrations',
      'PgRefreshMaterializedView',
    ])
      expect(code).not.toContain(unused)
    const { outputFiles } = await build({
      stdin: { contents: imports + statements, resolveDir: ROOT },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    })
    const [lean, whole] = [await imported(code), await imported(outputFiles[0]?.text ?? '')]
    expect(lean.statements).toHaveLength(5)
    expect(lean.statements).toEqual(whole.statements)
    const results = [
      { fields: [{ name: 'id', dataTypeID: 23 }], rows: [['7']], rowCount: 1, command: 'SELECT' },
      { fields: [{ name: 'n', dataTypeID: 23 }], rows: [['1']], rowCount: 1, command: 'SELECT' },
    ]
    const sent = lean.sent as (fetchFunction: unknown) => Promise<unknown>
    expect(await sent(async () => Response.json({ results }))).toEqual([[{ id: 7 }], [{ n: 1 }]])
  })
})

describe('the limiter in bundles', () => {
  it('counts as it is told, and brings no statistics, no limits over several regions and no scripts', async () => {
    const code = await bundled(`export { Ratelimit } from '@upstash/ratelimit'`)
    expect(code).not.toContain('MultiRegionRatelimit')
    expect(code).not.toContain('validateTableName')
    expect(code).not.toContain('INCRBY')
    const { Ratelimit } = (await imported(code)) as typeof import('@upstash/ratelimit')
    const counted: string[] = []
    const limiter = () => ({
      limit: async (_: unknown, key: string) => {
        counted.push(key)
        return { success: true, limit: 2, remaining: 1, reset: 60_000, pending: Promise.resolve() }
      },
      getRemaining: async () => ({ remaining: 1, reset: 60_000, limit: 2 }),
      resetTokens: async () => {},
    })
    const redis = {} as ConstructorParameters<typeof Ratelimit>[0]['redis']
    const settings = { redis, limiter, prefix: 'lists', timeout: 0, ephemeralCache: false as const }
    const verdict = await new Ratelimit(settings).limit('someone')
    expect(verdict).toMatchObject({ success: true, limit: 2, remaining: 1, reset: 60_000 })
    expect(counted).toEqual(['lists:someone'])
    expect(() => new Ratelimit({ ...settings, analytics: true })).toThrow(/Statistics of limits/)
  })
})

describe('the queue in bundles', () => {
  const ADDRESS = 'https://galley.example/jobs/run'
  const BODY = '{"outbox_id":1}'
  const signed = async (key: string): Promise<string> =>
    await new SignJWT({ body: createHash('sha256').update(BODY).digest('base64url') })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('Upstash')
      .setSubject(ADDRESS)
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(key))

  it('sends messages and knows their signatures, asks nothing of the process, and brings nothing else that QStash does', async () => {
    const code = await bundled(`export { Client, Receiver } from '@upstash/qstash'`)
    for (const unused of ['globalThis.process', 'qstash/versions', 'v2/schedules', 'v2/dlq', 'ResultAsync'])
      expect(code).not.toContain(unused)
    const { Client, Receiver } = (await imported(code)) as typeof import('@upstash/qstash')
    const asked: [string, unknown][] = []
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      asked.push([url, JSON.parse(String(init.body))])
      return Response.json([{ messageId: 'msg_1' }])
    })
    try {
      const client = new Client({ baseUrl: 'https://qstash.galley.example', token: 'none', enableTelemetry: false })
      expect(await client.batchJSON([{ url: ADDRESS, body: { outbox_id: 1 } }])).toEqual([{ messageId: 'msg_1' }])
    } finally {
      vi.unstubAllGlobals()
    }
    expect(asked).toMatchObject([['https://qstash.galley.example/v2/batch', [{ body: BODY, destination: ADDRESS }]]])
    const receiver = new Receiver({ currentSigningKey: 'current', nextSigningKey: 'next' })
    const verify = async (key: string) =>
      await receiver.verify({ signature: await signed(key), body: BODY, url: ADDRESS })
    expect([await verify('current'), await verify('next')]).toEqual([true, true])
    await expect(verify('other')).rejects.toThrow(/signature verification failed/)
  })
})

describe('language models in bundles', () => {
  it('answer prompts, and bring no gateway, no tools and nothing of zod that is not used', async () => {
    const code = await bundled(
      `export { generateText } from 'ai'
export { createAnthropic } from '@ai-sdk/anthropic'
export { createOpenAICompatible } from '@ai-sdk/openai-compatible'`,
      ['node:*'],
    )
    for (const unused of ['ai-gateway.vercel.sh', 'AnthropicFiles', 'ExtractionLanguageModel', 'fromJSONSchema'])
      expect(code).not.toContain(unused)
    const { generateText, createAnthropic, createOpenAICompatible } = (await imported(code)) as typeof import('ai') &
      typeof import('@ai-sdk/anthropic') &
      typeof import('@ai-sdk/openai-compatible')
    const asked: string[] = []
    const answering = (body: unknown) => async (input: unknown) => {
      asked.push(String(input))
      return Response.json(body)
    }
    const anthropic = createAnthropic({
      apiKey: 'none',
      fetch: answering({
        type: 'message',
        id: 'm',
        model: 'x',
        role: 'assistant',
        content: [{ type: 'text', text: 'Oak.' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    })
    const compatible = createOpenAICompatible({
      name: 'writer',
      baseURL: 'https://models.galley.example/v1',
      fetch: answering({
        id: 'm',
        model: 'x',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Elm.' }, finish_reason: 'stop' }],
      }),
    })
    const said = [
      await generateText({ model: anthropic('x'), prompt: 'Which wood?' }),
      await generateText({ model: compatible('x'), prompt: 'Which wood?' }),
    ]
    expect(said.map(({ text, finishReason }) => [text, finishReason])).toEqual([
      ['Oak.', 'stop'],
      ['Elm.', 'stop'],
    ])
    expect(asked).toEqual([
      'https://api.anthropic.com/v1/messages',
      'https://models.galley.example/v1/chat/completions',
    ])
  })
})

describe('sign-in in bundles', () => {
  const ASKED = `
import { createAuth } from './src/people/auth.ts'
export { createAuth }
`

  it('brings no social networks, no database of its own, no encrypted cookies and no telemetry', async () => {
    const code = await bundled(ASKED, ['node:*'])
    const unused = ['accounts.google.com', 'graph.facebook.com', 'A256CBC-HS512', 'anonymousId']
    expect(unused.filter((text) => code.includes(text))).toEqual([])
    expect(code.includes('/sign-in/email')).toBe(true)
  })

  it('has the endpoints that are called, and no others', async () => {
    const { createAuth } = (await imported(await bundled(ASKED, ['node:*']))) as {
      createAuth: (deps: unknown) => { api: object }
    }
    const { api } = createAuth({
      ...{ db: {}, publicUrl: 'https://api.galley.example', serviceName: 'Galley', mailLater: () => {} },
      secret: 'a secret of more than thirty-two characters',
    })
    const called =
      'getSession listSessions magicLinkVerify requestPasswordReset resetPassword revokeOtherSessions ' +
      'revokeSession signInEmail signInMagicLink signOut signUpEmail verifyEmail'
    expect(Object.keys(api).sort().join(' ')).toBe(called)
  })
})

describe('packages that build tables', () => {
  it('run when they are first called', async () => {
    const { slug, ran } = await imported(
      await bundled(`
import transliterate from '@sindresorhus/transliterate'
import { parse } from 'tldts'
const RealMap = globalThis.Map
let maps = 0
globalThis.Map = class extends RealMap { constructor(...given) { super(...given); maps += 1 } }
export const ran = () => maps
export const slug = () => [transliterate('Füße'), parse('www.shop.co.uk').domain]`),
    )
    expect((ran as () => number)()).toBe(0)
    expect((slug as () => unknown)()).toEqual(['Fuesse', 'shop.co.uk'])
    expect((ran as () => number)()).toBeGreaterThan(0)
  })

  it('make schemas of the MCP server when a message is first read', async () => {
    const code = await bundled(`export { DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/_shims'`)
    expect(code).toContain('DefaultJsonSchemaValidator')
    expect(code).not.toContain('buildSchemas')
  })

  it('keep of the protocol’s schemas those that messages are read with', async () => {
    const code = await bundled(
      `export { createMcpHandler, McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'`,
      ['node:*'],
    )
    for (const unused of [
      'token_endpoint_auth_signing_alg_values_supported',
      'IdJagTokenExchange',
      'CompatibilityCallToolResultSchema',
    ])
      expect(code).not.toContain(unused)
    expect(code).toContain('notifications/initialized')
  })

  it('read Node’s crypto when a password is first asked about, and hash by our costs alone', async () => {
    const code = await bundled(
      `export { hashPassword, verifyPassword } from './src/people/password.ts'
export { hashPassword as theirs } from '@better-auth/utils/password'`,
      ['node:*'],
    )
    expect(code).not.toMatch(/from\s*"node:crypto"/)
    const { hashPassword, verifyPassword, theirs } = (await imported(
      code,
    )) as typeof import('../../src/people/password.ts') & {
      theirs: (password: string) => Promise<string>
    }
    const hash = await hashPassword('sheds of oak')
    expect(await verifyPassword({ hash, password: 'sheds of oak' })).toBe(true)
    expect(await verifyPassword({ hash, password: 'sheds of elm' })).toBe(false)
    await expect(theirs('sheds of oak')).rejects.toThrow(/src\/people\/password/)
  })
})

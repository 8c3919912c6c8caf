import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WORKERS } from '../../local/bundle.ts'
import { ROOT } from '../../local/root.ts'
import type { Scope } from '../../schema/values/accounts.ts'
import { ANY_OPERATION, askedOf, CALL, FIND, findOperations, READ } from '../../src/mcp/any-operation.ts'
import type { Api } from '../../src/mcp/api.ts'
import { pollUntilEnded } from '../../src/mcp/call-tool.ts'
import { CALLS } from '../../src/mcp/calls.generated.ts'
import { operationAt, servedTools } from '../../src/mcp/served.ts'
import { toolDefinitions } from '../../src/mcp/tool-schemas.ts'
import type { ToolSpec } from '../../src/mcp/tool-spec.ts'
import { TOOLS } from '../../src/mcp/tools.ts'
import { asToolCall, inToolWords } from '../../src/mcp/translate.ts'
import { GROUPS, OPERATIONS } from '../../src/operations.ts'

/** The tools the interface names, and those of the decisions (section 13). */
const NAMES = [
  'list_projects get_project list_articles get_article backlinks_status list_backlinks search_console_performance',
  'ai_visibility_report profile_status profile_reviews list_integrations update_project create_project create_article',
  'update_article publish_article keyword_research profile_reply_review list_social_accounts upload_social_media',
  'publish_social_post get_social_post list_social_posts configure_social_post_auto_reply get_business_context',
  'get_internal_links get_backlink_targets get_article_brief generate_article sync_article list_suggestions',
  'run_suggestions act_on_suggestion get_suggestion get_account care_report',
].flatMap((line) => line.split(' '))

const callsOf = ({ calls }: ToolSpec): string[] => (typeof calls === 'string' ? [calls] : Object.values(calls))

const served = servedTools(new Set(Object.values(GROUPS).map(({ worker }) => worker)))
const definitions = toolDefinitions(served)
const definition = (name: string) => {
  const found = definitions.find((one) => one.name === name)
  if (!found) throw new Error(`no tool ${name}`)
  return found
}

describe('the table of tools', () => {
  it('names exactly those of the interface', () => {
    expect(TOOLS.map(({ name }) => name).sort()).toEqual([...NAMES].sort())
  })

  it.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s calls operations of the contract', (_, tool) => {
    const known = new Set(OPERATIONS.map((op) => `${op.method} ${op.path}`))
    for (const call of callsOf(tool)) expect(known).toContain(call)
  })

  it('deletes nothing', () => {
    for (const tool of TOOLS) for (const call of callsOf(tool)) expect(call).not.toMatch(/^DELETE|archive|unpublish/)
  })

  it('says of every tool that reads nothing but reads, and of no other', () => {
    for (const { spec, operations } of served)
      for (const op of operations.values())
        if (op.method === 'GET' && operations.size === 1) expect(spec.effect, spec.name).toBe('reads')
        else expect(spec.effect, spec.name).not.toBe('reads')
  })

  it('leaves out a tool without an operation', () => {
    const names = new Set(served.map(({ spec }) => spec.name))
    for (const tool of TOOLS)
      expect(names.has(tool.name), tool.name).toBe(callsOf(tool).every((call) => operationAt(call) !== undefined))
    expect(names.has('list_projects')).toBe(true)
  })

  it('leaves out a tool without a binding to its Worker', () => {
    expect(servedTools(new Set(['projects'])).map(({ spec }) => spec.name)).not.toContain('list_articles')
  })

  it('has the Worker of every tool bound', () => {
    const worker = WORKERS.find(({ folder }) => folder === 'mcp')
    for (const { id, worker: name } of Object.values(CALLS))
      expect(worker?.services[name.toUpperCase()], `${id}: ${name} in functions/mcp/wrangler.toml`).toBe(name)
  })
})

describe('docs/http/mcp.md', () => {
  const page = readFileSync(join(ROOT, 'docs/http/mcp.md'), 'utf8')
  const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text
  const named = (text: string): string[] =>
    [...text.matchAll(/`((?:GET|POST|PUT|DELETE) [^`]+)`/g)].map(([, call]) => call ?? '')

  it('has a row for each tool: what it does, whether it writes, and its endpoints', () => {
    const rows = TOOLS.map((tool) => {
      const calls = callsOf(tool).map((call) => `\`${call}\``)
      const effect = tool.effect === 'reads' ? 'reads' : 'writes'
      return `| \`${tool.name}\` | ${effect} | ${firstSentence(tool.description)} | ${calls.join(', ')} |`
    })
    expect(page.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows)
  })

  it('names the endpoints without a tool', () => {
    const without = named(page.slice(page.indexOf('All other operations are reached'), page.indexOf('## Resources')))
    const known = OPERATIONS.map((op) => `${op.method} ${op.path}`)
    expect(without.length).toBeGreaterThan(10)
    expect(known).toEqual(expect.arrayContaining(without))
    for (const call of TOOLS.flatMap(callsOf)) expect(without).not.toContain(call)
  })

  it('names no program that is to be fetched from npm', () => {
    for (const file of ['README.md', 'docs/http/mcp.md', 'scripts/galley-mcp.mjs'])
      expect(readFileSync(join(ROOT, file), 'utf8'), file).not.toMatch(/npx[^\n]{0,20}galley-mcp/)
  })
})

describe('the schemas', () => {
  /** An estimate on the high side: JSON has some 3.5 characters a token. */
  const all = [...definitions, ...ANY_OPERATION.map((one) => one.definition)]
  const tokens = Math.ceil(JSON.stringify(all).length / 3)

  it(`stay under 6,500 tokens together (about ${tokens} for ${all.length} tools)`, () => {
    expect(tokens).toBeLessThan(6_500)
  })

  it('name the path’s id after its object', () => {
    expect(definition('get_article').inputSchema).toEqual({
      type: 'object',
      properties: { article_id: { type: 'integer' }, content_offset: { type: 'integer' } },
      required: ['article_id'],
    })
  })

  it('give numbers of a query as numbers, and lists as lists', () => {
    expect(definition('list_articles').inputSchema.properties).toMatchObject({
      limit: { type: 'integer' },
      project_id: { type: 'integer' },
      scheduled_after: { type: 'string', description: 'ISO 8601' },
    })
    expect(definition('create_article').inputSchema).toMatchObject({
      properties: { tags: { type: 'array', items: { type: 'string' } }, status: { enum: ['Draft', 'Planned'] } },
      required: ['project_id', 'keyword'],
    })
  })

  it('say where several values are allowed, and only what a tool accepts', () => {
    for (const [tool, name] of [
      ['list_articles', 'status'],
      ['list_articles', 'publish_state'],
      ['list_suggestions', 'status'],
      ['list_suggestions', 'type'],
      ['list_social_posts', 'status'],
    ] as const)
      expect(definition(tool).inputSchema.properties[name], `${tool} ${name}`).toEqual({
        type: 'array',
        items: { type: 'string', enum: expect.any(Array) },
      })
    const { inputSchema, annotations } = definition('upload_social_media')
    expect(Object.keys(inputSchema.properties).sort()).toEqual([
      'dry_run',
      'idempotency_key',
      'media_url',
      'project_id',
    ])
    expect(inputSchema.required).toEqual(['project_id', 'media_url'])
    // The protocol's default is true.
    expect(annotations.openWorldHint).toBeUndefined()
  })

  // gemini-cli#4400, 9router#380, wave-agent#284, adk-js#199, copilot-cli#4623
  it.each(definitions.map(({ name, inputSchema }) => ({ name, inputSchema })))(
    'of $name have one type for each thing, and no null',
    ({ inputSchema }) => {
      type Node = { type?: unknown; enum?: unknown[]; anyOf?: Node[]; properties?: Record<string, Node>; items?: Node }
      const faults: string[] = []
      const walk = (node: Node, path: string): void => {
        if (typeof node.type !== 'string') faults.push(`${path}: ${JSON.stringify(node)}`)
        if (node.type === 'null' || node.anyOf || node.enum?.includes(null)) faults.push(`${path}: null`)
        if (node.enum?.some((value) => typeof value !== node.type)) faults.push(`${path}: enum`)
        if (node.type === 'array' && !node.items) faults.push(`${path}: items`)
        for (const [name, field] of Object.entries(node.properties ?? {})) walk(field, `${path}.${name}`)
        if (node.items) walk(node.items, `${path}[]`)
      }
      walk(inputSchema as Node, 'in')
      expect(faults).toEqual([])
    },
  )

  it('of tools that change settings and texts say what clears a field', () => {
    for (const name of ['update_project', 'update_article', 'sync_article'])
      expect(definition(name).description, name).toContain('"" clears a text, [] a list')
  })

  it('of every tool that writes, and of no other, have dry_run', () => {
    for (const { name, inputSchema } of definitions) {
      const writes = TOOLS.find((tool) => tool.name === name)?.effect !== 'reads'
      expect(inputSchema.properties.dry_run, name).toEqual(writes ? { type: 'boolean' } : undefined)
    }
  })

  it('tell every writable setting of a project once, under its newest name', () => {
    const names = Object.keys(definition('update_project').inputSchema.properties)
    expect(names).toContain('internal_links_per_article')
    expect(names).not.toContain('internal_links')
    expect(definition('create_project').inputSchema.required).toEqual(['website_url'])
  })
})

describe('the tools for any operation', () => {
  it('reach every operation but deletions, by the tool that fits its effect', () => {
    const { operations } = findOperations({}, 'admin') as { operations: { operation: string }[] }
    expect(operations.map(({ operation }) => operation).sort()).toEqual(
      OPERATIONS.filter(({ method, id }) => method !== 'DELETE' && id !== 'outreach.erase')
        .map(({ id }) => id)
        .sort(),
    )
    for (const { id, method } of OPERATIONS) {
      const ask = (tool: string) => () => askedOf(tool, { operation: id })
      const isDeletion = method === 'DELETE' || id === 'outreach.erase'
      const [right, wrong] = method === 'GET' ? [READ, CALL] : [CALL, READ]
      if (isDeletion) expect(ask(CALL), id).toThrow('deletes')
      else expect(ask(right)().op.id).toBe(id)
      expect(ask(wrong), id).toThrow(isDeletion ? 'deletes' : `is called with ${right}`)
    }
  })

  it('have hints: only reading, or destructive', () => {
    const hints = ANY_OPERATION.map(({ definition: { name, annotations } }) => [name, annotations])
    expect(hints).toMatchObject([
      [FIND, { readOnlyHint: true }],
      [READ, { readOnlyHint: true }],
      [CALL, { destructiveHint: true }],
    ])
  })

  it.each([
    ['restore revision', 'articles.restore'],
    ['revisions', 'articles.revisions'],
    ['unpublish', 'articles.unpublish'],
    ['replay delivery', 'deliveries.replay'],
    ['screenshot', 'screenshots.take'],
    ['undo', 'undo'],
    ['archive project', 'projects.archive'],
  ])('find for %j the operation %s', (query, id) => {
    const { operations } = findOperations({ query }, 'write') as { operations: { operation: string }[] }
    expect(operations.map(({ operation }) => operation)).toContain(id)
  })

  it('find only what the scope allows', () => {
    const found = (scope: Scope) =>
      (findOperations({}, scope).operations as { operation: string }[]).map(({ operation }) => operation)
    expect(found('read')).not.toContain('articles.publish')
    expect(found('draft')).not.toContain('articles.publish')
    expect(found('write')).toContain('articles.publish')
    expect(found('write')).not.toContain('keys.create')
  })

  it.each([
    [{ operation: 'articles.publsh' }, 'did you mean articles.publish?'],
    [{ operation: 'nothing like it at all' }, FIND],
    [{}, FIND],
    [{ operation: 'articles.publish', arguments: [1] }, 'must be an object'],
    [{ operation: 'articles.publish', args: {} }, 'is no argument of call_operation'],
  ])('refuse %j', (args, why) => expect(() => askedOf(CALL, args)).toThrow(why))
})

describe('a call of HTTP in an answer', () => {
  it.each([
    ['PUT', '/articles/43', { status: 'Planned' }, 'update_article', { article_id: 43, status: 'Planned' }],
    ['POST', '/articles/43/sync', undefined, 'sync_article', { article_id: 43 }],
    [
      'GET',
      '/articles?project_id=7&status=Draft,Planned',
      undefined,
      'list_articles',
      { project_id: 7, status: 'Draft,Planned' },
    ],
    ['GET', '/articles/:id', undefined, 'get_article', {}],
    ['POST', '/suggestions/5/approve', undefined, 'act_on_suggestion', { action: 'approve', suggestion_id: 5 }],
    ['GET', '/suggestions/5', undefined, 'get_suggestion', { suggestion_id: 5 }],
    ['POST', '/projects/7/unarchive', undefined, CALL, { operation: 'projects.unarchive', arguments: { id: 7 } }],
    ['GET', '/audit-log', undefined, READ, { operation: 'audit_log.list' }],
    ['POST', '/articles/generate', undefined, 'generate_article', {}],
  ] as const)('%s %s with %j becomes %s %j', (method, path, body, tool, args) => {
    expect(asToolCall(method, path, body)).toEqual({ tool, arguments: args })
  })

  it('is no tool’s if it deletes or does not exist', () => {
    expect(asToolCall('DELETE', '/articles/43')).toBeUndefined()
    expect(asToolCall('POST', '/nothing')).toBeUndefined()
  })

  it('is written as a tool in every message, and stays as it is in texts of others', () => {
    const said = 'Save it with PUT /articles/43, then POST /articles/43/publish. Delete it with DELETE /articles/43.'
    const meant =
      'Save it with update_article {"article_id":43}, then publish_article {"article_id":43}. Delete it with DELETE /articles/43 (of the HTTP API; no tool deletes).'
    const body = (words: string) => ({
      message: words,
      warnings: [words],
      claim_note: words,
      will_be_written: { note: words },
      would: { body: { error: words, instructions_for_agent: words } },
      notes: { sync: words },
    })
    const theirs = { Content: said, Title: said, articles: [{ Title: said }] }
    const next_calls = [
      { method: 'PUT', path: '/articles/43', body: { status: 'Planned' }, why: said },
      { method: 'DELETE', path: '/articles/43', why: said },
    ]
    expect(inToolWords({ ...body(said), ...theirs, next_calls })).toEqual({
      ...body(meant),
      ...theirs,
      next_calls: [{ tool: 'update_article', arguments: { article_id: 43, status: 'Planned' }, why: meant }],
    })
  })
})

describe('a rewrite that a call began', () => {
  it('reports each step until it is ready', async () => {
    const follow = TOOLS.find(({ name }) => name === 'act_on_suggestion')?.follow
    if (!follow) throw new Error('it is not followed')
    const seen = [
      ['approved', { step: 0, of: 4, percent: 0, label: 'Waiting for its turn' }],
      ['rewriting', { step: 2, of: 4, percent: 20, label: 'Rewriting the text' }],
      ['rewriting', { step: 2, of: 4, percent: 20, label: 'Rewriting the text' }],
      ['ready', null],
    ] as const
    let looked = 0
    const api: Api = async () => {
      const [status, progress] = seen[looked] ?? ['ready', null]
      looked += 1
      return { status: 200, body: { suggestion: { id: 7, status, progress } } }
    }
    const told: string[] = []
    const given = { now: () => new Date(0), wait: async () => {}, isOver: () => false }
    const tell = async (words: string) => void told.push(words)
    expect(await pollUntilEnded(api, follow, { suggestion: { id: 7 } }, { ...given, tell })).toEqual({
      status: 'ready',
    })
    expect(told).toEqual(['approved: Waiting for its turn, 0 %', 'rewriting: Rewriting the text, 20 %', 'ready'])
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, inject, it } from 'vitest'
import { startGhost } from '../../local/cms/ghost.ts'
import { startWordpress } from '../../local/cms/wordpress.ts'
import { ROOT } from '../../local/root.ts'
import { ENTRIES } from '../../src/pages/docs/menu.ts'
import { TABBED } from '../../src/pages/docs/render.ts'
import { scopesOf } from '../../src/platform/accounts/scopes.ts'
import { callTool, connect } from '../mcp/client.ts'
import { type Api, newAccount } from '../support/client.ts'
import { rowsOf } from '../support/keys.ts'
import { type Block, blocksIn, canRun, type Ended, filled, openFolder, runBlocks, type Way, waysIn } from './reader.ts'

/** Tests the blocks of all pages as a reader runs them: as they are served, on an empty account, with ids from responses. */

const stack = inject('stack')

/** Tests that run the blocks of pages whose programs are not on every machine, or that need a new clone. */
const RUN_BY: Readonly<Record<string, string>> = {
  clients: 'test/clients/agents/page.ts',
  'reference/webhooks': 'test/docs/webhook-page.test.ts',
  'operations/local': 'test/docs/newcomer.test.ts',
  'operations/admin': 'test/docs/newcomer.test.ts',
  'guides/old-posts': 'test/docs/care-guide.ts',
}

/** Pages for operators, whose commands need the accounts of a deployment. The house checks know their npm commands. */
const isForOperators = (path: string): boolean => path.startsWith('operations/')
/** Pages that show types beside recorded calls, which `examples.test.ts` runs. */
const isReference = (path: string): boolean => path.startsWith('reference/operations')

const served = async (path: string): Promise<string> => {
  const response = await fetch(`${stack.url}/docs/${path}.md`)
  expect(response.status, path).toBe(200)
  return await response.text()
}

/** Returns a page's runnable blocks, by its ways. */
const runnableOf = (text: string, file: string): Way[] =>
  waysIn(text, TABBED.has(file)).filter(({ blocks }) => blocks.some(({ language }) => canRun(language)))

/** Returns what a reader of other pages has done before: the way of the quickstart with curl, and the command line. */
const quickstart = async (): Promise<Block[]> => {
  const ways = waysIn(await served('quickstart'), true)
  const blocksOf = (name: string): Block[] => ways.find((way) => way.name === name)?.blocks ?? []
  const install = blocksOf('Command line').at(-1)?.text.split('\n')[0] ?? ''
  return [...blocksOf('curl'), { language: 'sh', text: install }]
}

/** True if blocks use a variable or a program that they do not make, as readers of the quickstart have them. */
const needsQuickstart = (blocks: readonly Block[]): boolean => {
  const text = blocks.map((block) => block.text).join('\n')
  const lacks = (used: RegExp, made: RegExp): boolean => used.test(text) && !made.test(text)
  return (
    lacks(/\$\{?PROJECT_ID/, /PROJECT_ID=/) ||
    lacks(/\$\{?ARTICLE_ID/, /ARTICLE_ID=/) ||
    lacks(/\.\/galley /, /-o galley /)
  )
}

/** Throws with the output if a block failed, or the API refused a call or would refuse a tried one. */
const checkRun = ({ code, out, err }: Ended): void => {
  const seen = `${out}\n${err}`
  expect(code, seen).toBe(0)
  const refused = (out.match(/^\{.*"retryable":.*$/gm) ?? []).filter(
    (line) => !line.includes('"dry_run":true') || /"would":\{"status":[45]/.test(line),
  )
  expect(refused, seen).toEqual([])
}

const readerOf = async (): Promise<Api> =>
  await newAccount(stack, { plan: 'pro', projects: 5, credits: 10 }, scopesOf('admin'))

/** Runs blocks as a new reader. Returns the reader's account. */
const runAsReader = async (blocks: readonly Block[]): Promise<Api> => {
  const reader = await readerOf()
  const folder = await openFolder()
  try {
    checkRun(await runBlocks(blocks, folder.path, stack, reader.key))
  } finally {
    folder.close()
  }
  return reader
}

/** Pages whose blocks run here. The ways of the quickstart have tests of their own below. */
const pages = ENTRIES.filter(
  ({ path, file }) =>
    path !== 'quickstart' &&
    RUN_BY[path] === undefined &&
    !isForOperators(path) &&
    !isReference(path) &&
    blocksIn(readFileSync(join(ROOT, 'docs', file), 'utf8')).some(({ language }) => canRun(language)),
)

it.each(pages)('the blocks of $path run from top to bottom', async ({ path, file }) => {
  for (const { blocks } of runnableOf(await served(path), file))
    await runAsReader(needsQuickstart(blocks) ? [...(await quickstart()), ...blocks] : blocks)
})

it('pages that are not run here are run by the tests that are named', () => {
  for (const [path, test] of Object.entries(RUN_BY)) {
    expect(ENTRIES.map((entry) => entry.path)).toContain(path)
    expect(existsSync(join(ROOT, test))).toBe(true)
    expect(readFileSync(join(ROOT, test), 'utf8')).toContain(`docs/${path}.md`)
  }
})

it('blocks of data can be read', async () => {
  let count = 0
  for (const { path, file } of ENTRIES)
    for (const { language, text } of blocksIn(readFileSync(join(ROOT, 'docs', file), 'utf8'))) {
      if (language !== 'json' && language !== 'toml') continue
      expect(() => (language === 'json' ? JSON.parse(text) : parseToml(text)), `${path}:\n${text}`).not.toThrow()
      count += 1
    }
  expect(count).toBeGreaterThan(100)
})

/** CMSs with a stand-in at an address of its own, and what a reader writes in the block of the guide. */
const CMS_GUIDES = {
  ghost: async () => {
    const { url, key, close } = await startGhost()
    const values = {
      'https://my-bakery.ghost.io': url,
      '0123456789abcdef01234567:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef': key,
    }
    return { values, close }
  },
  wordpress: async () => {
    const { url, passwordOf, close } = await startWordpress()
    return {
      values: {
        'https://my-bakery.example"': `${url}"`,
        '"editor"': '"admin"',
        'abcd efgh ijkl mnop qrst uvwx': passwordOf('admin'),
      },
      close,
    }
  },
} as const

it.each(Object.keys(CMS_GUIDES) as (keyof typeof CMS_GUIDES)[])(
  'the call of the guide for %s connects a site, which then gets the article',
  async (name) => {
    const { values, close } = await CMS_GUIDES[name]()
    const [block] = blocksIn(await served(`guides/${name}`)).filter(({ language }) => language === 'sh')
    const own = Object.entries(values).reduce(
      (text, [example, value]) => text.replace(example, value),
      (block?.text ?? '').replace('?dry_run=true', ''),
    )
    const blocks = (await quickstart()).map((one) => ({
      ...one,
      text: one.text.replace(/^call POST \/projects\/\$PROJECT_ID\/integrations.*$/m, () => own),
    }))
    expect(blocks.some(({ text }) => text.includes(own))).toBe(true)
    try {
      const reader = await runAsReader(blocks)
      const { body } = await reader.get('/articles')
      expect(rowsOf(body, 'articles')).toMatchObject([
        { Status: 'Published', Url: expect.stringContaining('sourdough') },
      ])
    } finally {
      await close()
    }
  },
)

describe('the quickstart', () => {
  it('has a way for each kind of caller', async () => {
    const ways = waysIn(await served('quickstart'), true)
    expect(ways.map(({ name }) => name)).toEqual(['curl', 'TypeScript', 'Python', 'PHP', 'Command line', 'MCP'])
  })

  it.each(['curl', 'TypeScript', 'Python', 'PHP', 'Command line'])(
    'publishes a first article with %s',
    async (name) => {
      const way = waysIn(await served('quickstart'), true).find((one) => one.name === name)
      const reader = await runAsReader(way?.blocks ?? [])
      const { body } = await reader.get('/articles')
      expect(rowsOf(body, 'articles')).toMatchObject([
        { Status: 'Published', Url: expect.stringContaining('/sourdough-starter') },
      ])
    },
  )

  it('publishes to the receiver of the guide, which has no signing secret yet', async () => {
    const program = blocksIn(await served('guides/receiver')).filter(({ file }) => file === 'receiver.mjs')
    const [settings, ...calls] =
      waysIn(await served('quickstart'), true).find(({ name }) => name === 'curl')?.blocks ?? []
    expect(settings?.text).toContain('RECEIVER_TOKEN')
    const start = `export RECEIVER_URL=http://localhost:4411/hook
node receiver.mjs & trap "kill $!" EXIT
curl -sS --retry 50 --retry-connrefused --retry-delay 1 $RECEIVER_URL -d '{}'`
    const reader = await runAsReader([
      ...program,
      { language: 'sh', text: settings?.text ?? '' },
      { language: 'sh', text: start },
      ...calls,
    ])
    const { body } = await reader.get('/articles')
    expect(rowsOf(body, 'articles')).toMatchObject([
      { Status: 'Published', Url: 'http://localhost:4411/sourdough-starter' },
    ])
  })

  it('publishes a first article with the tools of MCP', async () => {
    const way = waysIn(await served('quickstart'), true).find(({ name }) => name === 'MCP')
    const reader = await readerOf()
    const client = await connect(stack.url, reader.key)
    const ids: Record<string, unknown> = {}
    const calls = [...filled(way?.text ?? '', stack, reader.key).matchAll(/^\| `(\w+)` \| `(\{.*\})` \|$/gm)]
    expect(calls).toHaveLength(4)
    let last: Record<string, unknown> = {}
    for (const [row, tool = '', args = ''] of calls) {
      const withIds = args.replaceAll(/\b(PROJECT|ARTICLE)_ID\b/g, (name) => String(ids[name]))
      const { isError, body } = await callTool(client, tool, JSON.parse(withIds))
      expect(isError, `${row}\n${JSON.stringify(body)}`).toBe(false)
      for (const [name, value] of Object.entries(body)) ids[name.toUpperCase()] ??= value
      last = body
    }
    expect(last).toMatchObject({ status: 'published' })
    await client.close()
  })
})

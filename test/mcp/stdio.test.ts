import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, inject, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { newAccount, newProject } from '../support/client.ts'
import { unknownKey } from '../support/contract.ts'
import { callTool, MODES, type Mode } from './client.ts'

const stack = inject('stack')

const SERVER = join(ROOT, 'scripts/galley-mcp.mjs')

const start = async (env: Record<string, string>, mode: Mode = 'default') => {
  const versionNegotiation = MODES[mode]
  const client = new Client({ name: 'test', version: '1' }, versionNegotiation ? { versionNegotiation } : {})
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER], env }))
  return client
}

const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }

/** Returns the program's answers to lines that it is sent unchanged. */
const told = (lines: readonly string[], env: Record<string, string>) => {
  const child = spawn(process.execPath, [SERVER], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  return text(child.stdout).then((said) =>
    said
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  )
}

const NEWEST = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }

/** Returns a request of the newest revision. */
const ask = (id: number, method: string, params: object = {}) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method,
    params: {
      ...params,
      _meta: {
        ...NEWEST,
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  })

describe.each(Object.keys(MODES) as Mode[])('a client on stdin and stdout that is %s', (mode) => {
  it('finds the tools, those of the local server included, and calls them', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api, { business_name: 'Sheds & Sons' })
    const client = await start({ GALLEY_URL: stack.url, GALLEY_API_KEY: api.key }, mode)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['get_business_context', 'get_internal_links', 'get_backlink_targets', 'create_article']),
    )
    expect(client.getServerVersion()).toMatchObject({ name: 'galley', version: PACKAGE.version })
    expect(await callTool(client, 'get_business_context', { project_id: project })).toMatchObject({
      isError: false,
      body: { business_name: 'Sheds & Sons' },
    })
    const saves = await Promise.all(
      ['one', 'two', 'three'].map((keyword) => callTool(client, 'create_article', { project_id: project, keyword })),
    )
    expect(new Set(saves.map(({ body }) => body.slug))).toEqual(new Set(['one', 'two', 'three']))
    await client.close()
  })
})

it('reports a refused key, and a service that does not answer', async () => {
  await expect(start({ GALLEY_URL: stack.url, GALLEY_API_KEY: unknownKey() })).rejects.toThrow('missing or not valid')
  await expect(start({ GALLEY_URL: 'http://127.0.0.1:9', GALLEY_API_KEY: unknownKey() })).rejects.toThrow(
    'does not answer',
  )
})

it('continues after a line that is not a message, and reports the fault', async () => {
  const { key } = await newAccount(stack)
  const said = await told([ask(1, 'tools/list'), 'null', '7', '"word"', '[]', '{', ask(2, 'prompts/list')], {
    GALLEY_URL: stack.url,
    GALLEY_API_KEY: key,
  })
  const codes = said.filter(({ id }) => id === null).map(({ error }) => (error as { code: number }).code)
  expect(codes).toEqual([-32600, -32600, -32600, -32600, -32700])
  for (const id of [1, 2]) expect(said.find((one) => one.id === id)).toHaveProperty('result')
})

it('names tools and addresses in any letters', async () => {
  const { key } = await newAccount(stack)
  const [tool, resource] = [
    ask(1, 'tools/call', { name: 'Größe', arguments: {} }),
    ask(2, 'resources/read', { uri: 'galley://文' }),
  ]
  const said = await told([tool, resource], { GALLEY_URL: stack.url, GALLEY_API_KEY: key })
  const answerOf = (id: number) => said.find((one) => one.id === id)
  expect(answerOf(1)).toHaveProperty('error.message', 'There is no tool Größe.')
  expect(answerOf(2)).toHaveProperty('error.message', expect.stringContaining('galley://文'))
})

it.each(['/', '/mcp', '/mcp/', '/api/v1', '/api/v1/'])('accepts the address with %s at its end', async (end) => {
  const { key } = await newAccount(stack)
  const [answer] = await told([ask(1, 'prompts/list')], { GALLEY_URL: `${stack.url}${end}`, GALLEY_API_KEY: key })
  expect(answer).toHaveProperty('result.prompts')
})

it('explains its use, and names missing settings', () => {
  const run = (args: string[]) => spawnSync(process.execPath, [SERVER, ...args], { env: {}, encoding: 'utf8' })
  expect(run(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('GALLEY_API_KEY') })
  expect(run([])).toMatchObject({ status: 2, stderr: expect.stringContaining('GALLEY_API_KEY is not set') })
})

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, inject, it } from 'vitest'
import { ROOT } from '../../local/bundle.ts'
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

describe.each(Object.keys(MODES) as Mode[])('a client on stdin and stdout that is %s', (mode) => {
  it('finds the tools, those of the local server included, and calls them', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api, { business_name: 'Sheds & Sons' })
    const client = await start({ GALLEY_URL: stack.url, GALLEY_API_KEY: api.key }, mode)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['get_business_context', 'get_internal_links', 'get_backlink_targets', 'create_article']),
    )
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

it('says in words that a key is not taken, and that nobody answers', async () => {
  await expect(start({ GALLEY_URL: stack.url, GALLEY_API_KEY: unknownKey() })).rejects.toThrow('missing or not valid')
  await expect(start({ GALLEY_URL: 'http://127.0.0.1:9', GALLEY_API_KEY: unknownKey() })).rejects.toThrow(
    'does not answer',
  )
})

it('says how it is used, and what is missing', () => {
  const run = (args: string[]) => spawnSync(process.execPath, [SERVER, ...args], { env: {}, encoding: 'utf8' })
  expect(run(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('GALLEY_API_KEY') })
  expect(run([])).toMatchObject({ status: 2, stderr: expect.stringContaining('GALLEY_API_KEY is not set') })
})

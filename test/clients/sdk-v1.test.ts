import { afterAll, beforeAll, expect, it } from 'vitest'
import { newAccount } from '../support/client.ts'
import { load } from '../support/installed.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'

/** The part of the first version of the SDK that is used here. */
type ClientV1 = {
  connect: (transport: object) => Promise<void>
  listTools: () => Promise<{ tools: { name: string }[] }>
  callTool: (of: { name: string; arguments: object }) => Promise<{ structuredContent: object; isError?: boolean }>
  close: () => Promise<void>
}

let stack: TestStack

beforeAll(async () => {
  stack = await startTestStack()
})

afterAll(() => stack?.close())

it('a client of the first SDK, which most agents have, lists and calls tools', async () => {
  const { Client } = await load<{ Client: new (info: object) => ClientV1 }>(
    '@modelcontextprotocol/sdk/dist/esm/client/index.js',
  )
  const { StreamableHTTPClientTransport } = await load<{
    StreamableHTTPClientTransport: new (url: URL, options: object) => object
  }>('@modelcontextprotocol/sdk/dist/esm/client/streamableHttp.js')
  const api = await newAccount(targetOf(stack))
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${stack.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${api.key}` } },
    }),
  )
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('create_article')
  expect(await client.callTool({ name: 'list_projects', arguments: {} })).toMatchObject({
    structuredContent: { projects: [], count: 0 },
  })
  await client.close()
})

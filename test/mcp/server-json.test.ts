import { expect, inject, test } from 'vitest'
import { fromJSONSchema } from 'zod'
import published from '../../local/schemas/mcp-server.json' with { type: 'json' }
import { registryEntry } from '../../src/pages/docs/programs.ts'

const stack = inject('stack')
const schema = fromJSONSchema(published.schema as Parameters<typeof fromJSONSchema>[0])

type Entry = { name: string; version: string; remotes: { url: string }[] }

test('the entry for registries fits their published schema, and leads to the MCP server', async () => {
  const response = await fetch(`${stack.url}/server.json`)
  expect(response.headers.get('content-type')).toContain('application/json')
  const entry = (await response.json()) as Entry
  expect(schema.safeParse(entry)).toMatchObject({ success: true })
  const [{ url = '' } = {}] = entry.remotes
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  expect(answer.status, 'a client is sent to sign in').toBe(401)
})

test('its name is the host in reverse, and its icon has an https address', () => {
  const entry = registryEntry({ service: 'Galley', base: 'https://galley.example.com' })
  expect(schema.safeParse(entry)).toMatchObject({ success: true })
  expect(entry).toMatchObject({
    name: 'com.example.galley/galley',
    remotes: [{ url: 'https://galley.example.com/mcp' }],
    icons: [{ src: 'https://galley.example.com/favicon.svg' }],
  })
})

test.each([
  ['a name without a slash', { name: 'galley' }],
  ['a long description', { description: 'A'.repeat(101) }],
  ['no version', { version: undefined }],
  ['another transport', { remotes: [{ type: 'http', url: 'https://galley.example/mcp' }] }],
])('the schema refuses %s', (_, change) => {
  const entry = registryEntry({ service: 'Galley', base: 'https://galley.example.com' }) as object
  expect(schema.safeParse({ ...entry, ...change }).success).toBe(false)
})

import { createHash } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Api } from '../support/client.ts'

/** Modes in which clients choose a revision: their default, by asking first, and only the newest. */
export const MODES = {
  default: undefined,
  auto: { mode: 'auto' },
  'pinned to 2026-07-28': { mode: { pin: '2026-07-28' } },
} as const

export type Mode = keyof typeof MODES

/** Returns a network address for each key, so that refusals of one test do not use up the limit of another. */
const addressOf = (key: string): string => `mcp-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

/** Returns a client of the hosted server that sends one key. */
export const connect = async (url: string, key: string, mode: Mode = 'auto'): Promise<Client> => {
  const versionNegotiation = MODES[mode]
  const client = new Client({ name: 'test', version: '1' }, versionNegotiation ? { versionNegotiation } : {})
  const requestInit = { headers: { authorization: `Bearer ${key}`, 'cf-connecting-ip': addressOf(key) } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  return client
}

/** Calls a tool and returns its answer. */
export const callTool = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: args })
  const [first] = result.content as { type: string; text: string }[]
  return {
    isError: result.isError === true,
    body: result.structuredContent as Record<string, unknown>,
    text: first?.text ?? '',
  }
}

/** Posts a message unchanged and returns the raw answer. */
export const post = (
  url: string,
  { key, headers = {}, body }: { key?: Api['key']; headers?: Record<string, string>; body?: unknown } = {},
) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}`, 'cf-connecting-ip': addressOf(key) }),
      ...headers,
    },
    body: JSON.stringify(body ?? { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })

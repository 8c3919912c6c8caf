#!/usr/bin/env node
// An MCP server over stdin and stdout for clients that speak nothing else: every message is sent on to the hosted server with an
// API key. Plain JavaScript without packages, so that it runs wherever Node 20 does.
import { createInterface } from 'node:readline'

const USAGE = `Forwards MCP messages from stdin to a Galley service, and its answers to stdout.

Usage: galley-mcp

  GALLEY_API_KEY   a key of the account (required)
  GALLEY_URL       where the service is, for example https://api.example.com (default: http://127.0.0.1:8787)

A client's configuration:

  { "mcpServers": { "galley": { "command": "npx", "args": ["galley-mcp"], "env": { "GALLEY_URL": "…", "GALLEY_API_KEY": "…" } } } }
`

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(USAGE)
  process.exit(0)
}
const key = process.env.GALLEY_API_KEY ?? ''
const base = (process.env.GALLEY_URL ?? 'http://127.0.0.1:8787').replace(/\/+$/, '')
if (key === '' || !URL.canParse(base)) {
  process.stderr.write(`${key === '' ? 'GALLEY_API_KEY is not set.' : 'GALLEY_URL is no address.'}\n\n${USAGE}`)
  process.exit(2)
}

/** The revision a client of 2025 agreed on with `initialize`. */
let agreed

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

const fail = (id, text, data) =>
  say({ jsonrpc: '2.0', id, error: { code: -32000, message: text, ...(data === undefined ? {} : { data }) } })

/** The headers a message asks for: those of revision 2026-07-28 are taken from its own `_meta`. */
const headersOf = ({ method, params }) => {
  const revision = params?._meta?.['io.modelcontextprotocol/protocolVersion']
  const name = params?.name ?? params?.uri
  return {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...((revision ?? agreed) ? { 'mcp-protocol-version': revision ?? agreed } : {}),
    ...(revision && method ? { 'mcp-method': method } : {}),
    ...(revision && typeof name === 'string' ? { 'mcp-name': name } : {}),
  }
}

/** The messages of an answer: one of JSON, or those of an event stream as they come. */
async function* messagesOf(response) {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text()
    if (text !== '') yield JSON.parse(text)
    return
  }
  let rest = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split(/\r?\n\r?\n/)
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n')
      if (data !== '') yield JSON.parse(data)
    }
  }
}

const forward = async (message) => {
  const asks = message.id !== undefined && message.method !== undefined
  try {
    const response = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: headersOf(message),
      body: JSON.stringify(message),
    })
    let answered = false
    for await (const answer of messagesOf(response)) {
      if (answer?.jsonrpc !== '2.0') {
        // The service's own error body: it is told, not passed on as it is.
        if (asks)
          fail(message.id, answer?.message ?? answer?.error ?? `The service answered ${response.status}.`, answer)
        answered = true
        continue
      }
      if (message.method === 'initialize' && answer.result) agreed = answer.result.protocolVersion
      answered ||= answer.id === message.id
      say(answer)
    }
    if (asks && !answered) fail(message.id, `The service answered ${response.status} without a message.`)
  } catch (error) {
    if (asks) fail(message.id, `The service at ${base} does not answer: ${error.cause?.message ?? error.message}`)
    else process.stderr.write(`${error.message}\n`)
  }
}

const pending = new Set()
for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
  if (line.trim() === '') continue
  let message
  try {
    message = JSON.parse(line)
  } catch {
    fail(null, 'The line is not JSON.')
    continue
  }
  const sent = forward(message)
  // What follows an `initialize` needs the revision it agreed on.
  if (message.method === 'initialize') await sent
  pending.add(sent)
  void sent.finally(() => pending.delete(sent))
}
await Promise.all(pending)

#!/usr/bin/env node
// MCP server over stdin and stdout, for clients that support nothing else. It sends every message to the hosted server
// with an API key. Plain JavaScript without packages, so that it runs wherever Node 20 does.
import { createInterface } from 'node:readline'

const USAGE = `Forwards MCP messages from stdin to a Galley service, and its answers to stdout.

Usage: node /path/to/galley/scripts/galley-mcp.mjs

  GALLEY_API_KEY   a key of the account (required)
  GALLEY_URL       where the service is, for example https://api.example.com (default: http://127.0.0.1:8787)

A client's configuration:

  { "mcpServers": { "galley": { "command": "node", "args": ["/path/to/galley/scripts/galley-mcp.mjs"],
      "env": { "GALLEY_URL": "…", "GALLEY_API_KEY": "…" } } } }
`

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(USAGE)
  process.exit(0)
}
const key = process.env.GALLEY_API_KEY ?? ''
/** Address of the service, even if GALLEY_URL is that of its MCP server or its API. */
const base = (process.env.GALLEY_URL ?? 'http://127.0.0.1:8787').trim().replace(/(\/mcp|\/api\/v1)?\/*$/, '')
if (key === '' || !URL.canParse(base)) {
  process.stderr.write(`${key === '' ? 'GALLEY_API_KEY is not set.' : 'GALLEY_URL is no address.'}\n\n${USAGE}`)
  process.exit(2)
}

/** Revision that a client of 2025 negotiated with `initialize`. */
let agreed

const say = (message) => void process.stdout.write(`${JSON.stringify(message)}\n`)

const [NO_ANSWER, INVALID_REQUEST, PARSE_ERROR] = [-32000, -32600, -32700]

const fail = (id, text, data, code = NO_ANSWER) =>
  say({ jsonrpc: '2.0', id, error: { code, message: text, ...(data === undefined ? {} : { data }) } })

/** Parameter that the header Mcp-Name repeats, by method (revision 2026-07-28, "Standard Request Headers"). */
const NAMED_BY = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/

/** Returns a text as the value of a header, in base64 if it is not plain ASCII or looks encoded. */
const inHeader = (text) =>
  PLAIN.test(text) && !text.startsWith('=?base64?') ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** Returns the headers of a message. Those of revision 2026-07-28 come from its own `_meta`. */
const headersOf = ({ method, params }) => {
  const revision = params?._meta?.['io.modelcontextprotocol/protocolVersion']
  const name = Object.hasOwn(NAMED_BY, method ?? '') ? params?.[NAMED_BY[method]] : undefined
  return {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...((revision ?? agreed) ? { 'mcp-protocol-version': revision ?? agreed } : {}),
    ...(revision && method ? { 'mcp-method': method } : {}),
    ...(revision && typeof name === 'string' ? { 'mcp-name': inHeader(name) } : {}),
  }
}

/** Yields the messages of an answer: one of JSON, or those of an event stream as they arrive. */
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
        // The service's own error body is reported as an MCP error.
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

/** Returns the message in a line. Reports an error and returns undefined if there is none. */
const messageIn = (line) => {
  let message
  try {
    message = JSON.parse(line)
  } catch {
    return fail(null, 'The line is not JSON.', undefined, PARSE_ERROR)
  }
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message
  return fail(null, 'The line is not one JSON object. Send one message a line.', undefined, INVALID_REQUEST)
}

const pending = new Set()
for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
  const message = line.trim() === '' ? undefined : messageIn(line)
  if (message === undefined) continue
  const sent = forward(message)
  // Messages after `initialize` need the revision that it negotiated.
  if (message.method === 'initialize') await sent
  pending.add(sent)
  void sent.finally(() => pending.delete(sent))
}
await Promise.all(pending)

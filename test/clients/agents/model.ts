import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Block = { type: string; [field: string]: unknown }
type Asked = { messages: { role: string; content: string | Block[] }[]; tools?: { name: string }[] }

/** Server-sent events of a message that consists of one block (Anthropic's Messages API, streaming). */
const eventsOf = (block: Block, stopReason: string): string => {
  const isTool = block.type === 'tool_use'
  const events: [string, object][] = [
    [
      'message_start',
      {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'stand-in',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
    ],
    ['content_block_start', { index: 0, content_block: isTool ? { ...block, input: {} } : { type: 'text', text: '' } }],
    [
      'content_block_delta',
      {
        index: 0,
        delta: isTool
          ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
          : { type: 'text_delta', text: block.text },
      },
    ],
    ['content_block_stop', { index: 0 }],
    ['message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 1 } }],
    ['message_stop', {}],
  ]
  return events.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`).join('')
}

/** A language model that calls the one tool it is told to, and keeps what came back. */
export const startModel = async () => {
  let next: { name: string; input: object } | undefined
  let result: Block | undefined
  let offered: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk))
    request.on('end', () => {
      if (!request.url?.startsWith('/v1/messages') || request.url.includes('count_tokens'))
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1}')
      const { messages, tools = [] } = JSON.parse(text) as Asked
      const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      result = blocks.find(({ type }) => type === 'tool_result') ?? result
      const names = tools.map(({ name }) => name)
      if (names.length > 0) offered = names
      const call = next && result === undefined && names.includes(next.name) ? next : undefined
      const block = call ? { type: 'tool_use', id: 'toolu_1', ...call } : { type: 'text', text: 'Done.' }
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(eventsOf(block, call ? 'tool_use' : 'end_turn'))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets the tool that is called next. */
    willCall: (name: string, input: object) => {
      next = { name, input }
      result = undefined
      offered = []
    },
    /** Returns the tool's answer; undefined if it was not called. */
    result: () => result,
    /** The tools the agent told the model of. */
    offered: () => offered,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

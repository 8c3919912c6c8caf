import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ToolAnswer } from './agent.ts'

/** A call of a tool, under the name that the client gave the tool. */
type ToolCall = { name: string; input: object }
/** Tools of a request to the model, and the answer of one that was called. */
type Request = { tools: string[]; result: { text: string; isError?: boolean } | undefined }
type Dialect = { read: (body: never) => Request; answer: (call: ToolCall | undefined) => string }

const eventsOf = (events: readonly (readonly [string, object])[]): string =>
  events.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`).join('')

type Block = { type: string; content?: string | { text: string }[]; is_error?: boolean }

/** Anthropic's Messages API, streaming. */
const messages: Dialect = {
  read: (body: { messages: { content: string | Block[] }[]; tools?: { name: string }[] }) => {
    const blocks = body.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    const result = blocks.find(({ type }) => type === 'tool_result')
    const content = result?.content ?? ''
    return {
      tools: (body.tools ?? []).map(({ name }) => name),
      result: result && {
        text: typeof content === 'string' ? content : (content[0]?.text ?? ''),
        isError: result.is_error === true,
      },
    }
  },
  answer: (call) =>
    eventsOf([
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
      [
        'content_block_start',
        {
          index: 0,
          content_block: call
            ? { type: 'tool_use', id: 'toolu_1', name: call.name, input: {} }
            : { type: 'text', text: '' },
        },
      ],
      [
        'content_block_delta',
        {
          index: 0,
          delta: call
            ? { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }
            : { type: 'text_delta', text: 'Done.' },
        },
      ],
      ['content_block_stop', { index: 0 }],
      [
        'message_delta',
        { delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
      ],
      ['message_stop', {}],
    ]),
}

type NamedTool = { type: string; name?: string; tools?: { name: string }[] }

/** Between the name of a server and that of its tool, which the Responses API has apart. */
const APART = '__'

/** OpenAI's Responses API, streaming. */
const responses: Dialect = {
  read: (body: { input: { type: string; output?: string }[]; tools?: NamedTool[] }) => {
    const result = body.input.find(({ type }) => type === 'function_call_output')
    return {
      tools: (body.tools ?? []).flatMap(({ name = '', tools }) =>
        tools ? tools.map((tool) => `${name}${APART}${tool.name}`) : [name],
      ),
      result: result && { text: result.output ?? '' },
    }
  },
  answer: (call) => {
    const at = call?.name.lastIndexOf(APART) ?? 0
    const item = call
      ? {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          namespace: call.name.slice(0, at),
          name: call.name.slice(at + APART.length),
          arguments: JSON.stringify(call.input),
          status: 'completed',
        }
      : {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
        }
    const usage = {
      input_tokens: 1,
      input_tokens_details: null,
      output_tokens: 1,
      output_tokens_details: null,
      total_tokens: 2,
    }
    return eventsOf([
      ['response.created', { response: { id: 'resp_1' } }],
      ['response.output_item.done', { output_index: 0, item }],
      ['response.completed', { response: { id: 'resp_1', usage } }],
    ])
  },
}

type Part = { functionResponse?: { response: { output?: string; error?: string } } }

/** Google's generateContent, streaming. */
const contents: Dialect = {
  read: (body: { contents: { parts: Part[] }[]; tools?: { functionDeclarations?: { name: string }[] }[] }) => {
    const parts = body.contents.flatMap((content) => content.parts)
    const result = parts.find(({ functionResponse }) => functionResponse)?.functionResponse?.response
    return {
      tools: (body.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
        functionDeclarations.map(({ name }) => name),
      ),
      result: result && { text: result.output ?? result.error ?? '', isError: result.error !== undefined },
    }
  },
  answer: (call) => {
    const part = call ? { functionCall: { name: call.name, args: call.input } } : { text: 'Done.' }
    const candidate = { content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }
    return `data: ${JSON.stringify({ candidates: [candidate], usageMetadata, modelVersion: 'stand-in' })}\n\n`
  },
}

const DIALECTS: [RegExp, Dialect][] = [
  [/\/v1\/messages(\?|$)/, messages],
  [/\/v1\/responses(\?|$)/, responses],
  [/:streamGenerateContent(\?|$)/, contents],
]

/** Clients put the name of the server before that of a tool. */
const OURS = /galley_+(\w+)$/

/** Returns the JSON in a tool's answer. Clients put words of their own around it for the model. */
const answerIn = ({ text, isError }: { text: string; isError?: boolean }): ToolAnswer => {
  const said = text.split('\n\n<system-reminder>')[0] ?? ''
  try {
    const body = JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1)) as ToolAnswer['body']
    return { isError: isError ?? typeof body.error === 'string', body }
  } catch {
    throw new Error(said)
  }
}

/** Starts a language model that calls one given tool, and stores the result. */
export const startModel = async () => {
  let next: { tool: string; input: object } | undefined
  let result: Request['result']
  let offered: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk))
    request.on('end', () => {
      const dialect = DIALECTS.find(([path]) => path.test(request.url ?? ''))?.[1]
      if (!dialect)
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1,"totalTokens":1}')
      const told = dialect.read(JSON.parse(text) as never)
      result = told.result ?? result
      if (told.tools.length > 0) offered = told.tools
      const name = told.tools.find((one) => OURS.exec(one)?.[1] === next?.tool)
      const call = next && name !== undefined && result === undefined ? { name, input: next.input } : undefined
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(dialect.answer(call))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /**
     * Calls a tool through the client that `work` runs. The client must ask the model once. Throws if it did not call
     * the tool.
     */
    call: async (tool: string, input: object, work: () => Promise<{ text: string }>): Promise<ToolAnswer> => {
      next = { tool, input }
      result = undefined
      offered = []
      const { text } = await work()
      if (result === undefined) throw new Error(`${tool} was not called; tools: ${offered} ${text}`)
      return answerIn(result)
    },
    /** Returns the service's tools that the client offered to the model. */
    offered: (): string[] => offered.flatMap((name) => OURS.exec(name)?.[1] ?? []),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createFaults, type FaultRule } from '../faults.ts'
import { serveLoopback } from '../loopback.ts'
import { json } from '../receiver/answers.ts'
import { answerTo, type Manner } from './answers.ts'
import { type Asked, readPrompt } from './prompt.ts'

/** How it ends an answer besides what it says. */
type Ending = 'stop' | 'length' | 'content_filter' | 'refusal' | 'empty'

/** One instruction to misbehave: for a step or every one, so many times or always. The first that fits applies. */
type Mood = { manner?: Manner; ending?: Ending; step?: Asked['step']; times?: number }

/** A request as it came, for tests to read. */
type Heard = { step: Asked['step']; heading: string; text: string; authorization: string }

export type RunningModel = {
  /** The base URL an OpenAI-compatible client is given. */
  baseUrl: string
  moods: (moods: readonly Mood[]) => void
  /** Answers with statuses, delays and broken connections, as every local service can. */
  faults: (rules: readonly FaultRule[]) => void
  heard: () => readonly Heard[]
  close: () => Promise<void>
}

const send = (res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  const text = JSON.stringify(body)
  res
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers })
    .end(text)
}

const completion = (model: unknown, text: string, ending: Ending) => ({
  id: 'chatcmpl-local',
  object: 'chat.completion',
  created: Math.floor(Date.now() / 1000),
  model,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content:
          ending === 'refusal'
            ? null
            : ending === 'empty'
              ? ''
              : ending === 'length'
                ? text.slice(0, text.length / 2)
                : text,
        refusal: ending === 'refusal' ? 'I cannot help with that.' : null,
      },
      logprobs: null,
      finish_reason: ending === 'length' || ending === 'content_filter' ? ending : 'stop',
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
})

const readBody = async (req: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** The error body of the provider's API for a status. */
const refusalOf = (status: number) => ({
  error: {
    message: `status ${status}`,
    type: status === 429 ? 'rate_limit_exceeded' : 'server_error',
    param: null,
    code: null,
  },
})

const failBy = async (fault: FaultRule, req: IncomingMessage, res: ServerResponse): Promise<boolean> => {
  if (fault.delay_ms) await new Promise((resolve) => setTimeout(resolve, fault.delay_ms))
  if (fault.drop) {
    req.socket.destroy()
    return true
  }
  if (fault.status === undefined) return false
  const { headers, ...body } = (fault.answer ?? refusalOf(fault.status)) as { headers?: Record<string, string> }
  send(res, fault.status, body, headers)
  return true
}

/**
 * A language model behind the chat/completions API that writes short articles from what the prompt says, and misbehaves
 * when it is told to. It understands nothing; it costs nothing.
 */
export const startModel = async (key: string): Promise<RunningModel> => {
  const faults = createFaults()
  const heard: Heard[] = []
  let moods: (Mood & { used: number })[] = []
  const moodFor = (step: Asked['step']): Mood => {
    const mood = moods.find((one) => (one.step ?? step) === step && (one.times === undefined || one.used < one.times))
    if (mood) mood.used += 1
    return mood ?? {}
  }
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const text = await readBody(req)
    if (req.url !== '/v1/chat/completions' || req.method !== 'POST') return send(res, 404, refusalOf(404))
    if (req.headers.authorization !== `Bearer ${key}`) return send(res, 401, refusalOf(401))
    const body = JSON.parse(text) as { model: string; messages: { role: string; content: unknown }[] }
    const asked = readPrompt(body.messages)
    heard.push({
      step: asked.step,
      heading: asked.heading,
      text: JSON.stringify(body.messages),
      authorization: req.headers.authorization,
    })
    const fault = faults.take(req.url, text)
    if (fault && (await failBy(fault, req, res))) return
    const { manner = 'good', ending = 'stop' } = moodFor(asked.step)
    send(res, 200, completion(body.model, answerTo(asked, manner), ending))
  }
  const server = await serveLoopback(handle, (error) => json(500, { error: { message: String(error) } }))
  return {
    baseUrl: `${server.url}/v1`,
    moods: (given) => {
      moods = given.map((mood) => ({ ...mood, used: 0 }))
    },
    faults: (rules) => faults.set(rules),
    heard: () => heard,
    close: server.close,
  }
}

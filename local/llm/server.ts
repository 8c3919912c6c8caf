import type { FaultRule } from '../faults.ts'
import { type Answer, json } from '../receiver/answers.ts'
import { startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import { type Asked, answerTo, type Manner, readPrompt, textOf } from './answers.ts'

/** End of an answer, without its text. */
type Ending = 'stop' | 'length' | 'content_filter' | 'refusal' | 'empty'

/** One instruction to misbehave: for a step or every one, so many times or always. The first that fits applies. */
type Mood = { manner?: Manner; ending?: Ending; step?: Asked['step']; times?: number }

/** A request as it came, for tests to read. */
type Heard = {
  step: Asked['step']
  heading: string
  text: string
  /** The system message, which has the service's own instructions. */
  instructions: string
  authorization: string
  body: Body
}

export type RunningModel = {
  /** The base URL an OpenAI-compatible client is given. */
  baseUrl: string
  moods: (moods: readonly Mood[]) => void
  /** Answers with statuses, delays and broken connections, as every local service can. */
  faults: (rules: readonly FaultRule[]) => void
  heard: () => readonly Heard[]
  close: () => Promise<void>
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

/** Returns the answer of the provider's API with a status. */
const refusalOf = (status: number): Answer =>
  json(status, {
    error: {
      message: `status ${status}`,
      type: status === 429 ? 'rate_limit_exceeded' : 'server_error',
      param: null,
      code: null,
    },
  })

type Body = {
  model: string
  messages: { role: string; content: unknown }[]
  max_tokens?: number
  max_completion_tokens?: number
  temperature?: number
  reasoning_effort?: string
}

const FIELDS = new Set([
  ...['model', 'messages', 'max_tokens', 'max_completion_tokens', 'temperature', 'reasoning_effort', 'stream'],
  ...[
    'top_p',
    'frequency_penalty',
    'presence_penalty',
    'stop',
    'seed',
    'user',
    'response_format',
    'tools',
    'tool_choice',
  ],
])

/** True for OpenAI's models that think before they answer: o1 and later, GPT-5 and later. */
const thinks = ({ model }: Body): boolean => /^(?:o\d|gpt-(?:[5-9]|\d\d))/.test(model)

/** Tokens that a model uses for thinking before it answers. */
const THOUGHT = 2_000

const invalid = (message: string, param: string, code: string | null): Answer =>
  json(400, { error: { message, type: 'invalid_request_error', param, code } })

/** Returns OpenAI's refusal of a request; undefined if OpenAI accepts it. */
const faultIn = (body: Body): Answer | undefined => {
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name))
  if (unknown) return invalid(`Unrecognized request argument supplied: ${unknown}`, unknown, null)
  if (thinks(body) && body.max_tokens !== undefined)
    return invalid(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    )
  if (thinks(body) && ![undefined, 1].includes(body.temperature))
    return invalid(
      `Unsupported value: 'temperature' does not support ${body.temperature} with this model. Only the default (1) value is supported.`,
      'temperature',
      'unsupported_value',
    )
  if (!thinks(body) && body.reasoning_effort !== undefined)
    return invalid('Unrecognized request argument supplied: reasoning_effort', 'reasoning_effort', null)
  return undefined
}

/**
 * Starts a stand-in of a language model behind the chat/completions API.
 *
 * It builds short articles from the words of the prompt, and misbehaves if a test sets a mood.
 */
export const startModel = async (key: string): Promise<RunningModel> => {
  const heard: Heard[] = []
  let moods: (Mood & { used: number })[] = []
  const moodFor = (step: Asked['step']): Mood => {
    const mood = moods.find((one) => (one.step ?? step) === step && (one.times === undefined || one.used < one.times))
    if (mood) mood.used += 1
    return mood ?? {}
  }
  const heardBy = ({ body, headers }: StandInRequest): void => {
    const { messages } = body as Body
    const { step, heading } = readPrompt(messages)
    heard.push({
      step,
      heading,
      text: messages.map(({ content }) => textOf(content)).join('\n\n'),
      instructions: messages
        .filter(({ role }) => role === 'system')
        .map(({ content }) => textOf(content))
        .join('\n\n'),
      authorization: headers.authorization ?? '',
      body: body as Body,
    })
  }
  const answer = ({ method, path, headers, body }: StandInRequest): Answer => {
    if (path !== '/v1/chat/completions' || method !== 'POST') return refusalOf(404)
    if (headers.authorization !== `Bearer ${key}`) return refusalOf(401)
    const fault = faultIn(body as Body)
    if (fault) return fault
    const { model, messages, max_completion_tokens: room = THOUGHT * 10 } = body as Body
    const asked = readPrompt(messages)
    if (thinks(body as Body) && room <= THOUGHT) return json(200, completion(model, '', 'length'))
    const { manner = 'good', ending = 'stop' } = moodFor(asked.step)
    return json(200, completion(model, answerTo(asked, manner), ending))
  }
  const standIn = await startStandIn({ answer, heard: heardBy, refusal: refusalOf })
  return {
    baseUrl: `${standIn.url}/v1`,
    moods: (given) => {
      moods = given.map((mood) => ({ ...mood, used: 0 }))
    },
    faults: standIn.faults.set,
    heard: () => heard,
    close: standIn.close,
  }
}

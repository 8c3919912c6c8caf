import type { FaultRule } from '../faults.ts'
import { type Answer, json } from '../receiver/answers.ts'
import { type StandInRequest, startStandIn } from '../stand-in.ts'
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

/** What the provider's API says with a status. */
const refusalOf = (status: number): Answer =>
  json(status, {
    error: {
      message: `status ${status}`,
      type: status === 429 ? 'rate_limit_exceeded' : 'server_error',
      param: null,
      code: null,
    },
  })

type Body = { model: string; messages: { role: string; content: unknown }[] }

/**
 * A language model behind the chat/completions API that writes short articles from what the prompt says, and misbehaves
 * when it is told to. It understands nothing; it costs nothing.
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
    heard.push({ step, heading, text: JSON.stringify(messages), authorization: headers.authorization ?? '' })
  }
  const answer = ({ method, path, headers, body }: StandInRequest): Answer => {
    if (path !== '/v1/chat/completions' || method !== 'POST') return refusalOf(404)
    if (headers.authorization !== `Bearer ${key}`) return refusalOf(401)
    const { model, messages } = body as Body
    const asked = readPrompt(messages)
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

import { foreignJson } from '../../../platform/lib/foreign-json.ts'

/** Fields of a chat completion that a model may refuse, and that an answer can do without. */
const OPTIONAL = ['max_tokens', 'max_completion_tokens', 'temperature', 'reasoning_effort'] as const
type Optional = (typeof OPTIONAL)[number]

type Body = { model?: unknown; [name: string]: unknown }

/** True for OpenAI's models that think before they answer: o1 and later, GPT-5 and later. */
export const isReasoningModel = (model: string): boolean => /^(?:o\d|gpt-(?:[5-9]|[1-9]\d))/.test(model)

/** Returns a body as OpenAI takes it: from GPT-5 on it refuses `max_tokens`, and any temperature but its own. */
export const openAiBody = ({ max_tokens, temperature: _, ...body }: Body): Body => ({
  ...body,
  ...(max_tokens === undefined ? {} : { max_completion_tokens: max_tokens }),
  ...(isReasoningModel(String(body.model)) ? { reasoning_effort: 'low' } : {}),
})

const names = (text: string, name: string): boolean => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text)

/** Returns the optional field that a refusal names; undefined if it names none. */
const refusedIn = (text: string, sent: Body): Optional | undefined => {
  const { error } = (foreignJson(text) ?? {}) as { error?: { param?: unknown } }
  const among = OPTIONAL.filter((name) => sent[name] !== undefined)
  return among.find((name) => error?.param === name) ?? among.find((name) => names(text, name))
}

/** Returns the body without what was refused; the limit keeps its value if it only has another name. */
const without = (body: Body, refused: ReadonlyMap<Optional, Optional | undefined>): Body => {
  const sent = { ...body }
  for (const [name, other] of refused) {
    if (other !== undefined && sent[name] !== undefined) sent[other] = sent[name]
    delete sent[name]
  }
  return sent
}

/**
 * Returns a `fetch` that repeats a request without the parameter that a 400 (or 422) names, once for each parameter. What a model
 * refused is not sent to it again.
 */
export const withoutRefused = (send: typeof fetch): typeof fetch => {
  const refusedBy = new Map<string, Map<Optional, Optional | undefined>>()
  return async (input, init) => {
    const body = typeof init?.body === 'string' ? (foreignJson(init.body) as Body | undefined) : undefined
    if (typeof body !== 'object') return await send(input, init)
    const model = String(body.model)
    const refused = refusedBy.get(model) ?? new Map<Optional, Optional | undefined>()
    refusedBy.set(model, refused)
    for (;;) {
      const sent = without(body, refused)
      const response = await send(input, { ...init, body: JSON.stringify(sent) })
      if (response.status !== 400 && response.status !== 422) return response
      const text = await response.text()
      const name = refusedIn(text, sent)
      if (name === undefined) return new Response(text, { status: response.status })
      const isRenamed = name === 'max_tokens' && names(text, 'max_completion_tokens')
      refused.set(name, isRenamed ? 'max_completion_tokens' : undefined)
    }
  }
}

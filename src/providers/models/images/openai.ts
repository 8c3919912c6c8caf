import * as z from 'zod/mini'
import type { ImageMaker, PictureResult } from '../../../content/writing/pictures-port.ts'
import { fromBase64 } from '../../../platform/lib/crypto.ts'
import { foreignJson } from '../../../platform/lib/foreign-json.ts'
import type { ImageSettings } from '../../../platform/runtime/env.ts'
import type { Outbound } from '../../../platform/runtime/outbound.ts'

type OpenAi = Extract<ImageSettings, { provider: 'openai-compatible' }>

/** A GPT image model takes up to two minutes and more at high quality. */
const TIMEOUT_MS = 180_000
/** Longest answer read, bytes: a picture of 4 MB in base64, and some. */
const MAX_ANSWER = 8 * 1024 * 1024

const Answer = z.object({ data: z.array(z.object({ b64_json: z.optional(z.nullable(z.string())) })) })
const Refusal = z.object({ error: z.object({ message: z.string() }) })

const failed = (reason: string): PictureResult => ({ kind: 'failed', reason })

const readAnswer = (status: number, text: string): PictureResult => {
  const body = foreignJson(text)
  if (status !== 200) {
    const refusal = Refusal.safeParse(body)
    return failed(`status ${status}${refusal.success ? `: ${refusal.data.error.message}` : ''}`.slice(0, 500))
  }
  const answer = Answer.safeParse(body)
  const base64 = answer.success ? answer.data.data[0]?.b64_json : undefined
  if (!base64) return failed('It answered without a picture.')
  try {
    return { kind: 'made', bytes: fromBase64(base64) }
  } catch {
    return failed('It answered with something that is not base64.')
  }
}

/**
 * Returns a model behind an OpenAI-compatible images endpoint (https://platform.openai.com/docs/api-reference/images/create). The GPT
 * image models answer in base64 by themselves and refuse to be asked for it.
 */
export const openAiImages = ({ baseUrl, apiKey, model, size, quality }: OpenAi, outbound: Outbound): ImageMaker => ({
  make: async (prompt) => {
    const format = /^(?:gpt|chatgpt)-image/.test(model) ? {} : { response_format: 'b64_json' }
    const wanted = quality === '' ? {} : { quality }
    const answer = await outbound({
      url: `${baseUrl.replace(/\/+$/, '')}/images/generations`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, prompt, n: 1, size, ...wanted, ...format }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER,
    })
    if (answer.kind !== 'answered') return failed('The model did not answer in time.')
    return answer.truncated ? failed('The picture is too large.') : readAnswer(answer.status, answer.body)
  },
})

import * as z from 'zod/mini'
import type { ImageMaker, PictureResult } from '../../../content/writing/port.ts'
import { judged, listedModel, modelsRequest, ok, wrong } from '../../../platform/jobs/provider-ask.ts'
import type { Checked } from '../../../platform/jobs/provider-check.ts'
import { fromBase64 } from '../../../platform/lib/crypto.ts'
import { foreignJson } from '../../../platform/lib/foreign-answers.ts'
import { clip } from '../../../platform/lib/text.ts'
import { type ImageInput, WORKERS_AI_IMAGES } from '../../../platform/runtime/image-models.ts'
import type { Outbound } from '../../../platform/runtime/outbound.ts'
import type { ImageSettings } from '../../../platform/runtime/provider-env.ts'

type OpenAi = Extract<ImageSettings, { provider: 'openai-compatible' }>

/** A GPT image model may take more than two minutes at high quality. */
const TIMEOUT_MS = 180_000
/** Longest answer read, bytes: enough for a picture of 4 MB in base64. */
const MAX_ANSWER = 8 * 1024 * 1024

const Answer = z.object({ data: z.array(z.object({ b64_json: z.optional(z.nullable(z.string())) })) })
const Refusal = z.object({ error: z.object({ message: z.string() }) })

const failed = (reason: string): PictureResult => ({ kind: 'failed', reason })

const readAnswer = (status: number, text: string): PictureResult => {
  const body = foreignJson(text)
  if (status !== 200) {
    const refusal = Refusal.safeParse(body)
    return failed(clip(`status ${status}${refusal.success ? `: ${refusal.data.error.message}` : ''}`, 500))
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
 * Returns a model behind an OpenAI-compatible images endpoint (https://platform.openai.com/docs/api-reference/images/create).
 *
 * The GPT image models always answer in base64, and refuse the parameter that requests it.
 */
const openAiImages = ({ baseUrl, apiKey, model, size, quality }: OpenAi, outbound: Outbound): ImageMaker => ({
  make: async (prompt) => {
    const format = /^(?:gpt|chatgpt)-image/.test(model) ? {} : { response_format: 'b64_json' }
    const wanted = quality === '' ? {} : { quality }
    const answer = await outbound({
      url: `${baseUrl}/images/generations`,
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

type Ai = { run: (model: string, input: Record<string, unknown>) => Promise<unknown> }

const [WIDTH, HEIGHT] = [1216, 640]

/** Returns the bytes of a picture. Models answer with a stream of bytes, or with base64 in `image`. */
const bytesIn = async (answer: unknown): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  if (answer instanceof ReadableStream) return new Uint8Array(await new Response(answer).arrayBuffer())
  const { image } = (answer ?? {}) as { image?: unknown }
  return typeof image === 'string' ? fromBase64(image) : undefined
}

/** Returns a form as the binding takes it: its body, and the content type with its boundary. */
const formOf = (fields: Record<string, string>): Record<string, unknown> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const { body, headers } = new Response(form)
  return { multipart: { body, contentType: headers.get('content-type') } }
}

/** Input for each kind of model. */
const INPUTS: Record<ImageInput, (prompt: string) => Record<string, unknown>> = {
  sized: (prompt) => ({ prompt, width: WIDTH, height: HEIGHT }),
  plain: (prompt) => ({ prompt }),
  form: (prompt) => formOf({ prompt, width: String(WIDTH), height: String(HEIGHT) }),
}

/** Returns a model on Cloudflare, through the `AI` binding (https://developers.cloudflare.com/workers-ai/models/). */
const workersAiImages = (model: string, binding: unknown): ImageMaker => ({
  make: async (prompt) => {
    try {
      const answer = await (binding as Ai).run(
        model,
        INPUTS[WORKERS_AI_IMAGES[model] ?? 'sized'](prompt.slice(0, 2_000)),
      )
      const bytes = await bytesIn(answer)
      return bytes ? { kind: 'made', bytes } : { kind: 'failed', reason: 'It answered without a picture.' }
    } catch (error) {
      return { kind: 'failed', reason: error instanceof Error ? clip(error.message, 500) : 'The model failed.' }
    }
  },
})

/** Returns the image maker from the settings. Without a model, it makes no pictures. */
export const imageMaker = (settings: ImageSettings, ai: unknown, outbound: Outbound): ImageMaker => {
  if (settings.provider === 'openai-compatible') return openAiImages(settings, outbound)
  if (settings.provider === 'workers-ai') return workersAiImages(settings.model, ai)
  return { make: async () => ({ kind: 'none' }) }
}

const FIX = 'Check IMAGES_MODEL, IMAGES_API_KEY and IMAGES_BASE_URL.'

/** Checks that the model is in the provider's list. With `isPaid`, makes one picture instead. */
export const checkImages = async (
  settings: ImageSettings,
  maker: ImageMaker,
  { outbound, isPaid }: { outbound: Outbound; isPaid: boolean },
): Promise<Checked> => {
  if (settings.provider === 'none') return wrong('no model is set', 'Set IMAGES_PROVIDER and IMAGES_MODEL.')
  if (isPaid) {
    const made = await maker.make('A plain blue square.')
    if (made.kind === 'made') return ok(`${settings.model} makes pictures`, '1 picture')
    return wrong(`${settings.model}: ${made.kind === 'failed' ? made.reason : 'no picture'}`, FIX, '1 picture')
  }
  if (settings.provider === 'workers-ai') return ok(`${settings.model}; with --paid it makes a picture`)
  const { model } = settings
  return await judged(outbound, { ...modelsRequest(settings), settings: 'IMAGES_API_KEY' }, (json) => {
    const found = listedModel(json, model)
    if (!found?.isListed) return wrong(`${model} is not in the list of models`, FIX)
    return ok(found.ends === undefined ? model : `${model}, ends on ${found.ends}`)
  })
}

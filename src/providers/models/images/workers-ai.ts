import type { ImageMaker } from '../../../content/writing/pictures-port.ts'
import { fromBase64 } from '../../../platform/lib/crypto.ts'
import { type ImageInput, WORKERS_AI_IMAGES } from '../../../platform/runtime/image-models.ts'

type Ai = { run: (model: string, input: Record<string, unknown>) => Promise<unknown> }

const [WIDTH, HEIGHT] = [1216, 640]

/** Models answer with the bytes as a stream, or with base64 in `image`. */
const bytesIn = async (answer: unknown): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  if (answer instanceof ReadableStream) return new Uint8Array(await new Response(answer).arrayBuffer())
  const { image } = (answer ?? {}) as { image?: unknown }
  return typeof image === 'string' ? fromBase64(image) : undefined
}

/** Returns a form as the binding takes it: its body, and the type that names its boundary. */
const formOf = (fields: Record<string, string>): Record<string, unknown> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const { body, headers } = new Response(form)
  return { multipart: { body, contentType: headers.get('content-type') } }
}

/** Input of each kind of model. */
const INPUTS: Record<ImageInput, (prompt: string) => Record<string, unknown>> = {
  sized: (prompt) => ({ prompt, width: WIDTH, height: HEIGHT }),
  plain: (prompt) => ({ prompt }),
  form: (prompt) => formOf({ prompt, width: String(WIDTH), height: String(HEIGHT) }),
}

/** Returns a model on Cloudflare, through the `AI` binding (https://developers.cloudflare.com/workers-ai/models/). */
export const workersAiImages = (model: string, binding: unknown): ImageMaker => ({
  make: async (prompt) => {
    try {
      const answer = await (binding as Ai).run(
        model,
        INPUTS[WORKERS_AI_IMAGES[model] ?? 'sized'](prompt.slice(0, 2_000)),
      )
      const bytes = await bytesIn(answer)
      return bytes ? { kind: 'made', bytes } : { kind: 'failed', reason: 'It answered without a picture.' }
    } catch (error) {
      return { kind: 'failed', reason: error instanceof Error ? error.message.slice(0, 500) : 'The model failed.' }
    }
  },
})

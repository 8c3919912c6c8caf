import type * as z from 'zod/mini'
import {
  HeadlineAnswer,
  type ImageMaker,
  MAX_PICTURE_BYTES,
  OutlineAnswer,
  type PictureResult,
  RepairAnswer,
  SectionAnswer,
  type Writer,
} from '../../../content/writing/port.ts'
import { requestIdHeader } from '../../../platform/lib/request-scope.ts'
import { PostsAnswer, type PostWriter } from '../../../reach/social/port.ts'

export type WriterBinding = { fetch: typeof fetch }

/** Time limit of one step, ms: below the lease of a job's run. */
const TIMEOUT_MS = 90_000

const passing = (reason: string) => ({ kind: 'refused', reason, retryable: true }) as const

/** Calls a step of the writer in its own Worker. If the answer is late, or is no valid `what`, the step may be tried again. */
const askWriter = async <S extends z.ZodMiniType>(
  binding: WriterBinding,
  step: string,
  body: unknown,
  shape: S,
  what: 'article' | 'posts' | 'title',
): Promise<z.infer<S> | ReturnType<typeof passing>> => {
  try {
    const response = await binding.fetch(`http://writer/${step}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...requestIdHeader() },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) return passing('The writer did not answer.')
    const answer = shape.safeParse(await response.json())
    if (answer.success) return answer.data
    return passing(`The writer answered with something that is no ${what}.`)
  } catch {
    return passing('The writer did not answer in time.')
  }
}

/** Returns a client of the writer in its own Worker, over the service binding. */
export const writerClient = (binding: WriterBinding): Writer => ({
  outline: async (input) => await askWriter(binding, 'outline', input, OutlineAnswer, 'article'),
  section: async (input) => await askWriter(binding, 'section', input, SectionAnswer, 'article'),
  repair: async (input) => await askWriter(binding, 'repair', input, RepairAnswer, 'article'),
  headline: async (input) => await askWriter(binding, 'headline', input, HeadlineAnswer, 'title'),
})

/** Returns a client of the writer of posts in the writer's Worker, over the service binding. */
export const postWriterClient = (binding: WriterBinding): PostWriter => ({
  posts: async (task) => await askWriter(binding, 'posts', task, PostsAnswer, 'posts'),
})

type Binding = { fetch: typeof fetch }

/** Time limit of a picture, ms: above a model's limit, below that of a run. */
const IMAGE_TIMEOUT_MS = 185_000

const failed = (reason: string): PictureResult => ({ kind: 'failed', reason })

/** Returns an image maker that calls the model through the writer's Worker. */
export const imageClient = (binding: Binding): ImageMaker => ({
  make: async (prompt) => {
    try {
      const response = await binding.fetch('http://writer/image', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...requestIdHeader() },
        body: JSON.stringify({ prompt }),
        signal: AbortSignal.timeout(IMAGE_TIMEOUT_MS),
      })
      if (response.status === 204) return { kind: 'none' }
      if (!response.ok) return failed(response.status === 422 ? await response.text() : 'The picture was not made.')
      if (Number(response.headers.get('content-length') ?? 0) > MAX_PICTURE_BYTES) return failed('It is too large.')
      const bytes = new Uint8Array(await response.arrayBuffer())
      return bytes.length > MAX_PICTURE_BYTES ? failed('It is too large.') : { kind: 'made', bytes }
    } catch {
      return failed('The picture was not made in time.')
    }
  },
})

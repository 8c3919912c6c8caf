import { Hono } from 'hono/tiny'
import type * as z from 'zod/mini'
import {
  HeadlineRequest,
  type ImageMaker,
  ImageRequest,
  OutlineRequest,
  RepairRequest,
  SectionRequest,
  type Writer,
} from '../../src/content/writing/port.ts'
import type { ModelInUse } from '../../src/platform/jobs/models.ts'
import type { Checked } from '../../src/platform/jobs/provider-check.ts'
import type { Log } from '../../src/platform/runtime/log.ts'
import { PostsRequest, type PostWriter } from '../../src/reach/social/port.ts'

/** Checks of the models for a deployment. */
export type ModelChecks = { writer: () => Promise<Checked>; images: (isPaid: boolean) => Promise<Checked> }

type Parts = {
  writer: Writer
  posts: PostWriter
  images: ImageMaker
  checks: ModelChecks
  models: () => Promise<ModelInUse[]>
}

/** Returns the steps of the writer. For other Workers only: it has no public route. */
export const writerApp = ({ writer, posts, images, checks, models }: Parts, log: Log) => {
  const step =
    <S extends z.ZodMiniType>(
      shape: S,
      take: (input: z.infer<S>) => Promise<{ kind: string; reason?: string; retryable?: boolean }>,
    ) =>
    async (request: Request): Promise<Response> => {
      const input = shape.safeParse(await request.json().catch(() => undefined))
      if (!input.success) return Response.json({ error: 'The body does not match the step.' }, { status: 400 })
      const answer = await take(input.data)
      if (answer.kind === 'refused')
        log('warn', 'writer.refused', { reason: answer.reason, retryable: answer.retryable })
      return Response.json(answer)
    }
  const outline = step(OutlineRequest, (input) => writer.outline(input))
  const section = step(SectionRequest, (input) => writer.section(input))
  const repair = step(RepairRequest, (input) => writer.repair(input))
  const headline = step(HeadlineRequest, (input) => writer.headline(input))
  const post = step(PostsRequest, (task) => posts.posts(task))
  const image = async (request: Request): Promise<Response> => {
    const input = ImageRequest.safeParse(await request.json().catch(() => undefined))
    if (!input.success) return Response.json({ error: 'The body does not match the step.' }, { status: 400 })
    const made = await images.make(input.data.prompt)
    if (made.kind === 'none') return new Response(null, { status: 204 })
    return made.kind === 'made' ? new Response(made.bytes) : new Response(made.reason, { status: 422 })
  }
  return new Hono()
    .post('/check/writer', async (c) => c.json(await checks.writer()))
    .post('/check/images', async (c) => c.json(await checks.images(c.req.query('paid') === '1')))
    .post('/headline', (c) => headline(c.req.raw))
    .post('/image', (c) => image(c.req.raw))
    .post('/models', async (c) => c.json(await models()))
    .post('/outline', (c) => outline(c.req.raw))
    .post('/posts', (c) => post(c.req.raw))
    .post('/section', (c) => section(c.req.raw))
    .post('/repair', (c) => repair(c.req.raw))
}

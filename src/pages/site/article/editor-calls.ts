import type { Hono } from 'hono'
import { readSent } from '../../../content/articles/content.ts'
import { createImage } from '../../../content/media/create-image.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { fetchableUrl } from '../../../platform/lib/fields.ts'
import { Attachment } from '../../../platform/lib/file-fields.ts'
import { ctxOf } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, signedIn } from '../../front.tsx'
import { wordsOf } from '../../words.ts'
import type { SiteFront } from '../front.ts'
import { load } from './load.ts'

/** Limit of pictures and texts that the editor sends, by account. */
const CALLS = { name: 'people.editor', perMinute: 120 }

/** Returns the picture in the body: its bytes, or the address from which it is copied. */
const pictureIn = async (c: PagesContext) => {
  if ((c.req.header('content-type') ?? '').startsWith('image/'))
    return { image_base64: new Attachment(new Uint8Array(await c.req.arrayBuffer())) }
  const parsed = fetchableUrl().safeParse((await formOf(c)).url)
  if (!parsed.success) throw new ApiError('forbidden_url', 'The picture has no public address.')
  return { image_url: parsed.data }
}

/** Adds what the editor's script calls. The answers are JSON: the result, or `error` with a sentence for people. */
export const editorCalls = (app: Hono<PagesEnv>, front: SiteFront): void => {
  const on = (path: string, run: (c: PagesContext) => Promise<object>) =>
    app.post(`/p/:site/articles/:article/${path}`, signedIn(front), async (c) => {
      try {
        const { allowed } = await front.deps.limiter.take(CALLS, String(c.get('person').accountId))
        if (!allowed) throw new ApiError('rate_limited', '')
        await load(c, front, '')
        return c.json(await run(c))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return c.json({ error: wordsOf(error) }, error.status)
      }
    })
  on('pictures', async (c) => {
    const { url } = await createImage(ctxOf(c, front), await pictureIn(c))
    return { url }
  })
  on('markdown', async (c) => {
    const { markdown = '' } = await formOf(c)
    const { safe } = await readSent(ctxOf(c, front), { content: markdown, content_format: 'markdown' })
    return { html: safe?.html ?? '' }
  })
}

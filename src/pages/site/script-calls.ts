import { createImage } from '../../content/media/create-image.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { fetchableUrl } from '../../platform/lib/fields.ts'
import { Attachment } from '../../platform/lib/file-fields.ts'
import { ctxOf } from '../ctx.ts'
import { type Front, formOf, type PagesContext } from '../front.tsx'
import { wordsOf } from '../words.ts'

/** Limit of pictures and texts that scripts of pages send, by account. */
const CALLS = { name: 'people.editor', perMinute: 120 }

/** Runs what a page's script asks for. The answer is JSON: the result, or `error` with a sentence for people. */
export const answerScript = async (
  c: PagesContext,
  { deps }: Front,
  work: () => Promise<object>,
): Promise<Response> => {
  try {
    const { allowed } = await deps.limiter.take(CALLS, String(c.get('person').accountId))
    if (!allowed) throw new ApiError('rate_limited', '')
    return c.json(await work())
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return c.json({ error: wordsOf(error) }, error.status)
  }
}

/** Hosts a picture for the account of the signed-in person. Returns its address. */
export const hostFile = async (c: PagesContext, front: Front, file: ArrayBuffer): Promise<string> =>
  (await createImage(ctxOf(c, front), { image_base64: new Attachment(new Uint8Array(file)) })).url

/** Hosts the picture in the body of a script's request: its bytes, or the address from which it is copied. */
export const hostPicture = async (c: PagesContext, front: Front): Promise<{ url: string }> => {
  if ((c.req.header('content-type') ?? '').startsWith('image/'))
    return { url: await hostFile(c, front, await c.req.arrayBuffer()) }
  const parsed = fetchableUrl().safeParse((await formOf(c)).url)
  if (!parsed.success) throw new ApiError('forbidden_url', 'The picture has no public address.')
  const { url } = await createImage(ctxOf(c, front), { image_url: parsed.data })
  return { url }
}

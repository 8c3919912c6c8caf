import { MEDIA_PATH } from '../../src/content/media/rules.ts'
import { serveMedia } from '../../src/content/media/serve.ts'
import { httpWorker } from '../../src/platform/http/worker.ts'
import { type Bucket, NO_BUCKET } from '../../src/platform/runtime/bucket.ts'
import { mediaApp } from './app.ts'

type Env = Record<string, unknown> & { MEDIA_BUCKET?: Bucket }

const api = httpWorker({ name: 'media' }, mediaApp)

const nothing = (): Response => new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } })

/** Serves the API of media, and the hosted images and videos, which everyone may read. */
export default {
  fetch: async (request, env, ctx) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith(`${MEDIA_PATH}/`) || !api.fetch) return (await api.fetch?.(request, env, ctx)) ?? nothing()
    const name = pathname.slice(MEDIA_PATH.length + 1)
    return (await serveMedia(env.MEDIA_BUCKET ?? NO_BUCKET, request, name)) ?? nothing()
  },
} satisfies ExportedHandler<Env>

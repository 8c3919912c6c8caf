import { MEDIA_PATH } from '../../src/media/paths.ts'
import { serveImage } from '../../src/media/serve.ts'
import { type Bucket, NO_BUCKET } from '../../src/runtime/bucket.ts'

type Env = { MEDIA_BUCKET?: Bucket }

const noImage = (): Response => new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } })

/** Serves hosted images to everyone. */
export default {
  fetch: async (request, env) => {
    const name = new URL(request.url).pathname.slice(MEDIA_PATH.length + 1)
    return (await serveImage(env.MEDIA_BUCKET ?? NO_BUCKET, request, name)) ?? noImage()
  },
} satisfies ExportedHandler<Env>

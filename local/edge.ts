/** Largest body that Cloudflare passes to Workers (https://developers.cloudflare.com/workers/platform/limits/). */
const MAX_BODY_BYTES = 100 * 1024 * 1024

/** Memory limit of one isolate. One that needs more ends workerd, which is then restarted. */
export const ISOLATE_MB = 128

/** Flag of the edge's Worker: `Request` keeps an address as it is written. */
export const EDGE_FLAG = 'fetch_legacy_url'

/**
 * Refuses a body above 100 MB before any Worker sees it: by its length or, without one, after so many bytes have
 * arrived.
 *
 * A Worker that calls another one resolves dot segments. The gateway must refuse them, so they are passed on
 * percent-encoded. An address without a path (`OPTIONS *`) gets 400, because it cannot be passed on.
 */
export const EDGE_WORKER = `const MAX = ${MAX_BODY_BYTES}
const tooLarge = () =>
  new Response('<html><head><title>413 Payload Too Large</title></head><body><h1>413 Payload Too Large</h1></body></html>', {
    status: 413,
    headers: { 'content-type': 'text/html' },
  })
const encoded = (url) =>
  url.replace(/^([^:]+:[/]{2}[^/?#]*)([^?#]*)/, (_, host, path) =>
    host + path.split('/').map((part) => (part === '.' || part === '..' ? part.replaceAll('.', '%2e') : part)).join('/'))
export default {
  async fetch(sent, env) {
    if (!/^[^:]+:[/]{2}[^/?#]*[/]/.test(sent.url)) return new Response('Bad Request', { status: 400 })
    const url = encoded(sent.url)
    const request = url === sent.url ? sent : new Request(url, sent)
    const length = request.headers.get('content-length')
    if (Number(length) > MAX) return tooLarge()
    if (length !== null || !request.body) return env.GATEWAY.fetch(request)
    let size = 0
    const counted = new TransformStream({
      transform(chunk, controller) {
        size += chunk.byteLength
        if (size > MAX) controller.error(new Error('too large'))
        else controller.enqueue(chunk)
      },
    })
    try {
      const answer = await env.GATEWAY.fetch(new Request(request, { body: request.body.pipeThrough(counted) }))
      return size > MAX ? tooLarge() : answer
    } catch (error) {
      if (size > MAX) return tooLarge()
      throw error
    }
  },
}`

// A receiver for one article, deployed for the proof of a deployment and deleted afterwards. It stores nothing: the address
// of a page contains its text.
const escapeHtml = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.codePointAt(0)};`)

const page = (title) =>
  `<!doctype html><html lang="en"><head><title>${escapeHtml(title)}</title></head><body><h1>${escapeHtml(title)}</h1></body></html>`

const html = (text) => new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } })

const take = async (request, env) => {
  if (request.headers.get('authorization') !== `Bearer ${env.RECEIVER_TOKEN}`)
    return Response.json({ success: false, error: 'The access token is wrong.' }, { status: 401 })
  const { data } = await request.json()
  const [{ title, slug }] = data.articles
  const url = new URL(`/posts/${slug}`, request.url)
  url.searchParams.set('title', title)
  return Response.json({ success: true, action: 'created', published_url: url.href })
}

export default {
  fetch: (request, env) => {
    const { pathname, searchParams } = new URL(request.url)
    if (request.method === 'POST' && pathname === '/webhook') return take(request, env)
    if (pathname.startsWith('/posts/')) return html(page(searchParams.get('title') ?? ''))
    return pathname === '/' ? html(page('A receiver for a proof')) : new Response('Not found', { status: 404 })
  },
}

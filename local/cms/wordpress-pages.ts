import { type Answer, html } from '../receiver/answers.ts'
import { escapeHtml } from '../receiver/page.ts'
import { linkOf, type Post, type State } from './wordpress-data.ts'

const STYLE =
  'body{margin:2rem auto;max-width:44rem;padding:0 1rem;font:1.1rem/1.6 Georgia,serif}img{max-width:100%}:root{color-scheme:light dark}'

/** Texts of posts are shown as they are stored. No script may run in them. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:",
}

const page = (title: string, head: string, main: string): Answer =>
  html(
    200,
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}<style>${STYLE}</style>
</head>
<body>
<header><a href="/">The old blog</a></header>
<main>${main}</main>
</body>
</html>
`,
    HEADERS,
  )

/** Returns the text of a post without the marks of the editor. */
const shownText = (post: Post): string => post.content.replace(/<!-- \/?wp:[\s\S]*?-->\n?/g, '')

const postPage = (post: Post, url: string): Answer => {
  const description = post.excerpt === '' ? '' : `<meta name="description" content="${escapeHtml(post.excerpt)}">\n`
  const day = post.dateGmt.slice(0, 10)
  return page(
    post.title,
    `${description}<link rel="canonical" href="${escapeHtml(url)}">\n`,
    `<article><h1>${post.title}</h1><p><time datetime="${day}">${day}</time></p>${shownText(post)}</article>`,
  )
}

const sitemap = (urls: readonly string[]): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/xml; charset=utf-8' },
  body: `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${escapeHtml(url)}</loc></url>`).join('')}</urlset>
`,
})

/** Returns the public page at a path: a published post, the list of them, or the sitemap. Undefined if there is none. */
export const publicPage = (state: State, path: string): Answer | undefined => {
  const shown = state.posts
    .filter(({ status, password }) => status === 'publish' && password === '')
    .map((post) => ({ post, url: linkOf(state, post) }))
  if (path === '/sitemap.xml') return sitemap(shown.map(({ url }) => url))
  if (path === '/')
    return page(
      'The old blog',
      '',
      `<h1>Posts</h1><ul>${shown.map(({ post, url }) => `<li><a href="${escapeHtml(url)}">${post.title}</a></li>`).join('')}</ul>`,
    )
  const found = shown.find(({ url }) => new URL(url).pathname.replace(/\/$/, '') === path.replace(/\/$/, ''))
  return found && postPage(found.post, found.url)
}

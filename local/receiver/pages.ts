import type { Post } from './blog.ts'
import type { Delivery } from './deliveries.ts'
import { escapeHtml as e, type Page, renderPage } from './page.ts'

type Frame = Pick<Page, 'version' | 'mode'>
/** A post and its absolute address. */
type Placed = { post: Post; url: string }

/** Rows of each list on the page; the JSON has them all. */
const SHOWN = 100

const day = (iso: string): string => {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return e(iso)
  const text = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
  return `<time datetime="${date.toISOString()}">${text}</time>`
}

const clockTime = (iso: string): string =>
  `<time datetime="${e(iso)}" title="${e(iso)}">${new Date(iso).toLocaleTimeString('en-GB')}</time>`

const byline = (post: Post): string =>
  [
    post.status === 'Draft' ? '<span class="badge warn">Draft</span>' : day(post.published_at || post.received_at),
    post.author && `by ${e(post.author)}`,
    post.changes > 0 && `changed ${post.changes === 1 ? 'once' : `${post.changes} times`}`,
  ]
    .filter(Boolean)
    .join(' · ')

const pathOf = (post: Post): string => `/posts/${encodeURIComponent(post.slug)}`

const postRow = (post: Post): string => `<li${post.image_url && ' class="pictured"'}>
<div>
<h2><a href="${e(pathOf(post))}">${e(post.title)}</a></h2>
<p>${e(post.meta_description)}</p>
<p class="meta">${byline(post)}</p>
</div>
${post.image_url && `<img src="${e(post.image_url)}" alt="${e(post.alt_text)}" loading="lazy">`}
</li>`

const ENDINGS = { closed: 'connection closed', held: 'no answer', client_gone: 'sender left' }

/** Returns at most three words on how a request ended, and if that is good for the sender. */
const ending = ({ answer }: Delivery): { label: string; tone: 'good' | 'bad' } => {
  if (answer.outcome !== 'sent') return { label: ENDINGS[answer.outcome], tone: 'bad' }
  const refused = (answer.status ?? 0) >= 300 || answer.body.includes('"success":false')
  return { label: String(answer.status), tone: refused ? 'bad' : 'good' }
}

const answerText = (answer: Delivery['answer']): string => {
  try {
    const body: unknown = JSON.parse(answer.body)
    if (typeof body === 'object' && body !== null && 'error' in body) return String(body.error)
  } catch {
    // Not JSON: the outcome is shown without a text.
  }
  return ''
}

const summaryOf = (delivery: Delivery): string => {
  const { action, published_url: url, answer, mode } = delivery
  const under = mode === 'ok' ? '' : ` <span class="badge warn">${e(mode)}</span>`
  if (action !== null && url !== null) {
    const path = e(new URL(url).pathname)
    return `${action} · <a href="${path}">${path}</a>${under}`
  }
  const error = answerText(answer)
  return `${error ? e(error) : 'nothing stored'}${under}`
}

const deliveryRow = (delivery: Delivery): string => {
  const { label, tone } = ending(delivery)
  const key = delivery.idempotency_key
  const headers = Object.entries(delivery.headers).map(([name, value]) => `${name}: ${value}`)
  const answered = delivery.answer.body === '' ? '(nothing)' : delivery.answer.body
  return `<li class="${tone}">
<div class="line">${clockTime(delivery.received_at)} <span class="event">${e(delivery.event_type ?? 'unreadable request')}</span> <span class="badge ${tone}">${label}</span></div>
<p>${summaryOf(delivery)}</p>
<p class="key">${key === null ? 'no idempotency key' : `<code>${e(key)}</code>`} · attempt ${delivery.attempt}</p>
${delivery.warnings.map((warning) => `<p class="warning">${e(warning)}</p>`).join('')}
<details id="delivery-${delivery.number}"><summary>Headers and answer</summary>
<pre>${e(headers.join('\n'))}</pre>
<pre>${e(answered)}</pre>
</details>
</li>`
}

/** Returns the page of `GET /`: the posts, and beside them every request of the webhook, newest first. */
export const homePage = (
  posts: readonly Post[],
  deliveries: readonly Delivery[],
  received: number,
  webhookUrl: string,
  frame: Frame,
): string => {
  const feed = deliveries.slice(-SHOWN).reverse()
  const main = `<main class="columns">
<section aria-labelledby="posts">
<h1 class="section" id="posts">Posts (${posts.length})</h1>
${posts.length === 0 ? '<p class="empty">No post yet. Publish an article to this blog and it appears here by itself.</p>' : `<ol class="posts">${posts.slice(0, SHOWN).map(postRow).join('\n')}</ol>`}
</section>
<section aria-labelledby="deliveries">
<h2 class="section" id="deliveries">Deliveries (${received})</h2>
${feed.length === 0 ? `<p class="empty">Listening at <code>${e(webhookUrl)}</code></p>` : `<ol class="feed">${feed.map(deliveryRow).join('\n')}</ol>`}
</section>
</main>`
  return renderPage({ title: 'The sample blog', main, ...frame })
}

const postHead = ({ post, url }: Placed): string =>
  [
    `<meta name="description" content="${e(post.meta_description)}">`,
    `<link rel="canonical" href="${e(url)}">`,
    post.status === 'Draft' && '<meta name="robots" content="noindex">',
    '<meta property="og:type" content="article">',
    `<meta property="og:title" content="${e(post.title)}">`,
    `<meta property="og:description" content="${e(post.meta_description)}">`,
    `<meta property="og:url" content="${e(url)}">`,
    post.image_url && `<meta property="og:image" content="${e(post.image_url)}">`,
  ]
    .filter(Boolean)
    .join('\n')
    .concat('\n')

/** Returns the page of `GET /posts/<slug>`: one article as its readers see it. */
export const postPage = (placed: Placed, frame: Frame): string => {
  const { post } = placed
  const tags = post.tags.map((tag) => `<li class="badge">${e(tag)}</li>`).join('')
  const main = `<main class="post">
<a class="back" href="/">← All posts</a>
<article>
<header>
<h1>${e(post.title)}</h1>
<p class="standfirst">${e(post.meta_description)}</p>
<p class="meta">${byline(post)}</p>
${tags && `<ul class="tags" aria-label="Tags">${tags}</ul>`}
${post.image_url && `<figure class="feature"><img src="${e(post.image_url)}" alt="${e(post.alt_text)}"></figure>`}
</header>
<div class="prose">${post.content_html}</div>
</article>
<p class="colophon">Article <code>${e(post.article_id ?? 'without an id')}</code> · received ${clockTime(post.received_at)} · last change ${clockTime(post.changed_at)}</p>
</main>`
  return renderPage({ title: `${post.title} · The sample blog`, head: postHead(placed), main, ...frame })
}

/** Returns the page for an address that has no post. */
export const missingPage = (frame: Frame): string =>
  renderPage({
    title: 'Not here · The sample blog',
    main: `<main class="post"><h1>Not here (yet)</h1><p>There is no post at this address. If one arrives, it appears by itself.</p><p><a href="/">All posts</a></p></main>`,
    ...frame,
  })

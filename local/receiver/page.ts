import { createHash } from 'node:crypto'
import { STYLE } from './style.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Returns text made safe for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)

/** Script that looks for a newer version of the page and replaces `main`. What the reader opened stays open. */
const SCRIPT = `(() => {
  let seen = document.documentElement.dataset.version
  const look = async () => {
    const { version } = await (await fetch('/api/version', { cache: 'no-store' })).json()
    if (version === seen) return
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html')
    const next = page.querySelector('main')
    const now = document.querySelector('main')
    for (const { id } of now.querySelectorAll('details[open]')) next.querySelector('#' + id)?.setAttribute('open', '')
    if (next.innerHTML !== now.innerHTML) now.replaceWith(next)
    document.querySelector('#mode').replaceWith(page.querySelector('#mode'))
    document.title = page.title
    seen = version
  }
  const tick = async () => {
    if (!document.hidden) await look().catch(() => {})
    setTimeout(tick, 1500)
  }
  setTimeout(tick, 1500)
})()`

const scriptHash = createHash('sha256').update(SCRIPT).digest('base64')

/** Delivered HTML is shown unchanged, so only the script above may run on these pages. */
export const PAGE_HEADERS: Record<string, string> = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src 'sha256-${scriptHash}'`,
    "connect-src 'self'",
    'img-src http: https: data:',
    'frame-src https://www.youtube.com https://www.youtube-nocookie.com https://player.vimeo.com',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
}

export type Page = { title: string; head?: string; main: string; version: string; mode: string }

/** Returns one whole page around a `main`, with the style and the script in it: nothing is loaded from elsewhere. */
export const renderPage = ({ title, head = '', main, version, mode }: Page): string => `<!doctype html>
<html lang="en" data-version="${escapeHtml(version)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${head}<link rel="icon" href="data:,">
<noscript><meta http-equiv="refresh" content="5"></noscript>
<style>${STYLE}</style>
</head>
<body>
<header class="site">
<a class="name" href="/">The sample blog</a>
<p class="about">A webhook receiver. What is published to it appears here.</p>
<p id="mode" class="${mode === 'ok' ? 'mode' : 'mode astray'}" title="Set by POST /_control">${escapeHtml(mode === 'ok' ? 'answering normally' : `answering: ${mode}`)}</p>
</header>
${main}
<script>${SCRIPT}</script>
</body>
</html>
`

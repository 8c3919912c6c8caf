import { createHash } from 'node:crypto'

/** The style of the receiver's pages: system fonts, light and dark, no outside asset. */
const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #1d1c1a; --soft: #66625b; --line: #e4e0d8; --wash: #f3f0ea;
  --accent: #8a3b12; --good: #1f6b3a; --good-wash: #e3f2e7; --bad: #a3241d; --bad-wash: #fbe6e3;
  --warn: #7a5200; --warn-wash: #fbf0d5;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif;
  --serif: Charter, 'Bitstream Charter', 'Sitka Text', Cambria, Georgia, serif;
  --mono: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171614; --card: #1f1e1b; --ink: #ece8e1; --soft: #a59f95; --line: #34322d; --wash: #26241f;
    --accent: #f0a070; --good: #86d69f; --good-wash: #1c3324; --bad: #ff9d94; --bad-wash: #3d1f1c;
    --warn: #f0c774; --warn-wash: #372b12;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 var(--sans); }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .06em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
header.site, main { max-width: 76rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
header.site { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.25rem; padding-block: 1.4rem 1.1rem; }
header.site p { margin: 0; font-size: .875rem; color: var(--soft); }
.name { font: 700 1.25rem/1.2 var(--serif); color: inherit; text-decoration: none; }
header.site .mode { margin-left: auto; padding: .1rem .65rem; border-radius: 99px; background: var(--good-wash); color: var(--good); }
header.site .mode.astray { background: var(--warn-wash); color: var(--warn); font-weight: 600; }
.section { margin: 0 0 .9rem; font: 600 .8125rem/1.4 var(--sans); letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
.badge { display: inline-block; padding: 0 .5rem; border-radius: 99px; font: 600 .75rem/1.6 var(--sans); background: var(--wash); color: var(--soft); white-space: nowrap; }
.badge.good { background: var(--good-wash); color: var(--good); }
.badge.bad { background: var(--bad-wash); color: var(--bad); }
.badge.warn { background: var(--warn-wash); color: var(--warn); }

.columns { display: grid; gap: 2.5rem; padding-block: 1.25rem 4rem; border-top: 1px solid var(--line); }
@media (min-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr) 25rem; gap: 3.5rem; } }
.empty { margin: 0; padding: 1.75rem 1.5rem; border: 1px dashed var(--line); border-radius: .5rem; color: var(--soft); }
.empty code { font: .875em var(--mono); color: var(--ink); overflow-wrap: anywhere; }
.posts { list-style: none; margin: 0; padding: 0; }
.posts li { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; padding: 1.4rem 0; border-bottom: 1px solid var(--line); }
.posts li:first-child { padding-top: 0; }
@media (min-width: 34rem) { .posts li.pictured { grid-template-columns: minmax(0, 1fr) 10.5rem; } }
.posts img { width: 100%; aspect-ratio: 16 / 10; object-fit: cover; border-radius: .375rem; background: var(--wash); }
.posts h2 { margin: 0; font: 700 1.375rem/1.25 var(--serif); text-wrap: balance; overflow-wrap: anywhere; }
.posts h2 a { color: inherit; text-decoration: none; }
.posts h2 a:hover { text-decoration: underline; }
.posts p { margin: .45rem 0 0; }
.meta { font-size: .875rem; color: var(--soft); }

.feed { list-style: none; margin: 0; padding: 0; }
.feed > li { padding: .7rem .9rem; margin-bottom: .6rem; background: var(--card); border: 1px solid var(--line); border-left: .25rem solid var(--line); border-radius: .375rem; font-size: .875rem; }
.feed > li.good { border-left-color: var(--good); }
.feed > li.bad { border-left-color: var(--bad); }
.feed .line { display: flex; flex-wrap: wrap; gap: .1rem .6rem; align-items: baseline; }
.feed .line .badge { margin-left: auto; }
.feed time { font-variant-numeric: tabular-nums; color: var(--soft); }
.feed .event { font-weight: 600; }
.feed p { margin: .2rem 0 0; overflow-wrap: anywhere; }
.feed code, .feed pre { font: .8125rem/1.5 var(--mono); }
.feed .key { color: var(--soft); }
.feed .warning { color: var(--warn); }
.feed summary { margin-top: .35rem; color: var(--soft); cursor: pointer; width: fit-content; }
.feed pre { margin: .4rem 0 0; padding: .6rem .7rem; max-height: 16rem; overflow: auto; background: var(--wash); border-radius: .25rem; white-space: pre-wrap; overflow-wrap: anywhere; }

main.post > h1 { font: 700 2rem/1.2 var(--serif); }
main.post { max-width: 46rem; padding-block: 1.5rem 5rem; border-top: 1px solid var(--line); }
.post .back { font-size: .875rem; }
.post > article > header h1 { margin: 1.4rem 0 .6rem; font: 700 clamp(1.9rem, 5vw, 2.75rem)/1.14 var(--serif); letter-spacing: -.01em; text-wrap: balance; overflow-wrap: anywhere; }
.post .standfirst { margin: 0 0 .9rem; font: 1.1875rem/1.5 var(--serif); color: var(--soft); }
.post .feature { margin: 1.75rem 0 0; }
.post .feature img { display: block; width: 100%; border-radius: .5rem; background: var(--wash); }
.tags { display: flex; flex-wrap: wrap; gap: .35rem; margin: .7rem 0 0; padding: 0; list-style: none; }
.prose { margin-top: 2rem; font: 1.125rem/1.68 var(--serif); overflow-wrap: break-word; }
.prose h2 { margin: 2.6rem 0 .7rem; font: 700 1.6rem/1.25 var(--serif); text-wrap: balance; }
.prose h3 { margin: 2rem 0 .5rem; font: 700 1.25rem/1.3 var(--serif); }
.prose p, .prose ul, .prose ol { margin: 0 0 1.15rem; }
.prose li { margin-bottom: .4rem; }
.prose img, .prose iframe, .prose video { max-width: 100%; height: auto; border-radius: .375rem; }
.prose iframe { width: 100%; aspect-ratio: 16 / 9; border: 0; }
.prose figure { margin: 2rem 0; }
.prose figure img { display: block; margin: 0 auto; }
.prose figcaption { margin-top: .6rem; font: .875rem/1.5 var(--sans); color: var(--soft); }
.prose table { display: block; width: 100%; margin: 1.75rem 0; overflow-x: auto; border-collapse: collapse; font: .9375rem/1.5 var(--sans); }
.prose th, .prose td { padding: .6rem .8rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.prose th { font-weight: 600; }
.prose thead th { border-bottom: 2px solid var(--line); color: var(--soft); }
.prose caption { padding-bottom: .5rem; text-align: left; color: var(--soft); font-size: .875rem; }
.prose blockquote { margin: 1.75rem 0; padding-left: 1.1rem; border-left: .2rem solid var(--accent); color: var(--soft); }
.prose code, .prose pre { font: .9em var(--mono); background: var(--wash); border-radius: .2rem; }
.prose code { padding: .1em .3em; }
.prose pre { padding: .9rem 1rem; overflow-x: auto; }
.colophon { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .8125rem; color: var(--soft); overflow-wrap: anywhere; }
.colophon code { font-family: var(--mono); }
`

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

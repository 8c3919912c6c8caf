import { raw } from 'hono/html'
import { readSent } from '../../../content/articles/content.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { ctxOf } from '../../ctx.ts'
import type { PagesContext } from '../../front.tsx'
import { wordsOf } from '../../words.ts'
import type { SiteFront } from '../front.ts'
import { load } from './load.ts'

const PREVIEW_STYLE =
  'body{font:17px/28px Georgia,"Times New Roman",serif;max-width:42rem;margin:1.5rem auto;padding:0 1rem;color:#1a1a18;background:#fff;overflow-wrap:anywhere}img,iframe{max-width:100%;height:auto}h1,h2,h3{line-height:1.3;font-family:system-ui,sans-serif}table{border-collapse:collapse;width:100%}td,th{border:1px solid #ccc;padding:.25rem .5rem;text-align:left}pre{overflow:auto}'

/** Players of the two video sites that articles may embed. */
const PLAYERS = 'https://www.youtube.com https://www.youtube-nocookie.com https://player.vimeo.com'

const hashOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
}

/** Sends a text as a page of its own, sandboxed: without scripts, forms or an origin. */
export const previewOf = async (c: PagesContext, front: SiteFront, title: string, content: string) => {
  c.header(
    'Content-Security-Policy',
    `sandbox; default-src 'none'; img-src https: data: ${new URL(front.deps.settings.publicUrl).origin}; style-src 'sha256-${await hashOf(PREVIEW_STYLE)}'; frame-src ${PLAYERS}; frame-ancestors 'self'; base-uri 'none'; form-action 'none'`,
  )
  return c.html(
    (
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>{title}</title>
          <style>{raw(PREVIEW_STYLE)}</style>
        </head>
        <body dir="auto">
          <main>
            {!/<h1[\s>]/i.test(content) && <h1>{title}</h1>}
            {raw(content)}
          </main>
        </body>
      </html>
    ) as unknown as string,
  )
}

/** Sends the article's text as a page of its own. */
export const preview = async (c: PagesContext, front: SiteFront) => {
  const { article } = await load(c, front, '')
  return await previewOf(c, front, article.title || article.mainKeyword, article.content)
}

/** Limit of previews of unsaved texts, by account. */
const LIVE = { name: 'people.previews', perMinute: 120 }

/** Shows an unsaved text, sanitized as on saving. Nothing is stored. */
export const livePreview = async (c: PagesContext, front: SiteFront, title: string, content: string) => {
  const { allowed } = await front.deps.limiter.take(LIVE, String(c.get('person').accountId))
  if (!allowed) return await previewOf(c, front, title, '<p>Too many previews. Wait a minute.</p>')
  try {
    const { safe } = await readSent(ctxOf(c, front), { content })
    return await previewOf(c, front, title, safe?.html ?? '')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return await previewOf(c, front, 'No preview', wordsOf(error).replaceAll('<', '&lt;'))
  }
}

import { rowsOf } from '../db/client.ts'
import type { JobResult } from '../jobs/define.ts'
import { storableText } from '../lib/text.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { publishableById } from './queries.ts'
import { storeReceipt } from './statements.ts'

const TIMEOUT_MS = 10_000
const MAX_PAGE_BYTES = 2 * 1024 * 1024

type Page = {
  title: string
  canonical: string | null
  noindex: boolean
  images: Set<string>
  links: Set<string>
  text: string
}

const decode = (value: string): string => value.replaceAll('&amp;', '&')

const absolute = (value: string | null, base: string): string | undefined => {
  if (value === null) return undefined
  try {
    return new URL(decode(value), base).href
  } catch {
    return undefined
  }
}

/** What a page shows of itself: title, canonical address, robots rules, images and links, all addresses absolute. */
const readPage = async (html: string, base: string): Promise<Page> => {
  const page: Page = { title: '', canonical: null, noindex: false, images: new Set(), links: new Set(), text: '' }
  const rewriter = new HTMLRewriter()
    .on('title', {
      text(chunk) {
        page.title += chunk.text
      },
    })
    .on('h1, h2', {
      text(chunk) {
        page.text += chunk.text
      },
    })
    .on('link[rel="canonical"]', {
      element(e) {
        page.canonical ??= absolute(e.getAttribute('href'), base) ?? null
      },
    })
    .on('meta[name="robots"]', {
      element(e) {
        page.noindex ||= /noindex|none/i.test(e.getAttribute('content') ?? '')
      },
    })
    .on('img', {
      element(e) {
        page.images.add(absolute(e.getAttribute('src'), base) ?? '')
      },
    })
    .on('a', {
      element(e) {
        page.links.add(absolute(e.getAttribute('href'), base) ?? '')
      },
    })
  await rewriter.transform(new Response(html)).text()
  return page
}

const plain = (text: string): string =>
  text
    .replace(/&#39;|&#x27;|&rsquo;|’/gi, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/**
 * Looks at the live page of a published article and keeps what it found: proof, not hope. A page that cannot be fetched is
 * a receipt too, with `http_status` null.
 */
export const checkReceipt = async (ctx: Ctx, articleId: number): Promise<JobResult> => {
  const [rows] = await ctx.read((owner) => [publishableById(ctx.db, owner, articleId)])
  const article = rows[0]?.article
  if (article?.status !== 'Published' || article.url === null) return { kind: 'done' }
  const { url } = article
  const answer = await ctx.outbound({
    url,
    method: 'GET',
    headers: { 'User-Agent': `${ctx.settings.serviceName}-Publisher/1.0`, Accept: 'text/html' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_PAGE_BYTES,
  })
  const checkedAt = ctx.now().toISOString()
  const blank = {
    checked_at: checkedAt,
    http_status: null,
    title_found: false,
    canonical: null,
    indexable: false,
    images_ok: false,
    links_ok: false,
  }
  if (answer.kind !== 'answered') {
    const error =
      answer.kind === 'forbidden'
        ? 'The address is not a public one.'
        : `The page could not be fetched (${answer.reason}).`
    await rowsOf(ctx.db, storeReceipt(articleId, url, { ...blank, error }))
    return { kind: 'done' }
  }
  const [live, saved] = await Promise.all([readPage(answer.body, url), readPage(article.content, url)])
  const found = (wanted: Set<string>, shown: Set<string>) =>
    [...wanted].every((address) => address === '' || shown.has(address))
  const receipt = {
    checked_at: checkedAt,
    http_status: answer.status,
    title_found: plain(`${live.title} ${live.text}`).includes(plain(article.title)),
    canonical: live.canonical && storableText(live.canonical),
    indexable:
      answer.status === 200 && !live.noindex && !/noindex|none/i.test(answer.headers.get('x-robots-tag') ?? ''),
    images_ok: found(saved.images, live.images),
    links_ok: found(saved.links, live.links),
  }
  await rowsOf(ctx.db, storeReceipt(articleId, url, receipt))
  return { kind: 'done' }
}

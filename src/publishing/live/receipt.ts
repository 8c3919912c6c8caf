import { rowsOf } from '../../db/client.ts'
import { readDocument } from '../../html/document.ts'
import { readPageHead } from '../../html/page.ts'
import { collapse, plainText } from '../../html/references.ts'
import { headerRules } from '../../html/robots-directives.ts'
import type { JobResult } from '../../jobs/define.ts'
import { storableText } from '../../lib/text.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { askForLivePage, unansweredReason } from '../../runtime/live-page.ts'
import { livePageById } from '../read/queries.ts'
import { storeReceipt } from './receipt-statements.ts'

const MAX_PAGE_BYTES = 2 * 1024 * 1024

type Page = {
  title: string
  canonical: string | null
  noindex: boolean
  images: Set<string>
  links: Set<string>
  text: string
}

const absolute = (value: string | null, base: string): string | undefined =>
  value === null ? undefined : URL.parse(value, base)?.href

/** What a page shows of itself: title, canonical address, robots rules, images and links, all addresses absolute. */
const readPage = (html: string, base: string): Page => {
  const head = readPageHead(html)
  const { headings, images, links } = readDocument(html)
  return {
    title: head.title,
    canonical: absolute(head.canonical, base) ?? null,
    noindex: head.noindex,
    images: new Set(images.map(({ src }) => (src === '' ? '' : (absolute(src, base) ?? '')))),
    links: new Set(links.map(({ href }) => absolute(href, base) ?? '')),
    text: headings
      .filter(({ level }) => level <= 2)
      .map(({ text }) => text)
      .join(' '),
  }
}

/** Text to compare by: quotation marks made straight, blanks collapsed, in lower case. */
const comparable = (text: string): string => collapse(text.replace(/[‘’]/g, "'")).toLowerCase()

/** The receipt of a page that could not be looked at. */
const unchecked = (checkedAt: string, error: string) => ({
  checked_at: checkedAt,
  http_status: null,
  title_found: false,
  canonical: null,
  indexable: false,
  images_ok: false,
  links_ok: false,
  error,
})

/**
 * Looks at the live page of a published article and keeps what it found: proof, not hope. A page that cannot be fetched is
 * a receipt too, with `http_status` null.
 */
export const checkReceipt = async (ctx: Ctx, articleId: number): Promise<JobResult> => {
  const [[article]] = await ctx.read(() => [livePageById(ctx.db, articleId)])
  if (article?.status !== 'Published' || article.url === null) return { kind: 'done' }
  const { url } = article
  const answer = await askForLivePage(ctx, url, MAX_PAGE_BYTES)
  const checkedAt = ctx.now().toISOString()
  if (answer.kind !== 'answered') {
    const receipt = unchecked(checkedAt, unansweredReason(answer))
    return { kind: 'done', last: storeReceipt(articleId, url, receipt) }
  }
  const live = readPage(answer.body, url)
  const saved = readPage(article.content, url)
  const found = (wanted: Set<string>, shown: Set<string>) =>
    [...wanted].every((address) => address === '' || shown.has(address))
  const receipt = {
    checked_at: checkedAt,
    http_status: answer.status,
    title_found: comparable(`${live.title} ${live.text}`).includes(comparable(plainText(article.title))),
    canonical: live.canonical && storableText(live.canonical),
    indexable: answer.status === 200 && !live.noindex && !headerRules(answer.headers.get('x-robots-tag')).noindex,
    images_ok: found(saved.images, live.images),
    links_ok: found(saved.links, live.links),
  }
  return { kind: 'done', last: storeReceipt(articleId, url, receipt) }
}

/** Keeps that the page could not be checked, run after run. */
export const failReceipt = async (ctx: Ctx, articleId: number): Promise<void> => {
  const [[article]] = await ctx.read(() => [livePageById(ctx.db, articleId)])
  const url = article?.url
  if (!url) return
  const receipt = unchecked(ctx.now().toISOString(), 'The page could not be checked, for a reason on our side.')
  await rowsOf(ctx.db, storeReceipt(articleId, url, receipt))
}

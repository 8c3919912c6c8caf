import { and, eq, exists, isNull } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { showOwner } from '../../accounts/projects/writes.ts'
import { statusAllows } from '../../content/articles/parts.ts'
import { changeArticle } from '../../content/articles/writes.ts'
import { type HtmlDocument, readDocument } from '../../content/html/document.ts'
import { readEvents } from '../../content/html/events.ts'
import { headerRules, readPageHead } from '../../content/html/page.ts'
import { distinctiveRun, runText } from '../../content/html/shown.ts'
import { attributesOf, candidatesOf } from '../../content/html/tags.ts'
import { readArticlePage } from '../../content/site/writes.ts'
import { type JobResult, shownReason } from '../../platform/jobs/job.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { plainTypography } from '../../platform/lib/fold.ts'
import { storableText } from '../../platform/lib/text.ts'
import { decoded } from '../../platform/lib/urls.ts'
import type { Ctx, Statement } from '../../platform/runtime/ctx.ts'
import { askForLivePage, unansweredReason } from '../../platform/runtime/live-page.ts'
import { keepLivePage, MAX_PAGE_BYTES, showsTitle } from '../live-page.ts'
import { livePageById } from '../queries.ts'
import { imagesAtSiteOf } from '../remote.ts'

/** Elements whose attributes do not name visible pictures. */
const UNSEEN = new Set(['a', 'meta', 'link', 'script', 'form', 'base'])
/** Attributes that contain text. */
const WORDS = /^(?:alt|title|placeholder|aria-.*)$/
/** Minimum length of a file name that identifies a picture, on whatever host a CMS stores its copy. */
const MIN_NAME = 8

/** Returns the addresses in a CSS text. */
const inStyle = (css: string): string[] =>
  [...css.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')]+))/gi)].flatMap(([, ...found]) => found.find(Boolean) ?? [])

/**
 * Returns the addresses that an attribute may contain: `srcset` candidates, CSS addresses, parts of script settings, or
 * the value.
 */
const addressesIn = (name: string, value: string): string[] => {
  if (WORDS.test(name)) return []
  if (name.includes('srcset')) return candidatesOf(value).map(({ url }) => url)
  if (!/["'({]/.test(value)) return [value]
  const parts = value.replaceAll('\\/', '/').split(/[\s"'(){}[\]<>]+/)
  return [value, ...inStyle(value), ...parts]
}

/** Returns the address of a picture without scheme and query, for comparison. */
const plainAddress = ({ host, pathname }: URL): string => decoded(`${host}${pathname}`).normalize('NFC')

/** Returns the addresses inside the address of an image server: as a parameter, or in its path. */
const innerOf = (url: URL): (URL | null)[] => {
  const whole = decoded(url.href)
  const at = whole.search(/(?<=.{8})https?:\/\//)
  if (at > 0) return [URL.parse((whole.slice(at).split('&')[0] ?? '').replace(/@[a-z]{3,4}$/, ''))]
  const [, host] = /^(\/[a-z\d-]+(?:\.[a-z\d-]+)+\/.*)/i.exec(url.pathname) ?? []
  const [, path] = /^\/(?:cdn-cgi\/image|_ipx)\/[^/]*(\/.*)/.exec(url.pathname) ?? []
  const values = [...url.searchParams.values()]
  const given = values.filter((value) => value.startsWith('/'))
  const bare = values.filter((value) => /^[a-z\d-]+(?:\.[a-z\d-]+)+\//i.test(value))
  return [
    ...bare.map((value) => URL.parse(`https://${value}`)),
    ...(host === undefined ? [] : [URL.parse(`https:/${host}`)]),
    ...[...(path === undefined ? [] : [path]), ...given].map((address) => URL.parse(address, url.href)),
  ]
}

/** Returns the file name of a picture without what sites add to their copies: size, id prefix and file extension. */
const nameOf = (address: string): string =>
  (address.split('/').at(-1) ?? '')
    .replace(/(\.[a-z\d]{2,5}){1,2}$/i, '')
    .replace(/(?:@[1-4]x|[-_]\d+x\d*|[-_]x\d+|-p-\d+|-scaled|-e\d{10,})$/, '')
    .replace(/^[\da-f]{24}_/, '')

/** Returns the keys that identify a picture: its address, its folder and name, and its name alone if that is long. */
const marksOf = (url: URL): string[] => {
  const address = plainAddress(url)
  const name = nameOf(address)
  const folder = address.slice(0, address.lastIndexOf('/') + 1)
  return [address, `${folder}${name}`, ...(name.length >= MIN_NAME ? [name] : [])]
}

/**
 * Reads the pictures of a page and returns a function that is true for the address of a shown picture.
 *
 * It covers `src`, `srcset`, attributes for lazy loading, `noscript`, CSS backgrounds, and image servers.
 */
export const shownImages = (html: string, base: string): ((address: string) => boolean) => {
  const marks = new Set<string>()
  const source = html.replace(/<\/?noscript\b[^<>]*>/gi, '')
  const note = (addresses: readonly string[]): void => {
    for (const address of addresses) {
      const url = /[/.]/.test(address) ? URL.parse(address.trim(), base) : null
      for (const one of url ? [url, ...innerOf(url)] : []) if (one) for (const mark of marksOf(one)) marks.add(mark)
    }
  }
  let isStyle = false
  for (const event of readEvents(source)) {
    if (event.kind === 'text' && isStyle) note(inStyle(source.slice(event.start, event.end)))
    isStyle = event.kind === 'open' && event.tag.name === 'style'
    if (event.kind !== 'open' || UNSEEN.has(event.tag.name)) continue
    for (const [name, value] of attributesOf(source, event.tag)) note(addressesIn(name, value))
  }
  return (address) => {
    const url = URL.parse(address, base)
    return url !== null && marksOf(url).some((mark) => marks.has(mark))
  }
}

type Page = {
  title: string
  canonical: string | null
  noindex: boolean
  links: Set<string>
  headings: HtmlDocument['headings']
}

const absolute = (value: string | null, base: string): string | undefined =>
  value === null ? undefined : URL.parse(value, base)?.href

/** Reads title, canonical address, robots rules, headings and links of a page. All addresses are absolute. */
const readPage = (html: string, base: string): Page => {
  const head = readPageHead(html)
  const { headings, links } = readDocument(html)
  return {
    title: head.title,
    canonical: absolute(head.canonical, base) ?? null,
    noindex: head.noindex,
    links: new Set(links.map(({ href }) => absolute(href, base) ?? '')),
    headings,
  }
}

/** Returns the addresses of an article's delivered pictures. Pictures that the CMS hosts have their address there. */
const deliveredImages = async (ctx: Ctx, articleId: number, content: string, base: string): Promise<string[]> => {
  const wanted = readDocument(content).images.flatMap(({ src }) => src.trim() || [])
  if (wanted.length === 0) return []
  const hashes = await Promise.all(wanted.map((src) => sha256(src)))
  const [rows] = await ctx.read(() => [imagesAtSiteOf(ctx.db, articleId, [...new Set(hashes)])])
  const hosted = new Map(rows.map(({ hash, url }) => [hash, url]))
  return wanted.flatMap((src, n) => hosted.get(hashes[n] ?? '') ?? absolute(src, base) ?? [])
}

/**
 * Returns whether a page shows the article's text, by its longest distinctive part; no field if no part is long enough.
 */
const textFound = (page: string, content: string): { text_found?: boolean } => {
  const run = distinctiveRun(content)
  return run === undefined ? {} : { text_found: plainTypography(runText(page)).includes(plainTypography(run)) }
}

/**
 * Returns the most likely address of an article in its project's blog; undefined if the project has no blog address.
 */
const likelyUrl = (blogRootUrl: string, slug: string): string | undefined =>
  blogRootUrl === '' ? undefined : URL.parse(slug, blogRootUrl.endsWith('/') ? blogRootUrl : `${blogRootUrl}/`)?.href

/** Returns the receipt for a page that could not be checked. */
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

type Receipt = { title_found: boolean; canonical: string | null } & Record<string, unknown>

/**
 * Returns the statements that store a receipt, unless the article's address changed since.
 *
 * If the page shows the article, it is known by its canonical address from now on. On the project's own site, that also proves that the
 * account owns the site.
 */
const storeReceipt = ({ db }: Ctx, articleId: number, url: string, receipt: Receipt): Statement[] => {
  const isThere = and(eq(articles.id, articleId), eq(articles.url, url), statusAllows('sync'))
  const condition = exists(db.select({ id: articles.id }).from(articles).where(isThere))
  return [
    ...(receipt.title_found
      ? [
          ...readArticlePage(db, articleId, url, receipt.canonical, { if: condition }),
          showOwner(db, articleId, { if: condition }),
        ]
      : []),
    changeArticle(db, { receipt }, isThere),
  ]
}

/**
 * Returns the statements that store an address found by the service, with its receipt, unless the article has one by
 * now.
 */
const storeFoundAddress = (
  { db, now }: Ctx,
  live: { articleId: number; accountId: number },
  url: string,
  receipt: Receipt,
) => {
  const lacksOne = and(eq(articles.id, live.articleId), isNull(articles.url), statusAllows('sync'))
  const condition = exists(db.select({ id: articles.id }).from(articles).where(lacksOne))
  return [
    db.select({ id: articles.id }).from(articles).where(eq(articles.id, live.articleId)).for('no key update'),
    ...keepLivePage(db, live, url, { if: condition, now: now() }),
    ...readArticlePage(db, live.articleId, url, receipt.canonical, { if: condition }),
    changeArticle(db, { url, receipt }, lacksOne),
  ]
}

/**
 * Checks the live page of a published article and stores the receipt.
 *
 * If the page cannot be fetched, the receipt has `http_status` null. An article without a known address is looked for
 * in the project's blog. Its address is stored if the page there shows the title.
 */
export const checkReceipt = async (ctx: Ctx, articleId: number): Promise<JobResult> => {
  const [[article]] = await ctx.read(() => [livePageById(ctx.db, articleId)])
  if (article?.status !== 'Published') return { kind: 'done' }
  const url = article.url ?? likelyUrl(article.blogRootUrl, article.slug)
  if (url === undefined) return { kind: 'done' }
  const answer = await askForLivePage(ctx, url, MAX_PAGE_BYTES)
  const checkedAt = ctx.now().toISOString()
  if (answer.kind !== 'answered') {
    if (article.url === null) return { kind: 'done' }
    const receipt = unchecked(checkedAt, unansweredReason(answer))
    return { kind: 'done', last: storeReceipt(ctx, articleId, url, receipt) }
  }
  const live = readPage(answer.body, url)
  const saved = readPage(article.content, url)
  const isShown = shownImages(answer.body, url)
  const images = await deliveredImages(ctx, articleId, article.content, url)
  const receipt = {
    checked_at: checkedAt,
    http_status: answer.status,
    title_found: showsTitle(live.title, live.headings, article.title),
    ...textFound(answer.body, article.content),
    canonical: live.canonical && storableText(live.canonical),
    indexable: answer.status === 200 && !live.noindex && !headerRules(answer.headers.get('x-robots-tag')).noindex,
    images_ok: images.every(isShown),
    links_ok: [...saved.links].every((address) => address === '' || live.links.has(address)),
  }
  if (article.url !== null) return { kind: 'done', last: storeReceipt(ctx, articleId, url, receipt) }
  if (answer.status !== 200 || !receipt.title_found) return { kind: 'done' }
  return { kind: 'done', last: storeFoundAddress(ctx, { articleId, accountId: article.accountId }, url, receipt) }
}

/** Stores a receipt that the page could not be checked, after the job's last attempt. */
export const failReceipt = async (ctx: Ctx, articleId: number, reason: string): Promise<void> => {
  const [[article]] = await ctx.read(() => [livePageById(ctx.db, articleId)])
  const url = article?.url
  if (!url) return
  const shown = shownReason(reason, 'The page could not be checked, for a reason on our side.')
  const receipt = unchecked(ctx.now().toISOString(), shown)
  const unaudited = 'a look at the live page changes nothing there'
  await ctx.batch(storeReceipt(ctx, articleId, url, receipt), { unaudited })
}

import { and, eq, exists, isNull, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { outbox } from '../../../schema/kernel.ts'
import { showOwner } from '../../accounts/projects/writes.ts'
import { statusAllows } from '../../content/articles/parts.ts'
import { changeArticle } from '../../content/articles/writes.ts'
import { readDocument } from '../../content/html/document.ts'
import { typesInJsonLd } from '../../content/html/json-ld.ts'
import { distinctiveRun, runText } from '../../content/html/shown.ts'
import { pictureLoads } from '../../content/media/fetch.ts'
import { type LivePage, readLivePage } from '../../content/site/live-page.ts'
import { readArticlePage } from '../../content/site/writes.ts'
import type { Statement } from '../../platform/db/steps.ts'
import { finishJob, moveJob } from '../../platform/jobs/enqueue.ts'
import { type JobResult, shownReason } from '../../platform/jobs/job.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { plainTypography } from '../../platform/lib/fold.ts'
import { storableText } from '../../platform/lib/text.ts'
import { decoded, siteKey } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { sendCopies } from '../copies/writes.ts'
import { tellShown } from '../engines/writes.ts'
import { type CheckJob, receiptJob } from '../jobs.ts'
import { keepLivePage, showsTitle } from '../live-page.ts'
import { imagesAtSiteOf, targetOfPost } from '../remote.ts'
import type { ReceiptSigner } from '../signed/keys.ts'
import { signReceipt } from '../signed/writes.ts'
import { openTarget } from '../target/open.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { livePageById, sentTexts } from './queries.ts'
import { shownImages } from './shown-images.ts'

/** Text of an article that its page may show. */
type Version = { revision: number; title: string; content: string }

/** Delays before the next checks while the page does not show the article, ms. */
const LOOK_AGAIN_AFTER_MS = [60_000, 300_000, 1_200_000, 7_200_000] as const

/** Returns the time of the check after check `look`; null after the last. `scale` shortens the delays in development. */
const nextCheckAt = (look: number, now: Date, scale: number): Date | null => {
  const wait = LOOK_AGAIN_AFTER_MS[look]
  return wait === undefined ? null : new Date(now.getTime() + wait / scale)
}

const absolute = (value: string, base: string): string | undefined => URL.parse(value, base)?.href

/** Returns the addresses of a version's delivered pictures. Pictures that the CMS hosts have their address there. */
const deliveredImages = async (ctx: Ctx, articleId: number, content: string, base: string): Promise<string[]> => {
  const wanted = [...new Set(readDocument(content).images.flatMap(({ src }) => src.trim() || []))]
  if (wanted.length === 0) return []
  const hashes = await Promise.all(wanted.map((src) => sha256(src)))
  const rows = await ctx.read(() => imagesAtSiteOf(ctx.db, articleId, [...new Set(hashes)]))
  const hosted = new Map(rows.map(({ hash, url }) => [hash, url]))
  return wanted.flatMap((src, n) => hosted.get(hashes[n] ?? '') ?? absolute(src, base) ?? [])
}

/** Most pictures of a page that are asked for. */
const MAX_ASKED = 20
/** Pictures asked for at once. */
const AT_ONCE = 5

/**
 * Asks for the first pictures of a page, each address once. Returns the addresses asked for, and those of them that load.
 *
 * Those that loaded at an earlier check are not asked for again.
 */
const askForImages = async (
  { outbound, settings }: Ctx,
  addresses: readonly string[],
  before: readonly string[],
): Promise<{ asked: string[]; loaded: string[] }> => {
  const { serviceName, publicUrl } = settings
  const asked = [...new Set(addresses)].filter((url) => /^https?:/.test(url)).slice(0, MAX_ASKED)
  const loaded = asked.filter((url) => before.includes(url))
  const others = asked.filter((url) => !before.includes(url))
  for (let at = 0; at < others.length; at += AT_ONCE) {
    const some = others.slice(at, at + AT_ONCE)
    const loads = await Promise.all(some.map((url) => pictureLoads({ outbound, serviceName, publicUrl }, url)))
    loaded.push(...some.filter((_, n) => loads[n]))
  }
  return { asked, loaded }
}

/** Returns what a page shows of a version: its title, and its longest distinctive part if that is long enough. */
const shownOf = (headings: Parameters<typeof showsTitle>[1], { head }: LivePage, text: string, version: Version) => {
  const run = distinctiveRun(version.content)
  return {
    title_found: showsTitle(head.title, headings, version.title),
    ...(run === undefined ? {} : { text_found: text.includes(plainTypography(run)) }),
  }
}

type Shown = ReturnType<typeof shownOf>

const isShown = ({ title_found, text_found }: Shown): boolean => title_found && text_found !== false

/**
 * Returns the version that a page shows, the newest of several, and whether it is an expected one. If the page shows none,
 * the newest expected one.
 */
const versionOn = (page: LivePage, versions: readonly [Version, ...Version[]], isRestored: boolean) => {
  const { headings } = readDocument(page.html)
  const text = plainTypography(runText(page.html))
  const [newest, ...older] = versions.map((version) => ({ version, shown: shownOf(headings, page, text, version) }))
  const expected = isRestored && older.length > 0 ? older : [newest]
  const seen = [newest, ...older].find((one) => one && isShown(one.shown))
  const isExpected = page.status === 200 && seen !== undefined && expected.includes(seen)
  return { ...((seen ?? expected[0] ?? newest) as NonNullable<typeof seen>), isExpected }
}

/**
 * Returns the most likely address of an article in its project's blog; undefined if the project has no blog address.
 */
const likelyUrl = (blogRootUrl: string, slug: string): string | undefined =>
  blogRootUrl === '' ? undefined : URL.parse(slug, blogRootUrl.endsWith('/') ? blogRootUrl : `${blogRootUrl}/`)?.href

/** Returns the receipt for a page that could not be checked. */
const unchecked = (checkedAt: string, error: string, next: Date | null) => ({
  checked_at: checkedAt,
  revision: null,
  http_status: null,
  title_found: false,
  canonical: null,
  indexable: false,
  images_ok: false,
  images_checked: { asked: 0, of: 0 },
  links_ok: false,
  next_check_at: next?.toISOString() ?? null,
  error,
})

type Receipt = { canonical: string | null; checked_at: string } & Record<string, unknown>
/** Returns the statements that go with a stored receipt, under a condition: the signed one, and the report to search engines. */
type Signed = (condition: SQL) => readonly Statement[]

/**
 * Returns the statements that store a receipt, unless the article's address changed since.
 *
 * With `isOwnPage`, the page shows the article at its own host. It is then known by its canonical address, and on the project's own
 * site it proves that the account owns the site.
 */
const storeReceipt = (
  { db }: Ctx,
  articleId: number,
  url: string,
  receipt: Receipt,
  { if: condition, isOwnPage = false, signed = () => [] }: { if: SQL; isOwnPage?: boolean; signed?: Signed },
): Statement[] => {
  const isThere = and(eq(articles.id, articleId), eq(articles.url, url), statusAllows('sync'), condition)
  const canStore = exists(db.select({ id: articles.id }).from(articles).where(isThere))
  return [
    ...(isOwnPage
      ? [
          ...readArticlePage(db, articleId, url, receipt.canonical, { if: canStore }),
          showOwner(db, articleId, { if: canStore }),
        ]
      : []),
    ...signed(canStore),
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
  { if: condition, signed }: { if: SQL; signed: Signed },
): Statement[] => {
  const lacksOne = and(eq(articles.id, live.articleId), isNull(articles.url), statusAllows('sync'), condition)
  const canStore = exists(db.select({ id: articles.id }).from(articles).where(lacksOne))
  return [
    db.select({ id: articles.id }).from(articles).where(eq(articles.id, live.articleId)).for('no key update'),
    ...keepLivePage(db, live, url, { if: canStore, now: now() }),
    ...readArticlePage(db, live.articleId, url, receipt.canonical, { if: canStore }),
    ...signed(canStore),
    changeArticle(db, { url, receipt }, lacksOne),
  ]
}

const UNAUDITED = { unaudited: 'a look at the live page changes nothing there' }

/** Stores the result of a check, and when the next one is. Does nothing if a later change of the page started the checks anew. */
const keepLook = async (
  ctx: Ctx,
  job: CheckJob,
  next: Date | null,
  stored: (isOwn: SQL) => readonly Statement[],
): Promise<JobResult> => {
  const { db } = ctx
  const { article_id: id } = job
  const isSame = sql`coalesce((${outbox.payload}->>'not_before')::bigint, 0) = ${job.not_before}::bigint`
  const row = and(eq(outbox.key, receiptJob.keyOf(id)), isNull(outbox.doneAt), isNull(outbox.deadAt), isSame)
  const isOwn = exists(db.select({ id: outbox.id }).from(outbox).where(row))
  await ctx.batch(
    {
      stored: stored(isOwn),
      movedReceiptJob: next
        ? moveJob(db, receiptJob, id, {
            if: isSame,
            runAt: next,
            payload: { ...job, look: job.look + 1, not_before: next.getTime() },
          })
        : finishJob(db, receiptJob, id, { if: isSame, now: ctx.now() }),
    },
    UNAUDITED,
  )
  return { kind: 'settled' }
}

/** Returns the build of the site after an article's last change, as a field of its receipt; none if its target has no builds. */
const buildOf = async (ctx: Ctx, targets: TargetFactory, articleId: number) => {
  const [row] = await ctx.read(() => targetOfPost(ctx.db, articleId))
  if (!row?.remoteId) return {}
  const { remoteId, ...target } = row
  const build = await (await openTarget(ctx, targets, target))?.build?.(remoteId)
  return build ? { build } : {}
}

/** Signs the receipt of a last check, of the version that it is about. */
const finalReceipt = (
  ctx: Ctx,
  signer: ReceiptSigner | undefined,
  articleId: number,
  { revision, title, content }: Version,
  { url, isShown, receipt }: { url: string; isShown: boolean; receipt: Receipt },
): Promise<Signed> => signReceipt(ctx, signer, { articleId, revision, title, content, url, isShown, seen: receipt })

/** True if two addresses are on the same host, with or without `www.` */
const isSameHost = (one: string, other: string): boolean => siteKey(new URL('/', one)) === siteKey(new URL('/', other))

/** True if a page's address ends with a slug. A redirect to another page, such as the start page, does not keep it. */
const isNamed = (url: string, slug: string): boolean => decoded(new URL(url).pathname).replace(/\/$/, '').endsWith(slug)

/**
 * Checks the live page of a published article and stores the receipt: what the page shows, and of which revision.
 *
 * While the page does not show the article, it is checked again later. An article without a known address is looked for in
 * the project's blog. Its address is stored if the page there shows the title. The receipt of the last check is signed.
 */
export const checkReceipt = async (
  ctx: Ctx,
  targets: TargetFactory,
  job: CheckJob,
  signer?: ReceiptSigner,
): Promise<JobResult> => {
  const { article_id: articleId, look } = job
  const now = ctx.now()
  if (look > 0 && now.getTime() < job.not_before) return { kind: 'later', at: new Date(job.not_before) }
  const {
    article: [article],
    sent,
  } = await ctx.read(() => ({ article: livePageById(ctx.db, articleId), sent: sentTexts(ctx.db, articleId) }))
  if (article?.status !== 'Published') return { kind: 'done' }
  const url = article.url ?? likelyUrl(article.blogRootUrl, article.slug)
  if (url === undefined) return { kind: 'done' }
  const page = await readLivePage(ctx, url)
  const later = nextCheckAt(look, now, ctx.settings.retryTimeScale)
  const [newest = article, ...older] = sent
  if (page.kind === 'unread') {
    const build = await buildOf(ctx, targets, articleId)
    const receipt = { ...unchecked(now.toISOString(), page.reason, later), ...build }
    const signed = await finalReceipt(ctx, later ? undefined : signer, articleId, newest, {
      url,
      isShown: false,
      receipt,
    })
    return await keepLook(ctx, job, later, (isOwn) => storeReceipt(ctx, articleId, url, receipt, { if: isOwn, signed }))
  }
  const { version, shown, isExpected } = versionOn(page, [newest, ...older], job.is_restored)
  const next = isExpected ? null : later
  const build = isExpected ? {} : await buildOf(ctx, targets, articleId)
  const images = await deliveredImages(ctx, articleId, version.content, page.base)
  const onPage = images.map(shownImages(page.html, page.base))
  const onPageUrls = onPage.flatMap((one) => one ?? [])
  const { asked, loaded } = await askForImages(ctx, onPageUrls, job.loaded)
  const linksOf = (html: string) => readDocument(html).links.flatMap(({ href }) => absolute(href, page.base) ?? [])
  const links = new Set(linksOf(page.html))
  const receipt = {
    checked_at: now.toISOString(),
    revision: version.revision,
    http_status: page.status,
    ...shown,
    canonical: page.canonical && storableText(page.canonical),
    indexable: page.status === 200 && !page.robots.noindex,
    images_ok: loaded.length === asked.length && !onPage.includes(undefined),
    images_checked: { asked: asked.length, of: images.length },
    links_ok: linksOf(version.content).every((address) => links.has(address)),
    structured_data: typesInJsonLd(page.html).map(storableText),
    next_check_at: next?.toISOString() ?? null,
    ...build,
  }
  const isFound =
    page.status === 200 && shown.title_found && isNamed(page.url, article.slug) && isSameHost(page.url, url)
  const isKept = article.url !== null || isFound
  const signed = await finalReceipt(ctx, next || !isKept ? undefined : signer, articleId, version, {
    url: article.url ?? page.url,
    isShown: isExpected,
    receipt,
  })
  const isTold = article.tellsEngines && isExpected && receipt.indexable
  const signedAndTold: Signed = (condition) => [
    ...signed(condition),
    ...(isTold ? tellShown(ctx, articleId, article.url ?? page.url, condition) : []),
  ]
  const isCopied = isExpected && article.hasCopies
  if (isTold || isCopied) ctx.defer(ctx.wakeQueue())
  return await keepLook(ctx, { ...job, loaded }, next, (isOwn) => {
    const isOwnPage = shown.title_found && isSameHost(page.url, url)
    const stored =
      article.url !== null
        ? storeReceipt(ctx, articleId, url, receipt, { if: isOwn, isOwnPage, signed: signedAndTold })
        : isFound
          ? storeFoundAddress(ctx, { articleId, accountId: article.accountId }, page.url, receipt, {
              if: isOwn,
              signed: signedAndTold,
            })
          : []
    const isStored = sql`${isOwn} and exists (select 1 from ${articles} where ${and(eq(articles.id, articleId), statusAllows('sync'))}
      and ${articles.receipt} ->> 'checked_at' = ${receipt.checked_at})`
    return [...stored, ...(isCopied ? sendCopies(ctx, articleId, version.revision, isStored) : [])]
  })
}

/** Stores a receipt that the page could not be checked, after the job's last attempt. */
export const failReceipt = async (ctx: Ctx, articleId: number, reason: string): Promise<void> => {
  const [article] = await ctx.read(() => livePageById(ctx.db, articleId))
  const url = article?.url
  if (!url) return
  const shown = shownReason(reason, 'The page could not be checked, for a reason on our side.')
  const receipt = unchecked(ctx.now().toISOString(), shown, null)
  await ctx.batch({ stored: storeReceipt(ctx, articleId, url, receipt, { if: sql`true` }) }, UNAUDITED)
}

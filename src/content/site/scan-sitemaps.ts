import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import { sitePages } from '../../../schema/site.ts'
import type { ScanProgress } from '../../accounts/projects/jobs.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { baseLanguage } from '../../platform/lib/languages.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { addPages, advance, atTurn, type ScannedProject, UNDER_WAY } from './progress.ts'
import { isAllowed, type Robots } from './robots.ts'
import { distinctPages, type KnownPage, knownPage, MAX_ADDRESSES, MAX_FILES, shareOf } from './rules.ts'
import { readSitemap, type Sitemap } from './sitemap.ts'
import { createVisitor, type Visitor } from './visit.ts'

/** Nesting of indexes. */
const MAX_DEPTH = 3
/** Most sitemap files waiting to be read. The limit keeps the saved progress small. */
const MAX_WAITING = 200
const MAX_FILE_BYTES = 16 * 1024 * 1024
const ROWS = 5_000
const XML = 'application/xml,text/xml;q=0.9,text/plain;q=0.5,*/*;q=0.1'

/** Names of files with articles, which are read first, and of files with products, tags and authors, which are read last. */
const ARTICLES = /blog|news|post|article|artikel|magazin|journal|stor(?:y|ies)|guide|ratgeber|noticia|actualit/i
const LAST = /product|produkt|produit|prodott|collection|categor|kategor|tag|author|image|video/i

/** Returns the files in the order of reading: those that may be an index, then articles, other pages, and products. */
const inOrder = (files: readonly File[]): File[] => {
  const rankOf = ({ url, depth }: File): number => {
    const name = URL.parse(url)?.pathname ?? url
    return (depth === 0 || /index/i.test(name) ? 0 : 10) + (LAST.test(name) ? 2 : ARTICLES.test(name) ? 0 : 1)
  }
  return files.toSorted((a, b) => rankOf(a) - rankOf(b))
}

const store = async (ctx: Ctx, projectId: number, pages: readonly KnownPage[]): Promise<void> => {
  for (let start = 0; start < pages.length; start += ROWS)
    await addPages(ctx, projectId, pages.slice(start, start + ROWS))
}

type File = ScanProgress['sitemaps'][number]

const missed = (progress: ScanProgress): ScanProgress => ({ ...progress, missed: progress.missed + 1 })

const MAX_REASONS = 3

/** Records that a file had no addresses, and why. */
const gaveNone = (progress: ScanProgress, file: File, reason: string): ScanProgress => ({
  ...progress,
  empty: progress.empty + 1,
  empty_reasons: [...progress.empty_reasons, `${file.url}: ${reason}`].slice(0, MAX_REASONS),
})

/** Returns the reason why a sitemap file has no page of the site. */
const emptyReason = ({ pages, cut, isHtml }: Sitemap, rules: ScanProgress['rules'], base: URL): string => {
  if (pages.length > 0)
    return pages.every((address) => {
      const page = URL.parse(address, base)
      return page !== null && !isAllowed(rules, page)
    })
      ? 'robots.txt forbids each of its addresses'
      : 'none of its addresses is a page of this site'
  if (isHtml) return 'it is a web page, not a sitemap'
  return cut ? 'it is damaged, or packed in a way that cannot be read' : 'it holds no address'
}

/** Returns which sitemaps had no addresses, and why; null if all had some. */
const emptySitemaps = ({ empty, empty_reasons: reasons, addresses }: ScanProgress): string | null => {
  if (empty === 0)
    return addresses === 0
      ? 'No sitemap was found: robots.txt names none, and none is at /sitemap.xml or /sitemap_index.xml. Set sitemap_url if the site has one elsewhere.'
      : null
  const more = empty > reasons.length ? `; and ${empty - reasons.length} more` : ''
  return `Sitemaps that gave no address: ${reasons.join('; ')}${more}.`
}

/** Returns what the owner should know about the sitemaps: files without addresses, and that a limit was reached. */
export const sitemapNotes = (progress: ScanProgress): string | null => {
  const { limited, addresses, files } = progress
  const limit = `The sitemaps have more than the ${MAX_ADDRESSES.toLocaleString('en')} addresses or ${MAX_FILES} files that are read of a site. Of ${files} files, ${addresses.toLocaleString('en')} addresses were read, those of articles first.`
  return [emptySitemaps(progress), limited ? limit : null].filter((note) => note !== null).join(' ') || null
}

/** Returns the pages of a site at an address of its sitemap: the page, and the one that is offered instead, if there is one. */
const pagesAt = (
  address: string,
  base: URL,
  languages: Sitemap['languages'],
  { websiteKey }: ScannedProject,
  rules: Robots['rules'],
) => {
  const known = (text: string): KnownPage | undefined => {
    const page = URL.parse(text, base)
    // A page that robots.txt forbids is not a page to link to either.
    return page && isAllowed(rules, page) ? knownPage(page, websiteKey, 'sitemap') : undefined
  }
  const page = known(address)
  const shown = languages.get(address)
  if (!page || !shown) return page ? [page] : []
  const instead = shown.instead === null ? undefined : known(shown.instead.href)
  const own = { ...page, language: shown.language || page.language, alternateOf: instead?.key ?? null }
  return shown.instead && instead
    ? [{ ...instead, language: baseLanguage(shown.instead.lang) || instead.language }, own]
    : [own]
}

/** Reads one sitemap file. Stores its pages of this site, and adds further files to the list. */
const readFile = async (
  ctx: Ctx,
  visitor: Visitor,
  progress: ScanProgress,
  project: ScannedProject,
  file: File,
): Promise<ScanProgress> => {
  const waiting = progress.sitemaps.slice(1)
  const next = { ...progress, sitemaps: waiting, files: progress.files + 1 }
  const url = URL.parse(file.url)
  if (!url) return next
  const visit = await visitor.visit(url, { accept: XML, maxBytes: MAX_FILE_BYTES, rules: progress.rules })
  // A file listed in a sitemap must exist. The usual addresses often have none.
  if (visit.kind !== 'found') {
    const after = file.isGuessed && visit.kind === 'refused' ? next : gaveNone(next, file, visit.reason)
    return visit.kind === 'away' || file.depth > 0 ? missed(after) : after
  }
  const sitemap = await readSitemap(visit.bytes, undefined, visit.contentType, baseLanguage(project.language))
  const { pages, sitemaps, languages } = sitemap
  const found = distinctPages(
    pages.flatMap((address) => pagesAt(address, visit.url, languages, project, progress.rules)),
  )
  const known = found.slice(0, shareOf(next, waiting.length))
  await store(ctx, progress.project_id, known)
  const deeper = file.depth + 1 < MAX_DEPTH ? sitemaps : []
  const more = deeper.flatMap((address) => URL.parse(address, visit.url)?.href ?? [])
  const seen = new Set(waiting.map((other) => other.url))
  const added = [...new Set(more)]
    .filter((address) => !seen.has(address))
    .map((address) => ({ url: address, depth: file.depth + 1, isGuessed: false }))
  const all = inOrder([...waiting, ...added])
  const gave = known.length + sitemaps.length > 0 || progress.addresses >= MAX_ADDRESSES
  const after = gave ? next : gaveNone(next, file, emptyReason(sitemap, progress.rules, visit.url))
  return {
    ...(all.length > MAX_WAITING ? missed(after) : after),
    addresses: progress.addresses + known.length,
    limited: progress.limited || known.length < found.length || all.length > MAX_WAITING,
    sitemaps: all.slice(0, MAX_WAITING),
    sitemap_url: progress.sitemap_url || (file.depth === 0 && pages.length + sitemaps.length > 0 ? file.url : ''),
  }
}

/** True if all addresses of the sitemaps were read. */
const isWhole = (progress: ScanProgress): boolean =>
  progress.sitemaps.length === 0 &&
  progress.missed === 0 &&
  !progress.limited &&
  progress.addresses > 0 &&
  progress.addresses < MAX_ADDRESSES

const isFinished = (progress: ScanProgress): boolean =>
  progress.sitemaps.length === 0 || progress.files >= MAX_FILES || progress.addresses >= MAX_ADDRESSES

/**
 * Ends the reading of sitemaps, and starts the next step.
 *
 * Pages that the scan did not see are deleted if `whole`. Otherwise they are marked to be read again, which removes missing
 * ones. Pages of published articles stay.
 */
const endSitemaps = async (ctx: Ctx, progress: ScanProgress, next: ScanProgress, runAt: Date, whole: boolean) => {
  const { locks, isAtTurn } = atTurn(ctx.db, progress)
  const unseen = and(
    eq(sitePages.projectId, next.project_id),
    isNull(sitePages.articleId),
    lt(sitePages.seenAt, new Date(next.started_at)),
    isAtTurn,
  )
  await ctx.batch(
    {
      locks,
      deletedSitePages: whole
        ? ctx.db.delete(sitePages).where(unseen)
        : ctx.db
            .update(sitePages)
            .set({ readAt: null })
            .where(and(unseen, isNotNull(sitePages.readAt))),
      advance: advance(ctx.db, next, progress.turn, runAt),
    },
    UNDER_WAY,
  )
}

/** Runs the second step of a scan: reads sitemap files during the run's time, and stores the addresses of the site's pages. */
export const readSitemaps = async (ctx: Ctx, progress: ScanProgress, project: ScannedProject): Promise<JobResult> => {
  const visitor = createVisitor(ctx, new URL(project.websiteUrl), progress.delay_ms, progress.not_before)
  let now: ScanProgress = { ...progress, sitemaps: inOrder(progress.sitemaps) }
  while (!isFinished(now) && visitor.hasTime()) {
    const [file] = now.sitemaps
    if (file) now = await readFile(ctx, visitor, now, project, file)
  }
  const turn = progress.turn + 1
  const runAt = new Date(ctx.now().getTime() + progress.delay_ms)
  await ctx.step(`scan:${progress.step}`)
  if (isFinished(now)) {
    const limited = now.limited || now.sitemaps.length > 0
    const next: ScanProgress = { ...now, turn, step: 'pages', sitemaps: [], limited }
    await endSitemaps(ctx, progress, next, runAt, isWhole(now))
  } else await ctx.batch({ advance: advance(ctx.db, { ...now, turn }, progress.turn, runAt) }, UNDER_WAY)
  return { kind: 'settled' }
}

import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { sitePages } from '../../../schema/site.ts'
import type { ScanProgress } from '../../accounts/projects/jobs.ts'
import { changeScan } from '../../accounts/projects/writes.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, listed } from '../../platform/db/writes.ts'
import { type JobResult, shownReason } from '../../platform/jobs/job.ts'
import { decodePage } from '../../platform/lib/bytes.ts'
import { baseLanguage, tagOfLanguage } from '../../platform/lib/languages.ts'
import { phraseKey, phrasesIn } from '../../platform/lib/phrases.ts'
import { isOfSite, keyOfRead, pageKey, withoutTrackers } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { headerRules } from '../html/page.ts'
import { pagesOf, unreadPages } from './pages.ts'
import { advance, atTurn, failScan, filledBy, SCANNED, type ScannedProject, UNDER_WAY } from './progress.ts'
import { blogRootOf, pagesToRead, pageTitle } from './rules.ts'
import { openSite } from './scan-open.ts'
import { readSitemaps, sitemapNotes } from './scan-sitemaps.ts'
import { createVisitor, keysOfLinks, readSitePage, type Visitor } from './visit.ts'

const MAX_TOPICS = 40
const MIN_USES = 2

type Site = {
  business_name: string
  business_description: string
  headings: readonly string[]
  pages: readonly { title: string; keyword: string; description: string }[]
  tag: string
}

/**
 * Returns the site's topics, best first: phrases in its description, headings and page titles. The site's own name is left out.
 *
 * Phrases used only once count only if there are few others.
 */
const topicsOf = ({ business_name: name, business_description: description, headings, pages, tag }: Site): string[] => {
  const phrases = phrasesIn(
    [
      { text: description, weight: 3 },
      ...headings.map((text) => ({ text, weight: 2 })),
      ...pages.flatMap((page) => [
        { text: page.title, weight: 2 },
        { text: page.description, weight: 1 },
      ]),
    ],
    tag,
  )
  const own = phraseKey(name)
  const others = phrases.filter(({ phrase, words }) => words <= 4 && phraseKey(phrase) !== own)
  const often = others.filter(({ uses }) => uses >= MIN_USES)
  return (often.length >= MAX_TOPICS / 2 ? often : others).slice(0, MAX_TOPICS).map(({ phrase }) => phrase)
}

const MAX_PAGE_BYTES = 2 * 1024 * 1024
/** Most pages read in one run. */
const BATCH_SIZE = 25
const HEADINGS_OF_A_PAGE = 6
const MAX_HEADINGS = 250
/** Pages used to find the site's topics and the path of its articles. */
const SAMPLE = 1_000

/** Page after reading, with its own address: where it was found, or its canonical one. */
type ReadPage = {
  id: number
  url: string
  key: string
  title: string
  description: string
  language: string
  /** Keys of the pages that it links to, separated by spaces. */
  links: string
}

type Batch = { read: ReadPage[]; gone: number[]; headings: string[]; afterId: number; visited: number }
type Unread = { id: number; url: string; key: string }

/** Returns the address and key of a page that was read. Its canonical address wins, unless that is the home page. */
const addressOf = ({ url, key }: Unread, canonical: string | null, { websiteKey }: ScannedProject) => {
  const named = keyOfRead(new URL(url), canonical)
  if (canonical === null || named === key || named === websiteKey || !isOfSite(named, websiteKey)) return { url, key }
  return { url: withoutTrackers(new URL(canonical)).href, key: named }
}

/** Reads one page. One that is not a page for readers is dropped; one that does not respond now stays unread. */
const readPage = async (
  visitor: Visitor,
  progress: ScanProgress,
  project: ScannedProject,
  page: Unread,
  batch: Batch,
) => {
  batch.afterId = page.id
  batch.visited += 1
  const wanted = { accept: 'text/html', maxBytes: MAX_PAGE_BYTES, rules: progress.rules }
  const visit = await visitor.visit(new URL(page.url), wanted)
  if (visit.kind === 'refused' || visit.kind === 'disallowed') batch.gone.push(page.id)
  if (visit.kind !== 'found') return
  const found = readSitePage(decodePage(visit.bytes, visit.contentType), visit.url)
  const hidden = found.noindex || headerRules(visit.robotsTag).noindex
  const isPage = /html/i.test(visit.contentType) && isOfSite(pageKey(visit.url), project.websiteKey)
  if (hidden || !isPage || (visit.url.href !== page.url && pageKey(visit.url) === project.websiteKey)) {
    batch.gone.push(page.id)
    return
  }
  const address = addressOf(page, found.canonical, project)
  if (batch.read.some(({ key }) => key === address.key)) {
    batch.gone.push(page.id)
    return
  }
  batch.read.push({
    id: page.id,
    ...address,
    title: pageTitle(found.title, project.businessName),
    description: found.description,
    language: baseLanguage(found.lang),
    links: keysOfLinks(found).join(' '),
  })
  batch.headings.push(...found.headings.slice(0, HEADINGS_OF_A_PAGE))
}

/** Ends the scan: saves the site's topics and the path of its articles. */
const finish = async (ctx: Ctx, progress: ScanProgress, project: ScannedProject): Promise<JobResult> => {
  const pages = await ctx.read(() => pagesOf(ctx.db, progress.project_id, SAMPLE))
  const topics = topicsOf({
    business_name: project.businessName,
    business_description: project.businessDescription,
    pages,
    headings: progress.headings,
    tag: tagOfLanguage(project.language),
  })
  const facts = {
    sitemapUrl: progress.sitemap_url,
    blogRootUrl: blogRootOf(
      pages.map(({ url }) => url),
      new URL(project.websiteUrl),
    ),
  }
  const now = ctx.now()
  const { locks, isRunning } = atTurn(ctx.db, progress)
  await ctx.batch({
    locks,
    ...when(isRunning, {
      audit: audit(ctx, {
        account: projects.accountId,
        action: 'project.scan',
        on: ['project', progress.project_id],
        from: sql`${projects}`,
      }),
      changeScan: (isMet) =>
        changeScan(
          ctx.db,
          {
            ...filledBy(facts),
            topics: topics.join('\n'),
            siteScanState: 'completed',
            siteScanError: sitemapNotes(progress),
            siteScannedAt: now,
            siteReadAt: now,
          },
          isMet,
        ),
    }),
  })
  return { kind: 'done' }
}

/** Runs the last step of a scan: reads pages one at a time during the run's time, then ends the scan. */
const readPages = async (ctx: Ctx, progress: ScanProgress, project: ScannedProject): Promise<JobResult> => {
  const left = pagesToRead(progress.delay_ms, ctx.settings.retryTimeScale) - progress.visited
  if (left <= 0) return await finish(ctx, progress, project)
  const pages = await ctx.read(() =>
    unreadPages(ctx.db, progress.project_id, progress.after_id, Math.min(left, BATCH_SIZE)),
  )
  if (pages.length === 0) return await finish(ctx, progress, project)
  const visitor = createVisitor(ctx, new URL(project.websiteUrl), progress.delay_ms, progress.not_before)
  const batch: Batch = { read: [], gone: [], headings: [], afterId: progress.after_id, visited: 0 }
  for (const page of pages) {
    if (!visitor.hasTime()) break
    await readPage(visitor, progress, project, page, batch)
  }
  const next: ScanProgress = {
    ...progress,
    turn: progress.turn + 1,
    after_id: batch.afterId,
    visited: progress.visited + batch.visited,
    headings: [...progress.headings, ...batch.headings].slice(0, MAX_HEADINGS),
  }
  const runAt = new Date(ctx.now().getTime() + progress.delay_ms)
  await ctx.step(`scan:${progress.step}`)
  const { locks, isAtTurn } = atTurn(ctx.db, progress)
  const isOurs = and(isNull(sitePages.articleId), isAtTurn)
  const { id, url, urlKey: key, title, metaDescription: description, language } = sitePages
  const isRead = and(eq(id, sql`listed.id`), isOurs)
  // Pages whose canonical address is that of another page.
  const known = sql`(select listed.id from ${listed({ id, key }, batch.read)} where exists (
    select 1 from site_pages other where other.project_id = ${progress.project_id}::int and other.url_key = listed.key
      and other.id <> listed.id))`
  const now = ctx.now()
  await ctx.batch(
    {
      locks,
      known: ctx.db.delete(sitePages).where(and(inArray(id, known), isOurs)),
      read: ctx.db
        .update(sitePages)
        .set({
          url: sql`listed.url`,
          urlKey: sql`listed.key`,
          title: sql`case when listed.title = '' then ${sitePages.title} else listed.title end`,
          metaDescription: sql`listed.description`,
          language: sql`case when listed.language = '' then ${language} else listed.language end`,
          linkedKeys: sql`string_to_array(listed.links, ' ')`,
          readAt: now,
          updatedAt: now,
        })
        .from(listed({ id, url, key, title, description, language, links: title }, batch.read))
        .where(isRead),
      gone: batch.gone.length > 0 && ctx.db.delete(sitePages).where(and(inArray(sitePages.id, batch.gone), isOurs)),
      advance: advance(ctx.db, next, progress.turn, runAt),
    },
    UNDER_WAY,
  )
  return { kind: 'settled' }
}

const STEPS = { open: openSite, sitemaps: readSitemaps, pages: readPages }

/**
 * Runs the next step of a project's site scan: robots.txt and home page, sitemaps, or pages. It costs no credits.
 *
 * A step saves its results together with the next step's start. A step that was cut off runs again and duplicates nothing.
 */
export const scanSite = async (ctx: Ctx, progress: ScanProgress): Promise<JobResult> => {
  const canScan = and(
    eq(projects.id, progress.project_id),
    eq(projects.status, 'Active'),
    inArray(projects.siteScanState, ['pending', 'running']),
  )
  const {
    returning: [project],
  } = await ctx.batch(
    { returning: changeScan(ctx.db, { siteScanState: 'running' }, canScan).returning(SCANNED) },
    UNDER_WAY,
  )
  return project ? await STEPS[progress.step](ctx, progress, project) : { kind: 'done' }
}

/** Ends a scan that failed too often because of the service. */
export const abandonScan = async (ctx: Ctx, projectId: number, reason: string): Promise<void> => {
  const why = 'The scan failed on our side although it was tried many times. The project works without it.'
  await failScan(ctx, { project_id: projectId }, shownReason(reason, why))
}

import { isNull, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { sitePages } from '../../../schema/site.ts'
import type { ScanProgress } from '../../accounts/projects/jobs.ts'
import { unscannable } from '../../accounts/projects/rules.ts'
import { changeScan } from '../../accounts/projects/writes.ts'
import { when } from '../../platform/db/steps.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { decodePage } from '../../platform/lib/bytes.ts'
import { baseLanguage, languageOfTag } from '../../platform/lib/languages.ts'
import { siteKey } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import {
  addPages,
  advance,
  atTurn,
  failScan,
  filledBy,
  type ScannedProject,
  type SiteFacts,
  UNDER_WAY,
} from './progress.ts'
import { isAllowed, NO_ROBOTS, parseRobots, type Robots } from './robots.ts'
import { businessNameOf, delayOf, distinctPages, type KnownPage, knownPage, pageTitle } from './rules.ts'
import {
  createVisitor,
  keysOfLinks,
  productOf,
  readSitePage,
  type SitePage,
  type Visit,
  type Visitor,
} from './visit.ts'

/** Home page after reading. */
type HomePage = KnownPage & { description: string; linkedKeys: string[] }

const MAX_ROBOTS_BYTES = 512 * 1024
const MAX_PAGE_BYTES = 2 * 1024 * 1024
/** Redirects that a crawler should follow at least (RFC 9309). */
const ROBOTS_REDIRECTS = 5
const TRY_AGAIN_MS = 180_000
const TRIES = 2
/** Most links used of the home page, and of the blog's first page. */
const MAX_LINKS = 30
const MAX_SITEMAPS = 100
const MAX_HEADINGS = 40
const HTML = 'text/html,application/xhtml+xml;q=0.9'

type Robotic = { kind: 'robots'; robots: Robots } | Extract<Visit, { kind: 'away' }>

/**
 * Returns the site's robots.txt. A refused one allows everything (RFC 9309 §2.3.1). If it is unreachable now, returns `away`.
 */
const readRobots = async (ctx: Ctx, visitor: Visitor, site: URL): Promise<Robotic> => {
  const wanted = { accept: 'text/plain', maxBytes: MAX_ROBOTS_BYTES, rules: [], maxRedirects: ROBOTS_REDIRECTS }
  const visit = await visitor.visit(new URL('/robots.txt', site), wanted)
  if (visit.kind === 'away') return visit
  if (visit.kind !== 'found') return { kind: 'robots', robots: NO_ROBOTS }
  const text = new TextDecoder().decode(visit.bytes)
  return { kind: 'robots', robots: parseRobots(text, productOf(ctx.settings.serviceName)) }
}

/** Returns the sitemaps to read: the project's own setting and those in robots.txt, or else the usual addresses. */
const sitemapsOf = (project: ScannedProject, site: URL, robots: Robots): ScanProgress['sitemaps'] => {
  const base = `${site.origin}${site.pathname.replace(/(?<!\/)\/+$/, '')}`
  const declared = robots.sitemaps.flatMap((text) => {
    const url = URL.parse(text, site)
    return url && siteKey(new URL('/', url)) === siteKey(new URL('/', site)) ? [url.href] : []
  })
  const usual = [...new Set([base, site.origin])].flatMap((root) => [
    `${root}/sitemap.xml`,
    `${root}/sitemap_index.xml`,
  ])
  const known = [...(project.sitemapUrl === '' ? [] : [project.sitemapUrl]), ...declared]
  const isGuessed = known.length === 0
  return [...new Set(isGuessed ? usual : known)].slice(0, MAX_SITEMAPS).map((url) => ({ url, depth: 0, isGuessed }))
}

const tryAgain = async (ctx: Ctx, progress: ScanProgress, reason: string): Promise<JobResult> => {
  if (progress.tries + 1 >= TRIES) return await failed(ctx, progress, `The website could not be read: ${reason}.`)
  const runAt = new Date(ctx.now().getTime() + TRY_AGAIN_MS / ctx.settings.retryTimeScale)
  const next = { ...progress, tries: progress.tries + 1, turn: progress.turn + 1 }
  await ctx.batch({ advance: advance(ctx.db, next, progress.turn, runAt) }, UNDER_WAY)
  return { kind: 'settled' }
}

const failed = async (ctx: Ctx, progress: ScanProgress, error: string): Promise<JobResult> => {
  await failScan(ctx, progress, error)
  return { kind: 'done' }
}

const factsOf = (page: SitePage, url: URL): SiteFacts => ({
  businessName: businessNameOf(page.siteName, page.title, url.hostname),
  businessDescription: page.description,
  language: languageOfTag(page.lang) ?? '',
})

const homeOf = (page: SitePage, project: ScannedProject, url: URL, name: string): HomePage => ({
  url: url.href,
  key: project.websiteKey,
  title: pageTitle(page.title, name),
  keyword: '',
  language: baseLanguage(page.lang),
  alternateOf: null,
  description: page.description,
  linkedKeys: keysOfLinks(page),
})

/** Returns the links that are pages of the site and that robots.txt allows. */
const pagesOf = (links: readonly URL[], { websiteKey }: ScannedProject, { rules }: Robots) =>
  links
    .filter((url) => isAllowed(rules, url))
    .flatMap((url) => knownPage(url, websiteKey, 'link') ?? [])
    .filter(({ key }) => key !== websiteKey)
    .slice(0, MAX_LINKS)

/** Returns the project's pillars that are pages of the site and that robots.txt allows. */
const pillarsOf = ({ contentPillars, websiteKey }: ScannedProject, { rules }: Robots) =>
  contentPillars.flatMap((address) => {
    const url = URL.parse(address)
    return (url && isAllowed(rules, url) && knownPage(url, websiteKey, 'sitemap')) || []
  })

/** Returns the links on the project's blog page, if that is a page of the site. Empty if it cannot be read. */
const blogLinks = async (visit: (url: URL) => Promise<Visit>, project: ScannedProject): Promise<URL[]> => {
  const root = URL.parse(project.blogRootUrl)
  const known = root && knownPage(root, project.websiteKey, 'sitemap')
  if (!root || !known || known.key === project.websiteKey) return []
  const found = await visit(root)
  return found.kind === 'found' ? readSitePage(decodePage(found.bytes, found.contentType), found.url).links : []
}

/** Stores the home page. If it is an article's page, it stays unchanged. */
const keepHome = (projectId: number, home: HomePage, condition: SQL, now: Date) =>
  insertWhere(
    sitePages,
    {
      projectId,
      url: home.url,
      urlKey: home.key,
      title: home.title,
      keyword: home.keyword,
      metaDescription: home.description,
      linkedKeys: home.linkedKeys,
      language: home.language,
      readAt: now,
      seenAt: now,
      createdAt: now,
      updatedAt: now,
    },
    {
      if: condition,
      onConflict: sql`(project_id, url_key) do update set title = excluded.title, meta_description = excluded.meta_description,
        language = excluded.language, linked_keys = excluded.linked_keys, alternate_of = null,
        read_at = excluded.read_at, seen_at = excluded.seen_at, updated_at = excluded.updated_at where ${isNull(sitePages.articleId)}`,
    },
  )

/**
 * Runs the first step of a scan: reads robots.txt, the home page and the blog's page.
 *
 * Fills the settings found on the home page, and saves the data for the next steps. An unreachable site is tried once more,
 * some minutes later.
 */
export const openSite = async (ctx: Ctx, progress: ScanProgress, project: ScannedProject): Promise<JobResult> => {
  const impossible = unscannable(project.websiteUrl)
  if (impossible !== null) return await failed(ctx, progress, impossible)
  const site = new URL(project.websiteUrl)
  const startedAt = progress.started_at || ctx.now().getTime()
  const scale = ctx.settings.retryTimeScale
  const visitor = createVisitor(ctx, site, delayOf(NO_ROBOTS, scale), progress.not_before)
  const robotic = await readRobots(ctx, visitor, site)
  if (robotic.kind === 'away') return await tryAgain(ctx, progress, robotic.reason)
  const { robots } = robotic
  const visit = await visitor.visit(site, { accept: HTML, maxBytes: MAX_PAGE_BYTES, rules: robots.rules })
  if (visit.kind === 'away') return await tryAgain(ctx, progress, visit.reason)
  if (visit.kind !== 'found') return await failed(ctx, progress, `The website could not be read: ${visit.reason}.`)
  const page = readSitePage(decodePage(visit.bytes, visit.contentType), visit.url)
  const facts = factsOf(page, visit.url)
  const visitBlog = (address: URL) =>
    visitor.visit(address, { accept: HTML, maxBytes: MAX_PAGE_BYTES, rules: robots.rules })
  const linked = [page.links, await blogLinks(visitBlog, project)].flatMap((links) => pagesOf(links, project, robots))
  const others = [...pillarsOf(project, robots), ...linked]
  if (others.length > 0) await addPages(ctx, progress.project_id, distinctPages(others))
  const delayMs = delayOf(robots, scale)
  const next: ScanProgress = {
    ...progress,
    step: 'sitemaps',
    started_at: startedAt,
    turn: progress.turn + 1,
    rules: robots.rules,
    delay_ms: delayMs,
    sitemaps: sitemapsOf(project, site, robots),
    headings: page.headings.slice(0, MAX_HEADINGS),
  }
  const runAt = new Date(ctx.now().getTime() + delayMs)
  const home = homeOf(page, project, visit.url, facts.businessName ?? '')
  await ctx.step(`scan:${progress.step}`)
  const { locks, isRunning } = atTurn(ctx.db, progress)
  await ctx.batch(
    {
      locks,
      ...when(isRunning, {
        keepHome: (isMet) =>
          keepHome(progress.project_id, home, sql`exists (select 1 from ${projects} where ${isMet})`, ctx.now()),
        changeScan: (isMet) => changeScan(ctx.db, { ...filledBy(facts), siteScanError: null }, isMet),
      }),
      advance: advance(ctx.db, next, progress.turn, runAt),
    },
    UNDER_WAY,
  )
  return { kind: 'settled' }
}

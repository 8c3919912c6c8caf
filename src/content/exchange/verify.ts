import { type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import type { Db } from '../../platform/db/client.ts'
import type { JobResult } from '../../platform/jobs/handler.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { askForLivePage } from '../../platform/runtime/live-page.ts'
import { readDocument } from '../html/document.ts'
import { readPageHead } from '../html/page.ts'
import { headerRules } from '../html/robots-directives.ts'
import type { LookJob } from './jobs.ts'
import { linkedKeys, siteLinks } from './links.ts'
import { nextLookAt } from './rules.ts'
import { endLooks, type Look, lookLocks, storeLook } from './verify-statements.ts'

/** A link the live page has to show. */
type AwaitedLink = { id: number; url: string; site_key: string }

/** The links of a published article that nobody has seen on its live page yet. */
const awaitedLinks = (db: Db, owner: SQL, articleId: number) =>
  db.execute<AwaitedLink>(sql`
    select l.id, articles.url, p.website_key as site_key from exchange_links l
    join articles on articles.id = l.article_id join projects p on p.id = l.to_project_id
    where articles.id = ${articleId}::int and articles.account_id = ${owner} and ${oneOf(articles.status, ['Published'])}
      and articles.url is not null and l.status = 'Scheduled'
    order by l.id`)

const MAX_PAGE_BYTES = 2 * 1024 * 1024
const MAX_REDIRECTS = 3

/** The sites a live page links to so that search engines follow; none when it cannot be fetched or asks not to be followed. */
const sitesLinkedFrom = async (ctx: Ctx, address: string): Promise<ReadonlySet<string>> => {
  let url = address
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await askForLivePage(ctx, url, MAX_PAGE_BYTES)
    if (answer.kind !== 'answered') return new Set()
    const location = answer.headers.get('location')
    if (answer.status >= 300 && answer.status < 400 && location !== null && URL.canParse(location, url)) {
      url = new URL(location, url).href
      continue
    }
    const forbids = headerRules(answer.headers.get('x-robots-tag')).nofollow || readPageHead(answer.body).nofollow
    if (answer.status !== 200 || forbids) return new Set()
    return new Set(linkedKeys(siteLinks(readDocument(answer.body).links)))
  }
  return new Set()
}

const lookOf = (ctx: Ctx, look: number, links: readonly AwaitedLink[], sites: ReadonlySet<string>): Look => {
  const isShown = (link: AwaitedLink) => sites.has(link.site_key)
  const missing = links.filter((link) => !isShown(link)).map(({ id }) => id)
  return {
    url: links[0]?.url ?? '',
    found: links.filter(isShown).map(({ id }) => id),
    missing,
    next: missing.length === 0 ? null : nextLookAt(look, ctx.now(), ctx.settings.retryTimeScale),
  }
}

/**
 * Looks at the live page of a published article for the links to partners it has to show. What is there is verified; for the
 * rest it looks again later, and after the last look the links are missing and their credits taken back.
 */
export const verifyLinks = async (ctx: Ctx, job: LookJob): Promise<JobResult> => {
  if (ctx.now().getTime() < job.not_before) return { kind: 'later', at: new Date(job.not_before) }
  const [awaited] = await ctx.read((owner) => [awaitedLinks(ctx.db, owner, job.article_id)])
  const [first] = awaited.rows
  if (first) {
    const seen = lookOf(ctx, job.look, awaited.rows, await sitesLinkedFrom(ctx, first.url))
    await ctx.write(storeLook(ctx.now(), job, seen), lookLocks(job))
  } else await ctx.write(endLooks(ctx.now(), job), lookLocks(job))
  return { kind: 'settled' }
}

/** The page could not be looked at, run after run: its links count as missing, and the credits go back. */
export const giveUpLooking = async (ctx: Ctx, job: LookJob): Promise<void> => {
  const [awaited] = await ctx.read((owner) => [awaitedLinks(ctx.db, owner, job.article_id)])
  const seen = { ...lookOf(ctx, job.look, awaited.rows, new Set()), next: null }
  await ctx.write(storeLook(ctx.now(), job, seen), lookLocks(job))
}

import { readWithProject } from '../../accounts/projects/scope.ts'
import { readLivePage } from '../../content/site/live-page.ts'
import { createVisitor } from '../../content/site/visit.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { AGENTS } from './agents.ts'
import type { CrawlersInput } from './operations.ts'
import { pageOf } from './queries.ts'
import { type Ruling, rulingOf, wallOf } from './rules.ts'

const MAX_ROBOTS_BYTES = 512 * 1024
/** Redirects that a crawler should follow at least (RFC 9309). */
const REDIRECTS = 5

type Robots = { state: 'read' | 'none' | 'unreachable'; problem: string | null; text: string }

/** Reads the robots.txt of an address. One that the site refuses allows everything; one that cannot be reached, nothing. */
const readRobots = async (ctx: Ctx, page: URL): Promise<Robots> => {
  const visitor = createVisitor(ctx, page, 0, 0)
  const wanted = { accept: 'text/plain', maxBytes: MAX_ROBOTS_BYTES, rules: [], maxRedirects: REDIRECTS }
  const visit = await visitor.visit(new URL('/robots.txt', page), wanted)
  if (visit.kind === 'found') return { state: 'read', problem: null, text: new TextDecoder().decode(visit.bytes) }
  if (visit.kind === 'away')
    return { state: 'unreachable', problem: `The robots.txt could not be read: ${visit.reason}.`, text: '' }
  return { state: 'none', problem: null, text: '' }
}

/** Requests the page as this service, by its own name. */
const ownRequest = async (ctx: Ctx, url: URL) => {
  const page = await readLivePage(ctx, url.href)
  const { serviceName, requestKeys } = ctx.settings
  const sent = { agent: `${serviceName}-Publisher`, signed: requestKeys.length > 0 }
  return page.kind === 'page'
    ? { ...sent, http_status: page.status, let_in: page.status === 200, problem: null }
    : { ...sent, http_status: null, let_in: false, problem: page.reason }
}

const NOTHING: Ruling = { allowed: false, rule_for: 'none', by_cloudflare: false }

/**
 * Reports which agents of search engines and AI services a site lets in: by its robots.txt, and as far as it is known, by walls.
 *
 * The site is asked for its robots.txt and the page by our own name only. Throws 404, 403, and 400 for an article without a
 * public address.
 */
export const crawlersReport = async (ctx: Ctx, id: number, { article_id: articleId }: CrawlersInput) => {
  const { results } = await readWithProject(ctx, id, pageOf(ctx.db, id, articleId))
  const [row] = results.rows
  if (!row) throw new Error('a project without a row')
  if (articleId !== undefined && row.url === null)
    throw new ApiError('not_published', 'The project has no published article with this ID and a public address.', {
      next_calls: [
        { method: 'GET', path: `/articles?project_id=${id}&status=Published`, why: 'Lists the published articles.' },
      ],
    })
  const page = new URL(row.url ?? row.website_url)
  const [robots, own] = await Promise.all([readRobots(ctx, page), ownRequest(ctx, page)])
  const wall = wallOf(row.fetch)
  return {
    project_id: id,
    article_id: row.article,
    url: page.href,
    robots: { url: new URL('/robots.txt', page).href, state: robots.state, problem: robots.problem },
    agents: AGENTS.map(({ token, of, use, obeys, isNameOnly = false }) => {
      const ruling = robots.state === 'unreachable' ? NOTHING : rulingOf(robots.text, token, page)
      const isGoogle = token === 'Googlebot' && wall !== null
      return {
        agent: token,
        of,
        use,
        robots:
          robots.state === 'unreachable'
            ? ('unknown' as const)
            : ruling.allowed
              ? ('allowed' as const)
              : ('disallowed' as const),
        rule_for: ruling.rule_for,
        by_cloudflare: ruling.by_cloudflare,
        obeys_robots: obeys,
        name_only: isNameOnly,
        wall: isGoogle ? wall : ('not_measured' as const),
        wall_seen_at: isGoogle ? row.crawled_at : null,
      }
    }),
    own_request: own,
  }
}

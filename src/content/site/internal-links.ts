import { sql } from 'drizzle-orm'
import { readWithProject } from '../../accounts/projects/scope.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { InternalLinksInput } from './operations.ts'
import { onceEach, pagesNear, pillarPages } from './page-search.ts'
import { linkingOf } from './queries.ts'

const MAX_LINKS = 20

/**
 * Returns pages of the project's own site to link to: its pillars, then those nearest the keyword; the newest if none is near.
 * One round trip. Throws 404 and 403 for the project.
 */
export const findInternalLinks = async (ctx: Ctx, { project_id: id, keyword = '' }: InternalLinksInput) => {
  const {
    results: [pillars, pages, [linking]],
  } = await readWithProject(ctx, id, [
    pillarPages(ctx.db, sql`${id}::int`),
    pagesNear(ctx.db, sql`${id}::int`, keyword, MAX_LINKS),
    linkingOf(ctx.db, id),
  ] as const)
  return {
    links: onceEach([...pillars.rows, ...pages.rows])
      .slice(0, MAX_LINKS)
      .map(({ url, title, keyword: about, meta_description }) => ({ url, title, keyword: about, meta_description })),
    num_links_recommended: linking?.linksPerArticle ?? 0,
    website_url: linking?.websiteUrl ?? '',
  }
}

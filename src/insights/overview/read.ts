import type { Ctx } from '../../platform/runtime/ctx.ts'
import { clicksBySite, siteDays } from '../search/parts.ts'
import type { SearchConsole } from '../search/port.ts'
import { sandboxMark } from '../search/refusals.ts'
import { type OverviewInput, SHOWN } from './operations.ts'
import { type Standing, siteStandings } from './queries.ts'
import { needOf } from './rules.ts'

/** Returns the state of all active projects of the account, those that need a person first. One round trip. */
export const readOverview = async (ctx: Ctx, google: SearchConsole, { limit }: OverviewInput) => {
  const now = ctx.now()
  const most = Math.min(limit ?? SHOWN.default, SHOWN.max)
  const { sites, days } = await ctx.read((owner) => ({
    sites: siteStandings(ctx.db, owner, { limit: most, now }),
    days: siteDays(ctx.db, owner, null, now),
  }))
  const clicks = clicksBySite(days.rows)
  const projectOf = (site: Standing) => {
    const search = clicks.get(site.id)
    return {
      project_id: site.id,
      name: site.name,
      url: site.url,
      needs: needOf(site),
      failed: site.failed,
      unknown: site.unknown,
      waiting: site.waiting,
      rewrites_ready: site.ready,
      indexed: {
        n: site.looked_at,
        indexed: site.indexed,
        share: site.looked_at === 0 ? null : site.indexed / site.looked_at,
      },
      clicks: search
        ? { last_28_days: search.clicks, change: search.change, is_significant: search.isBeyondNoise }
        : null,
      published_30_days: site.published,
      next_publication_at: site.next_at,
      target_connected: site.has_target,
      target_error: site.target_error,
    }
  }
  return {
    projects: sites.rows.map(projectOf),
    count: sites.rows.length,
    total: sites.rows[0]?.total ?? 0,
    ...sandboxMark(google),
  }
}

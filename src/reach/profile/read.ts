import type { Ctx } from '../../platform/runtime/ctx.ts'
import { taken } from '../social/accounts.ts'
import { notConnected, openProfile, type ProfileDeps } from './connected.ts'
import { analyticsOf, daysBefore } from './rules.ts'
import type { AnalyticsInput, StatusInput } from './schemas.ts'

const GOOGLE = 'Google Business Profile'
/** As many reviews as Google gives at once. */
const PAGE = 50

/** True if the project has a profile, and how it is rated. Throws 404, 403, 400, 503. */
export const profileStatus = async (ctx: Ctx, deps: ProfileDeps, input: StatusInput) => {
  const open = await openProfile(ctx, deps, input)
  if (!open) return notConnected(input.project_id)
  const { reviews, next, averageRating, total } = taken(await open.profile.reviews({ token: null, size: PAGE }), GOOGLE)
  const { id, name, username, connectedAt } = open.account
  return {
    connected: true as const,
    project_id: input.project_id,
    profile: { account_id: id, name, username },
    business_name: name,
    location_address: null,
    connected_at: connectedAt?.toISOString() ?? null,
    average_rating: averageRating,
    total_reviews: total,
    unreplied_count: reviews.filter(({ reply }) => reply === null).length,
    unreplied_count_is_partial: next !== null,
  }
}

const DAYS = { default: 28, max: 90 }

/** Returns the views of the profile and the actions of people on it. Throws 404, 403, 400, 503. */
export const profileAnalytics = async (ctx: Ctx, deps: ProfileDeps, input: AnalyticsInput) => {
  const open = await openProfile(ctx, deps, input)
  if (!open) return notConnected(input.project_id)
  const days = Math.min(input.days ?? DAYS.default, DAYS.max)
  const [start, end] = [daysBefore(ctx.now(), days), daysBefore(ctx.now(), 1)]
  const metrics = taken(await open.profile.metrics(start, end), GOOGLE)
  return {
    connected: true as const,
    project_id: input.project_id,
    date_range: { start_date: start, end_date: end, days },
    ...analyticsOf(metrics),
  }
}

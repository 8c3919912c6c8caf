import type { PolicyClauses, PolicyRule } from '../../../schema/values/policy.ts'
import type { ModelPost } from './posts-model.ts'

/** Work that should reach the outside: approved, due or retried, with its content at that time. */
type Want = {
  /** `retry` has its place and its approval already. */
  kind: 'date' | 'go' | 'retry' | 'change'
  isApproved: boolean
}

export type ModelArticle = {
  id: number
  status: 'Draft' | 'Planned' | 'Published'
  title: string
  /** Title that readers see. */
  shown: string | null
  /** All titles that readers saw. */
  earlier: Set<string>
  /** Requests that its site took. */
  taken: number
  due: number | null
  /** Its date does not send it any more: it failed, or a person returned it. */
  isSpent: boolean
  /** Question that waits for a person. */
  asked: 'publish' | 'sync' | null
  /** Title that a person approved and that is not out yet. */
  approved: string | null
  /** Work that continues by itself, besides that of its date. */
  queued: 'go' | 'retry' | 'change' | null
}

/** A publication of an article on a day, which takes a place there until it fails. */
type Place = { day: number; articleId: number }

export type ModelSite = {
  policy: PolicyClauses
  version: number
  target: 'webhook' | 'ghost'
  mode: 'ok' | 'unavailable'
  articles: (ModelArticle | null)[]
  posts: ModelPost[]
  places: Place[]
  /** Further places, of articles that were deleted, by day. */
  lost: number[]
}

const DAY_MS = 86_400_000

const dayOf = (now: number): number => Math.floor(now / DAY_MS)

const clockOf = (now: number): string => new Date(now).toISOString().slice(11, 16)

const isQuiet = ({ quiet_hours: quiet }: PolicyClauses, now: number): boolean => {
  if (quiet === null) return false
  const time = clockOf(now)
  const { from, to } = quiet
  return from < to ? time >= from && time < to : time >= from || time < to
}

/** True if nothing may go out now, even with a place and an approval. */
export const isShut = ({ policy }: ModelSite, now: number): boolean => policy.frozen || isQuiet(policy, now)

const placesTaken = (site: ModelSite, now: number, but: number | undefined): number =>
  new Set(
    site.places
      .filter(({ day, articleId }) => day === dayOf(now) && articleId !== but)
      .map(({ articleId }) => articleId),
  ).size + site.lost.filter((day) => day === dayOf(now)).length

type Asked = {
  article?: ModelArticle
  way: 'publish' | 'change' | 'down' | 'post'
  target: string
  isSettled?: boolean
  isApproved?: boolean
}

/** Returns the clause that forbids it now, as the concept page of policies says; null if none does. */
export const ruleOf = (site: ModelSite, now: number, asked: Asked): PolicyRule | null => {
  const { policy } = site
  const { article, way, target, isSettled = false, isApproved = false } = asked
  if (policy.frozen) return 'frozen'
  if (policy.allowed_targets !== null && !policy.allowed_targets.some((one) => one === target)) return 'allowed_targets'
  if (isQuiet(policy, now)) return 'quiet_hours'
  if (way === 'down' || isSettled) return null
  const most = policy.max_publications_per_day
  if (way === 'publish' && most !== null && placesTaken(site, now, article?.id) >= most)
    return 'max_publications_per_day'
  const isNew = way === 'post' || (way === 'publish' && article?.earlier.size === 0)
  const asks = policy.needs_approval === 'every' || (policy.needs_approval === 'first' && isNew)
  return asks && !isApproved ? 'needs_approval' : null
}

/** Returns the work of an article that should go out by itself now. */
export const wantOf = (article: ModelArticle, now: number): Want | undefined => {
  const { status, queued, asked, due, isSpent } = article
  const isApproved = article.approved === article.title
  if (queued !== null) return { kind: queued, isApproved }
  if (status === 'Planned' && asked === null && !isSpent && due !== null && due <= now)
    return { kind: 'date', isApproved }
  return undefined
}

/** Returns the clause that forbids the work of an article. */
export const ruleOfWant = (site: ModelSite, now: number, article: ModelArticle, want: Want): PolicyRule | null =>
  ruleOf(site, now, {
    article,
    way: want.kind === 'change' ? 'change' : 'publish',
    target: site.target,
    isSettled: want.kind === 'retry',
    isApproved: want.isApproved,
  })

/** Notes that an article went out. */
export const goesOut = (
  site: ModelSite,
  now: number,
  article: ModelArticle,
  way: 'publish' | 'change',
  isSettled = false,
) => {
  if (way === 'publish' && !isSettled) site.places.push({ day: dayOf(now), articleId: article.id })
  article.status = 'Published'
  article.shown = article.title
  article.earlier.add(article.title)
  article.taken += 1
  article.queued = null
  article.asked = null
  article.approved = null
  article.isSpent = false
}

/** Notes that an article was deleted: each of its publications keeps its place. */
export const isGone = (site: ModelSite, { id }: ModelArticle): void => {
  site.lost.push(...site.places.filter(({ articleId }) => articleId === id).map(({ day }) => day))
  site.places = site.places.filter(({ articleId }) => articleId !== id)
}

/** Notes that an article failed: its date sends it only if it is still to come. */
export const spend = (article: ModelArticle, now: number): void => {
  article.queued = null
  article.isSpent = article.due !== null && article.due <= now
}

/** Notes that the publication of an article failed for good, which gives its place back. */
export const gaveUp = (site: ModelSite, article: ModelArticle, now: number): void => {
  const last = site.places.findLastIndex(({ articleId }) => articleId === article.id)
  site.places = site.places.filter((_, n) => n !== last)
  spend(article, now)
}

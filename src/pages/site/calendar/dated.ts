import { wallTime } from '../../../platform/lib/time.ts'
import type { PagesContext } from '../../front.tsx'
import type { Site } from '../../shell-queries.ts'
import { mayHere } from '../../zone.ts'
import type { Listed, Placed, PlacedPost, PlanConditions } from '../queries.ts'
import { type KindWords, kindOf, kindWords, plannedOf } from '../states.tsx'

/** An article with a date, as the calendar shows it. */
export type Dated = {
  article: Placed
  day: string
  time: string
  words: KindWords | undefined
  /** Name of its site, where those of several are shown. */
  siteName?: string
}

/** True if who looks at the page may give the article another date. */
export const isMovable = ({ status, publish_state, being_written }: Listed): boolean =>
  mayHere('edit') && (status === 'Planned' || status === 'Draft') && publish_state !== 'publishing' && !being_written

/** True for an article that waits for its date, of which it can be said what the date brings. */
export const isPlanned = ({
  status,
  publish_state,
  being_written,
}: Pick<Listed, 'status' | 'publish_state' | 'being_written'>): boolean =>
  status === 'Planned' && publish_state === 'idle' && !being_written

export const datedOf = (c: PagesContext, article: Placed, site: Site, conditions: PlanConditions): Dated => {
  const wall = wallTime(new Date(article.at), site.zone)
  return {
    article,
    day: wall.slice(0, 10),
    time: wall.slice(11, 16),
    words: isPlanned(article) ? kindWords(kindOf(c, plannedOf(article), conditions), conditions) : undefined,
  }
}

/** A post on a network, as the calendar shows it. */
export type DatedPost = { post: PlacedPost; day: string; time: string; network: string; siteName?: string }

const SPELT: Partial<Record<PlacedPost['platform'], string>> = {
  googlebusiness: 'Google Business',
  linkedin: 'LinkedIn',
  tiktok: 'TikTok',
  youtube: 'YouTube',
}

export const datedPostOf = (post: PlacedPost, { zone }: Site): DatedPost => {
  const wall = wallTime(new Date(post.at), zone)
  const network = SPELT[post.platform] ?? post.platform.charAt(0).toUpperCase() + post.platform.slice(1)
  return { post, day: wall.slice(0, 10), time: wall.slice(11, 16), network }
}

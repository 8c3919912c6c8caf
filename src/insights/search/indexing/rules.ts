import type { IndexFacts, IndexState } from '../../../../schema/values/indexing.ts'
import { DAY_MS, wallTime } from '../../../platform/lib/time.ts'
import { pageKey } from '../../../platform/lib/urls.ts'
import { ZONE } from '../rules.ts'

/** Days after publication at which Google is asked about an article. */
export const LOOK_DAYS = [1, 3, 7, 14, 28] as const

/** Inspections of a property that Google allows a day are 2,000. The clock leaves some of them for calls. */
export const MOST_A_DAY = { byClock: 1_800, byCall: 1_950 } as const

/** Returns the day on which Google counts an inspection now. */
export const quotaDay = (now: Date): string => wallTime(now, ZONE).slice(0, 10)

const BLOCKED = ['BLOCKED_BY_META_TAG', 'BLOCKED_BY_HTTP_HEADER', 'BLOCKED_BY_ROBOTS_TXT']
const READABLE = ['SUCCESSFUL', 'PAGE_FETCH_STATE_UNSPECIFIED']

const isElsewhere = (canonical: string | null, asked: string): boolean => {
  const [one, other] = [URL.parse(canonical ?? ''), URL.parse(asked)]
  return one !== null && other !== null && pageKey(one) !== pageKey(other)
}

/**
 * Returns the state of a page from Google's answer.
 *
 * Google's enums decide. Its words decide only between pages that it never read, because they may change at any time.
 */
export const stateOf = (facts: IndexFacts, asked: string): IndexState => {
  const { robots, indexing, fetch, verdict, coverage } = facts
  if (robots === 'DISALLOWED' || fetch === 'BLOCKED_ROBOTS_TXT' || BLOCKED.includes(indexing ?? '')) return 'blocked'
  if (verdict === 'PASS') return 'indexed'
  if (isElsewhere(facts.google_canonical, asked)) return 'canonical_elsewhere'
  if (fetch !== null && !READABLE.includes(fetch)) return 'unreachable'
  if (facts.crawled_at !== null) return verdict === 'NEUTRAL' ? 'crawled' : 'other'
  if (/unknown to google/i.test(coverage ?? '')) return 'unknown'
  return /^discovered\b/i.test(coverage ?? '') ? 'discovered' : 'other'
}

/** Returns the states that count as the state after 7 and after 28 days, if the look is in those days. */
export const statesAfter = (state: IndexState, base: Date, now: Date) => {
  const days = (now.getTime() - base.getTime()) / DAY_MS
  return { after7: days >= 7 && days < 14 ? state : null, after28: days >= 28 && days < 35 ? state : null }
}

/** Days after publication from which a first look is no news. */
const OLD_DAYS = 35

/** True if the first look at an article is reported in the feed. Those of old articles are not: they would fill it. */
export const isNews = (base: Date, now: Date): boolean => now.getTime() - base.getTime() < OLD_DAYS * DAY_MS

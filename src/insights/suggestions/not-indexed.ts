import type { IndexCause } from '../../../schema/values/indexing.ts'
import { causeOf, findingOf } from '../search/indexing/causes.ts'
import type { Unlisted } from '../search/indexing/parts.ts'
import { lastFinalDay, rangeOf, WINDOW_DAYS } from '../search/rules.ts'
import type { Opportunity } from './detect.ts'

/** Most articles that Google does not list in one run: the newest. */
export const UNLISTED = 50

/** Days after publication before which Google often has not come to a new page. */
const PATIENCE_DAYS = 14

/** States in which waiting does not help. */
const AT_ONCE = ['blocked', 'canonical_elsewhere', 'unreachable']

/** Causes that another text can mend. The others are at the site, or in other articles. */
const BY_TEXT: readonly (IndexCause | null)[] = ['thin', 'duplicate', null]

/** True if a rewrite of the article may make Google list it. */
export const helpsByText = (cause: IndexCause | null): boolean => BY_TEXT.includes(cause)

const NONE = { clicks: 0, impressions: 0, position: null }

/** Finds articles that Google does not list: at once if it is kept from them, others after two weeks. */
export const detectUnlisted = (pages: readonly Unlisted[], now: Date): Opportunity[] =>
  pages
    .filter(({ state, days }) => AT_ONCE.includes(state) || days >= PATIENCE_DAYS)
    .map((page) => {
      const { start_date: startsOn, end_date: endsOn, days } = rangeOf(lastFinalDay(now), WINDOW_DAYS)
      const { coverage, crawled_at: readAt, google_canonical: canonical } = page.facts
      const cause = causeOf(page)
      return {
        articleId: page.id,
        type: 'not_indexed',
        priority: AT_ONCE.includes(page.state) ? 80 : 50,
        reason: `Google does not list the page${coverage === null ? '' : ` (“${coverage}”)`}, ${page.days} days after publication. ${findingOf(page)}`,
        trigger: {
          page: page.url,
          period: { starts_on: startsOn, ends_on: endsOn, days },
          now: NONE,
          before: null,
          queries: [],
          other_page: null,
          last_year: null,
          expected_clicks: 0,
          index: {
            state: page.state,
            cause,
            google_says: coverage,
            last_crawl_at: readAt,
            google_canonical: canonical,
          },
        },
      }
    })

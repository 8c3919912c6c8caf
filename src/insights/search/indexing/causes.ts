import type { IndexCause } from '../../../../schema/values/indexing.ts'
import { pageKey } from '../../../platform/lib/urls.ts'
import type { Unlisted } from './parts.ts'

const isOther = (address: string | null, url: string): boolean => {
  const [one, other] = [URL.parse(address ?? '', url), URL.parse(url)]
  return address !== null && one !== null && other !== null && pageKey(one) !== pageKey(other)
}

/** Returns the cause that our own checks find for a page that Google does not list; null if they find none. */
export const causeOf = (page: Unlisted): IndexCause | null => {
  const { facts, state, url } = page
  if (facts.robots === 'DISALLOWED' || facts.fetch === 'BLOCKED_ROBOTS_TXT') return 'robots'
  if (state === 'blocked' || page.noindex) return 'noindex'
  if (state === 'unreachable' || (page.http_status !== null && page.http_status !== 200)) return 'unreachable'
  if (isOther(page.canonical, url)) return 'canonical'
  if (state === 'canonical_elsewhere' || page.like !== null) return 'duplicate'
  if (page.thin) return 'thin'
  return page.orphan ? 'orphan' : null
}

const FINDINGS: Record<IndexCause, (page: Unlisted) => string> = {
  robots: () => 'The robots.txt of the site forbids Google to read it. Allow its path for Googlebot.',
  noindex: () => 'The page or its headers say noindex. Remove it at the site, often in its SEO plugin.',
  unreachable: ({ facts, http_status: status }) =>
    `${facts.fetch !== null && facts.fetch !== 'SUCCESSFUL' ? `Google could not read the page (${facts.fetch}).` : `The page answers with ${status}.`} It must answer with 200 to everyone.`,
  canonical: ({ canonical }) =>
    `The page names another address as canonical (${canonical}). Only that one can be listed.`,
  duplicate: ({ like, facts }) =>
    like !== null
      ? `Its text is nearly that of “${like}”. Merge the two, or make one of them different.`
      : `Google takes it for a copy of ${facts.google_canonical} and lists that one. Make the two different.`,
  thin: () => 'It has less than half of the usual words. Say more, or merge it into another article.',
  orphan: () =>
    'No other article or page of the site that we know links to it. Link to it from articles on the same subject.',
}

const UNKNOWN =
  'Our own checks find no cause. Google often takes weeks; links from other pages and a more useful text help.'

/** Returns the finding about a page that Google does not list, with what to do, in words. */
export const findingOf = (page: Unlisted): string => {
  const cause = causeOf(page)
  return cause === null ? UNKNOWN : FINDINGS[cause](page)
}

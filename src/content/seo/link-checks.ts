import { type Check, counted, named } from './finding.ts'
import { hostOf, isBelow, isOnDomain, sortLinks } from './links.ts'
import type { SeoExpectations } from './report.ts'
import { MIN_CITATIONS } from './rules.ts'

export const internalLinks: Check = (document, given) => {
  const { internal } = sortLinks(document, given.siteKey)
  if (internal.size >= given.internalLinks) return null
  return {
    message: `${counted(internal.size, 'page')} of your own site ${internal.size === 1 ? 'is' : 'are'} linked; the project asks for ${given.internalLinks}.`,
    fix: 'Link to related pages of the site; GET /internal-links proposes some.',
  }
}

export const brokenInternalLinks: Check = (document, { knownPages, siteKey }) => {
  const { internal } = sortLinks(document, siteKey)
  if (knownPages === null || internal.size === 0) return 'not_applicable'
  const broken = [...internal].filter((key) => key !== siteKey && key !== hostOf(siteKey) && !knownPages.has(key))
  if (broken.length === 0) return null
  return {
    message: `${counted(broken.length, 'internal link leads', 'internal links lead')} to no known page of the site: ${named(broken)}.`,
    fix: 'Correct the address or take the link out.',
  }
}

export const exchangeLinks: Check = (document, { exchangeSites, siteKey }) => {
  if (exchangeSites.length === 0) return 'not_applicable'
  const { external } = sortLinks(document, siteKey)
  const missing = exchangeSites.filter((site) => ![...external].some((key) => isBelow(key, site)))
  if (missing.length === 0) return null
  return {
    message: `The article does not link to ${counted(missing.length, 'partner')} of the exchange: ${named(missing)}.`,
    fix: 'Place every partner link of the article’s brief, anchored with the business name.',
  }
}

const isCompetitor = (key: string, { competitors }: SeoExpectations): boolean =>
  competitors.some((domain) => isOnDomain(key, domain))

export const competitorLinks: Check = (document, given) => {
  if (given.competitors.length === 0) return 'not_applicable'
  const linked = [...sortLinks(document, given.siteKey).external].filter((key) => isCompetitor(key, given))
  if (linked.length === 0) return null
  return {
    message: `The article links to ${counted(linked.length, 'page')} of a competitor: ${named(linked)}.`,
    fix: 'Take the link out or cite another source.',
  }
}

export const citations: Check = (document, given) => {
  const own = hostOf(given.siteKey)
  const sources = [...sortLinks(document, given.siteKey).external].filter(
    (key) =>
      !isOnDomain(key, own) && !isCompetitor(key, given) && !given.exchangeSites.some((site) => isBelow(key, site)),
  )
  if (sources.length >= MIN_CITATIONS) return null
  return {
    message: `${counted(sources.length, 'external source')} ${sources.length === 1 ? 'is' : 'are'} linked; at least ${MIN_CITATIONS} are wanted.`,
    fix: 'Link claims to the sources they come from.',
  }
}

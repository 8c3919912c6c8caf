import { createHash } from 'node:crypto'
import { keptIn } from '../kept.ts'
import { type Answer, json } from '../receiver/answers.ts'

/** `indexStatusResult` of an inspection, as Google documents it. */
export type IndexStatus = Record<string, unknown>

const DAY_MS = 86_400_000

const ALLOWED = {
  robotsTxtState: 'ALLOWED',
  indexingState: 'INDEXING_ALLOWED',
  pageFetchState: 'SUCCESSFUL',
  crawledAs: 'MOBILE',
}

/** Returns a number from 0 to 99 for an address; the same each time. */
const shareOf = (url: string): number => createHash('sha256').update(url).digest().readUInt16BE(0) % 100

/** Returns what Google knows of an address that nobody told about: most are listed, some only read or heard of. */
const usual = (url: string, now: number): IndexStatus => {
  const share = shareOf(url)
  const crawled = { ...ALLOWED, lastCrawlTime: new Date(now - 2 * DAY_MS).toISOString() }
  if (share < 80)
    return {
      ...crawled,
      verdict: 'PASS',
      coverageState: 'Submitted and indexed',
      googleCanonical: url,
      userCanonical: url,
      sitemap: [new URL('/sitemap.xml', url).href],
      referringUrls: [new URL('/', url).href],
    }
  if (share < 90) return { ...crawled, verdict: 'NEUTRAL', coverageState: 'Crawled - currently not indexed' }
  return { verdict: 'NEUTRAL', coverageState: 'Discovered - currently not indexed' }
}

/** Words of another language than English. Google translates them, so that they cannot be compared. */
const TRANSLATED = 'Gesendet und indexiert'

type Saved = { told: Record<string, IndexStatus>; sitemaps: Record<string, Record<string, unknown>[]> }

/** Opens what the stand-in has in its index: `told` sets the answer for an address, `watch` the sitemaps of a property. */
export const openIndex = (now: () => number, dir?: string) => {
  const { data: saved, save } = keptIn<Saved>(dir, 'google-index.json', { told: {}, sitemaps: {} })
  return {
    tell: (url: string, result: IndexStatus) => {
      saved.told[url] = result
      save()
    },
    watch: (property: string, sitemaps: Record<string, unknown>[]) => {
      saved.sitemaps[property] = sitemaps
      save()
    },
    inspected: (url: string, language: string): Answer => {
      const found = saved.told[url] ?? usual(url, now())
      const result = language.startsWith('en') ? found : { ...found, coverageState: TRANSLATED }
      return json(200, {
        inspectionResult: {
          inspectionResultLink: `https://search.google.com/search-console/inspect?id=${encodeURIComponent(url)}`,
          indexStatusResult: result,
        },
      })
    },
    sitemaps: (property: string): Answer => {
      const known = saved.sitemaps[property]
      return json(200, known && known.length > 0 ? { sitemap: known } : {})
    },
  }
}

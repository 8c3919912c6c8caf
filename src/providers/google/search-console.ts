import * as z from 'zod/mini'
import type { IndexFacts, WatchedSitemap } from '../../../schema/values/indexing.ts'
import type { Result, SearchConsole } from '../../insights/search/port.ts'
import { clip, storableText } from '../../platform/lib/text.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import type { GoogleSettings } from '../../platform/runtime/provider-env.ts'
import { type Answered, callGoogle, failureOf, googleTokens } from './http.ts'

const READING = {
  scope: 'https://www.googleapis.com/auth/webmasters.readonly',
  needed: 'https://www.googleapis.com/auth/webmasters',
  unticked: 'The box for Search Console was not ticked on Google’s page.',
}

const Sites = z.object({
  siteEntry: z._default(z.array(z.object({ siteUrl: z.string(), permissionLevel: z._default(z.string(), '') })), []),
})

/** Google's guide spells the first incomplete day with underscores, its discovery document without. */
const Metadata = z.object({
  firstIncompleteDate: z.optional(z.string()),
  first_incomplete_date: z.optional(z.string()),
})

const Rows = z.object({
  metadata: z.optional(Metadata),
  rows: z._default(
    z.array(
      z.object({
        keys: z._default(z.array(z.string()), []),
        clicks: z._default(z.number(), 0),
        impressions: z._default(z.number(), 0),
        ctr: z._default(z.number(), 0),
        position: z._default(z.number(), 0),
      }),
    ),
    [],
  ),
})

const words = () => z._default(z.nullable(z.string()), null)

/** Any part may be absent: `googleCanonical` of a page that is not listed, `lastCrawlTime` of one that was never read. */
const IndexStatus = z.object({
  verdict: words(),
  coverageState: words(),
  robotsTxtState: words(),
  indexingState: words(),
  pageFetchState: words(),
  lastCrawlTime: words(),
  googleCanonical: words(),
  userCanonical: words(),
  referringUrls: z._default(z.array(z.string()), []),
})

const Inspected = z.object({
  inspectionResult: z.object({
    inspectionResultLink: words(),
    indexStatusResult: z._default(IndexStatus, IndexStatus.parse({})),
  }),
})

/** Numbers of 64 bits come as texts. */
const number = () => z._default(z.coerce.number(), 0)

const Sitemaps = z.object({
  sitemap: z._default(
    z.array(
      z.object({
        path: z.string(),
        type: words(),
        lastSubmitted: words(),
        lastDownloaded: words(),
        isPending: z._default(z.boolean(), false),
        errors: number(),
        warnings: number(),
        contents: z._default(z.array(z.object({ submitted: number() })), []),
      }),
    ),
    [],
  ),
})

/** Longest text of an answer that is kept. */
const MAX_WORDS = 2_000
/** Most sitemaps that are kept. */
const MAX_SITEMAPS = 100

const kept = (text: string | null): string | null => (text === null ? null : storableText(clip(text, MAX_WORDS)))

/** Returns an instant as the service writes it; null if Google's is absent or no date. */
const instantOf = (text: string | null): string | null => {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

const factsOf = ({ inspectionResult }: z.infer<typeof Inspected>, isSandbox: boolean): IndexFacts => {
  const { inspectionResultLink: link, indexStatusResult: found } = inspectionResult
  return {
    coverage: kept(found.coverageState),
    verdict: kept(found.verdict),
    robots: kept(found.robotsTxtState),
    indexing: kept(found.indexingState),
    fetch: kept(found.pageFetchState),
    crawled_at: instantOf(found.lastCrawlTime),
    google_canonical: kept(found.googleCanonical),
    user_canonical: kept(found.userCanonical),
    link: kept(link),
    referring: found.referringUrls.length,
    ...(isSandbox ? { sandbox: true } : {}),
  }
}

const sitemapOf = (one: z.infer<typeof Sitemaps>['sitemap'][number]): WatchedSitemap => ({
  path: kept(one.path) ?? '',
  type: kept(one.type),
  submitted_at: instantOf(one.lastSubmitted),
  read_at: instantOf(one.lastDownloaded),
  is_pending: one.isPending,
  errors: one.errors,
  warnings: one.warnings,
  addresses: one.contents.length === 0 ? null : one.contents.reduce((sum, { submitted }) => sum + submitted, 0),
})

/** Returns the Search Console filter for pages of a website: both protocols, with and without `www.`, below its path. */
const filterOf = (within: string) => {
  if (within === '') return {}
  const { hostname, port, pathname } = new URL(within)
  const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const host = `${literal(hostname.replace(/^www\./, ''))}${port === '' ? '' : `:${port}`}`
  const expression = `^https?://(www\\.)?${host}${literal(pathname.replace(/\/$/, ''))}([/?#]|$)`
  return { dimensionFilterGroups: [{ filters: [{ dimension: 'page', operator: 'includingRegex', expression }] }] }
}

const read = <T>(answer: Result<Answered>, schema: z.ZodMiniType<T>): Result<T> => {
  if ('failure' in answer) return answer
  if (answer.ok.status !== 200) return { failure: failureOf(answer.ok) }
  const parsed = schema.safeParse(answer.ok.body)
  return parsed.success
    ? { ok: parsed.data }
    : { failure: { kind: 'away', status: 200, message: 'Google’s answer is not readable.', retryAfter: 60 } }
}

/** Returns the Search Console API (https://developers.google.com/webmaster-tools/v1/api_reference_index), read only. */
export const googleSearchConsole = (deps: Pick<Deps, 'outbound'>, settings: GoogleSettings): SearchConsole => {
  const root = `${settings.searchConsoleUrl}/webmasters/v3`
  const analyticsOf = (property: string): string =>
    `${root}/sites/${encodeURIComponent(property)}/searchAnalytics/query`
  return {
    ...googleTokens(deps, settings, READING),
    isConfigured: settings.clientId !== '' && settings.clientSecret !== '',
    isSandbox: settings.isSandbox,
    properties: async (token) => {
      const sites = read(await callGoogle(deps, { url: `${root}/sites`, method: 'GET', token }), Sites)
      if ('failure' in sites) return sites
      const verified = sites.ok.siteEntry.filter(({ permissionLevel }) => permissionLevel !== 'siteUnverifiedUser')
      return { ok: verified.map(({ siteUrl }) => siteUrl) }
    },
    days: async (token, { property, within, startDate, endDate }) => {
      const json = { startDate, endDate, type: 'web', dataState: 'all', dimensions: ['date'], ...filterOf(within) }
      const rows = read(await callGoogle(deps, { url: analyticsOf(property), method: 'POST', token, json }), Rows)
      if ('failure' in rows) return rows
      const { firstIncompleteDate, first_incomplete_date } = rows.ok.metadata ?? {}
      return { ok: { rows: rows.ok.rows, firstOpenDay: firstIncompleteDate ?? first_incomplete_date } }
    },
    query: async (token, { property, within, dimensions, ...rest }) => {
      const asked = { ...rest, type: 'web', dataState: 'final', ...filterOf(within) }
      const json = dimensions.length > 0 ? { ...asked, dimensions } : asked
      const rows = read(await callGoogle(deps, { url: analyticsOf(property), method: 'POST', token, json }), Rows)
      return 'failure' in rows ? rows : { ok: rows.ok.rows }
    },
    inspect: async (token, { property, url }) => {
      // Google words the state in the language of the request; only the English words are compared.
      const json = { inspectionUrl: url, siteUrl: property, languageCode: 'en-US' }
      const call = {
        url: `${settings.searchConsoleUrl}/v1/urlInspection/index:inspect`,
        method: 'POST',
        token,
        json,
      } as const
      const found = read(await callGoogle(deps, call), Inspected)
      if ('ok' in found) return { ok: { facts: factsOf(found.ok, settings.isSandbox) } }
      return found.failure.kind === 'invalid' ? { ok: { refused: found.failure.message } } : found
    },
    sitemaps: async (token, property) => {
      const url = `${root}/sites/${encodeURIComponent(property)}/sitemaps`
      const found = read(await callGoogle(deps, { url, method: 'GET', token }), Sitemaps)
      return 'failure' in found ? found : { ok: found.ok.sitemap.slice(0, MAX_SITEMAPS).map(sitemapOf) }
    },
  }
}

import type { IndexFacts, WatchedSitemap } from '../../../schema/values/indexing.ts'
import type { SearchFailure } from '../../../schema/values/search.ts'

/** Failure of Search Console. A `SearchFailure` lasts until a person acts on the project; any other does not. */
export type Failure = {
  kind: SearchFailure | 'unauthorized' | 'quota' | 'away' | 'client'
  status?: number
  /** Google's message, for the caller. */
  message: string
  /** Seconds until the next attempt. */
  retryAfter?: number
}

export type Result<T> = { ok: T } | { failure: Failure }

export type Dimension = 'query' | 'page' | 'date'

/** A query of search analytics. Days are in Pacific time, both included. */
type SearchQuery = {
  property: string
  /** Website whose pages are counted; empty for the whole property. */
  within: string
  startDate: string
  endDate: string
  dimensions: readonly Dimension[]
  rowLimit?: number
  startRow?: number
}

type DaysQuery = Pick<SearchQuery, 'property' | 'within' | 'startDate' | 'endDate'>

/** One row, with its keys in the order of the dimensions. */
export type SearchRow = { keys: readonly string[]; clicks: number; impressions: number; ctr: number; position: number }

/** Totals by day. `firstOpenDay` is the first day that is not final; undefined if Google does not report it. */
export type Days = { rows: SearchRow[]; firstOpenDay: string | undefined }

/** Answer of Google about one address, or the reason that it has none for this address. */
export type Inspection = { facts: IndexFacts } | { refused: string }

export type Access = { accessToken: string; expiresIn: number }

/** Grant of a person: their Google account, and the token that gives access without them. */
export type Grant = Access & { refreshToken: string; sub: string; email: string }

/** A stored grant of a customer, and the time at which it was given. */
export type GivenGrant = { refreshToken: string; grantedAt: Date }

/** Client of Search Console and of Google's consent. It returns Google's errors as results and does not throw them. */
export type SearchConsole = {
  /** True if this service has an OAuth client at Google. */
  isConfigured: boolean
  /** True if a local stand-in makes up the data. */
  isSandbox: boolean
  /** Origin to which our forms may redirect, for the content security policy of the page. */
  consentOrigin: string
  /** Returns the address of Google's consent page. `challenge`: PKCE, S256 (RFC 7636). */
  consentUrl: (asked: { redirectUri: string; state: string; challenge: string }) => string
  exchange: (given: { code: string; verifier: string; redirectUri: string }) => Promise<Result<Grant>>
  refresh: (refreshToken: string) => Promise<Result<Access>>
  revoke: (refreshToken: string) => Promise<Result<true>>
  /** Returns the properties that the account may read. */
  properties: (accessToken: string) => Promise<Result<string[]>>
  /** Returns totals by day, including days that are not final. */
  days: (accessToken: string, query: DaysQuery) => Promise<Result<Days>>
  query: (accessToken: string, query: SearchQuery) => Promise<Result<SearchRow[]>>
  /** Returns what Google's index has of an address of a property. Google reads the page at other times, not now. */
  inspect: (accessToken: string, of: { property: string; url: string }) => Promise<Result<Inspection>>
  /** Returns the sitemaps of a property that Google knows. */
  sitemaps: (accessToken: string, property: string) => Promise<Result<WatchedSitemap[]>>
}

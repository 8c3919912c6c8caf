import type { SearchFailure } from '../../../schema/values/search.ts'

/** Failure of Search Console: until a person acts (`SearchFailure`), or for now. */
export type Failure = {
  kind: SearchFailure | 'unauthorized' | 'quota' | 'away' | 'client'
  status?: number
  /** Message of Google, for the caller. */
  message: string
  /** Seconds until the next attempt. */
  retryAfter?: number
}

export type Result<T> = { ok: T } | { failure: Failure }

export type Dimension = 'query' | 'page' | 'date'

/** A query of search analytics. Days are in Pacific time, both included. */
type SearchQuery = {
  property: string
  /** Only pages of this website count; empty: all of the property. */
  within: string
  startDate: string
  endDate: string
  dimensions: readonly Dimension[]
  rowLimit?: number
  startRow?: number
}

type DaysQuery = Pick<SearchQuery, 'property' | 'within' | 'startDate' | 'endDate'>

/** One row: its keys in the order of the dimensions. */
export type SearchRow = { keys: readonly string[]; clicks: number; impressions: number; ctr: number; position: number }

/** Totals by day, and the first day that Google has not finished; undefined if Google does not say. */
export type Days = { rows: SearchRow[]; firstOpenDay: string | undefined }

export type Access = { accessToken: string; expiresIn: number }

/** Grant of a person: who it was, and the token that gives access without them. */
export type Grant = Access & { refreshToken: string; sub: string; email: string }

/** A customer's grant as it is kept, and the time at which it was given. */
export type GivenGrant = { refreshToken: string; grantedAt: Date }

/** Search Console, and how people give access to it. Nothing here throws for what Google answers. */
export type SearchConsole = {
  /** True if this service has a client at Google at all. */
  isConfigured: boolean
  /** The data are made up by the local stand-in. */
  isSandbox: boolean
  /** Origin to which our forms may lead, for the page's content security policy. */
  consentOrigin: string
  /** Google's consent page. `challenge`: PKCE, S256 (RFC 7636). */
  consentUrl: (asked: { redirectUri: string; state: string; challenge: string }) => string
  exchange: (given: { code: string; verifier: string; redirectUri: string }) => Promise<Result<Grant>>
  refresh: (refreshToken: string) => Promise<Result<Access>>
  revoke: (refreshToken: string) => Promise<Result<true>>
  /** The properties the account may read. */
  properties: (accessToken: string) => Promise<Result<string[]>>
  /** Returns totals by day, fresh ones included. */
  days: (accessToken: string, query: DaysQuery) => Promise<Result<Days>>
  query: (accessToken: string, query: SearchQuery) => Promise<Result<SearchRow[]>>
}

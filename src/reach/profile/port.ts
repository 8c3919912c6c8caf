import type { DirectAccount, Got } from '../social/port.ts'

/** A reply to a review. `state` is what Google says of it, where it says anything. */
type Reply = { message: string; updatedAt: string | null; state: string | null }

export type Review = {
  id: string
  reviewer: string
  /** 1 to 5; null where Google sends none. */
  rating: number | null
  comment: string | null
  createdAt: string | null
  updatedAt: string | null
  reply: Reply | null
}

export type ReviewPage = {
  reviews: Review[]
  next: string | null
  averageRating: number | null
  total: number | null
}

/** Numbers of one metric: the sum, and what each day had. */
export type Metric = { total: number; days: readonly { date: string; value: number }[] }

/** Result of sending a reply. `unknown`: it may have arrived, and only reading the review can tell. */
export type ReplyOutcome =
  | { kind: 'done' }
  | { kind: 'refused'; reason: string; status?: number; retryable: boolean; retryAfterS?: number }
  | { kind: 'unknown'; reason: string }

/** A business profile at Google, one location. Never throws for what the other side does. */
export type BusinessProfile = {
  /** Newest first, at most `size` (1 to 50). */
  reviews: (page: { token: string | null; size: number }) => Promise<Got<ReviewPage>>
  /** Undefined if there is no such review. */
  review: (id: string) => Promise<Got<Review | undefined>>
  reply: (id: string, message: string) => Promise<ReplyOutcome>
  removeReply: (id: string) => Promise<ReplyOutcome>
  /** By the names Google's performance API has for them. Days in UTC, `YYYY-MM-DD`, both included. */
  metrics: (from: string, to: string) => Promise<Got<Readonly<Record<string, Metric>>>>
}

/** Opens profiles by the way their account is connected. */
export type Profiles = {
  /** Through the social provider; undefined if there is none. */
  provided: (accountId: string) => BusinessProfile | undefined
  /** By Google's own API, with the grant of its owner. */
  direct: (account: DirectAccount) => BusinessProfile
}

/** A location that a Google account manages. `name` is `accounts/A/locations/L`. */
export type Location = { name: string; title: string; address: string; url: string }

/** Grant of a person, and the person's identity. */
type Grant = { accessToken: string; expiresIn: number; refreshToken: string; sub: string; email: string }

/** Consent of people to the use of their business profiles at Google. Never throws for an answer of Google. */
export type BusinessConsent = {
  /** True if this service has a client at Google at all. */
  isConfigured: boolean
  /** The local stand-in answers instead of Google. */
  isSandbox: boolean
  /** Origin of Google's page, to which forms may lead. */
  origin: string
  /** Google's page of consent. `challenge`: PKCE, S256 (RFC 7636). */
  url: (asked: { redirectUri: string; state: string; challenge: string }) => string
  exchange: (given: { code: string; verifier: string; redirectUri: string }) => Promise<Got<Grant>>
  locations: (accessToken: string) => Promise<Got<Location[]>>
}

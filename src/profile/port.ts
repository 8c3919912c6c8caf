import type { Got } from '../social/port.ts'

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

/** What sending a reply came to. `unknown`: it may be there, and only reading the review tells. */
export type ReplyOutcome =
  | { kind: 'done' }
  | { kind: 'refused'; reason: string; status?: number; retryable: boolean; retryAfterS?: number }
  | { kind: 'unknown'; reason: string }

/** A business profile at Google, one location. Never throws for what the other side does. */
export type BusinessProfile = {
  /** Newest first, at most `size` (1 to 50). */
  reviews: (page: { token: string | null; size: number }) => Promise<Got<ReviewPage>>
  /** Undefined where there is no such review. */
  review: (id: string) => Promise<Got<Review | undefined>>
  reply: (id: string, message: string) => Promise<ReplyOutcome>
  removeReply: (id: string) => Promise<ReplyOutcome>
  /** By the names Google's performance API has for them. Days in UTC, `YYYY-MM-DD`, both included. */
  metrics: (from: string, to: string) => Promise<Got<Readonly<Record<string, Metric>>>>
}

/** Opens the profile of an account at the social provider; undefined where there is no provider. */
export type Profiles = (accountId: string) => BusinessProfile | undefined

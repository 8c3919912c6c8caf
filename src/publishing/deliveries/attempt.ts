import type { PublishRequest, TargetAnswer } from '../target/publish-target.ts'

/** One attempt to put an article at a target: what it sends, and the rows its end is written to. */
export type Attempt = {
  accountId: number
  projectId: number
  /** The target it goes to. */
  integrationId: number
  platform: string
  /** The article that is sent; null when it was deleted since. */
  articleId: number | null
  /** The delivery this one repeats. A replay leaves its article as it is. */
  replayOf: number | null
  deliveryId: number
  /** Number of the attempt of the delivery, from 1. */
  number: number
  /** Until when it holds delivery and article. Its end changes nothing that is held until later. */
  lease: Date
  /** Written by its claim into the article, and by no other. */
  token: string
  /** Number of the attempts before that only asked if the post exists. */
  lookups: number
  /** The article's revision that is sent. */
  revision: number
  live: boolean
  request: PublishRequest
  /** True if its end takes the project's next late article: the clock sent this one, in no job that goes on with the next. */
  claimsNext: boolean
}

/** Attempt fields needed to record its outcome: its delivery and number, and the rows it has a lease on. */
export type HeldAttempt = Pick<Attempt, 'accountId' | 'projectId' | 'integrationId' | 'deliveryId' | 'number' | 'lease'>

/** An attempt before it is claimed. */
export type NewAttempt = Omit<Attempt, 'deliveryId' | 'number' | 'lookups'>

/** Recorded end of an attempt. */
export type Ending = {
  status: 'delivered' | 'retrying' | 'unknown' | 'failed'
  error: string | null
  /** Time at which it is tried or asked again; null when that is over. */
  nextAt: Date | null
  /** Null when the target was only asked whether it has the post. */
  durationMs: number | null
  answer: TargetAnswer
  /** Sentences on what the target did in another way than asked. */
  warnings: readonly string[]
}

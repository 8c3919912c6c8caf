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
  /** Which attempt of the delivery this is, from 1. */
  number: number
  /** Until when it holds delivery and article. Its end changes nothing that is held until later. */
  lease: Date
  /** How many of the attempts before only asked whether the post is there. */
  lookups: number
  /** The article's revision that is sent. */
  revision: number
  live: boolean
  request: PublishRequest
  /** Whether its end takes the project's next late article: the clock sent this one, in no job that goes on with the next. */
  takesNext: boolean
}

/** What of an attempt its end is known by: its delivery and number, and the rows it holds. */
export type HeldAttempt = Pick<Attempt, 'accountId' | 'projectId' | 'integrationId' | 'deliveryId' | 'number' | 'lease'>

/** An attempt before it is claimed. */
export type NewAttempt = Omit<Attempt, 'deliveryId' | 'number' | 'lookups'>

/** How an attempt ended, as it is written down. */
export type Ending = {
  status: 'delivered' | 'retrying' | 'unknown' | 'failed'
  error: string | null
  /** When it is tried or asked again; null when that is over. */
  nextAt: Date | null
  /** Null when the target was only asked whether it has the post. */
  durationMs: number | null
  answer: TargetAnswer
}

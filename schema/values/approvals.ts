/** Things that a person can be asked to approve. */
export const APPROVAL_KINDS = ['publish', 'sync', 'suggestion', 'social_post', 'review_reply', 'crowdwork'] as const
export type ApprovalKind = (typeof APPROVAL_KINDS)[number]

/** `used`: what was approved is on its way or out. `superseded`: content or target changed, so that it is asked again. */
export const APPROVAL_STATUSES = ['awaiting', 'approved', 'returned', 'expired', 'superseded', 'used'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

/** Statuses in which an approval can still let something out. */
export const OPEN_APPROVAL_STATUSES = ['awaiting', 'approved'] as const satisfies ApprovalStatus[]

/** Content that is published once it is approved, as a person reads it. */
export type Proposed = {
  title: string
  /** The text: HTML of an article, else plain text. */
  body: string
  format: 'html' | 'text'
  /** Everything else that goes out with it, by its name for people. */
  fields: Record<string, string>
}

import type { ApprovalKind } from '../../../schema/values/approvals.ts'
import type { Mail } from '../people/mail.ts'

const WHAT: Record<ApprovalKind, string> = {
  publish: 'An article is ready to be published',
  sync: 'A change of a live article is ready to be sent',
  suggestion: 'A rewrite of a live article is ready to be published',
  rollback: 'An earlier version of a live article is ready to be put back',
  replay: 'A delivery is ready to be sent again',
  social_post: 'A social post is ready to go out',
  comment_guide: 'A rule that answers commenters is ready to be set up',
  review_reply: 'A reply to a review is ready to go out',
  crowdwork: 'A crowdwork campaign is ready to begin',
}

/** Approval that waits for a person, as the mail describes it. */
export type Wanted = {
  kind: ApprovalKind
  title: string
  target: string
  /** The difference from what readers see, in plain text. */
  changes: string
  url: string
  expiresAt: Date
}

/** Returns the mail that asks a person to approve something. */
export const approvalWanted = (service: string, to: string, about: Wanted, isReminder = false): Mail => ({
  to,
  subject: `${isReminder ? 'Still waiting: approval' : 'Approval'} wanted: ${about.title || WHAT[about.kind]}`.slice(
    0,
    200,
  ),
  text: `${WHAT[about.kind]}${about.title === '' ? '' : `: ${about.title}`}\nIt goes to: ${about.target}\n\n${about.changes}\n\nNothing goes out before a person approves it. Read it, see what changes, and approve it or send it back with a comment:\n\n${about.url}\n\nIt can be approved until ${about.expiresAt.toISOString().slice(0, 10)}.\n\n${service}`,
})

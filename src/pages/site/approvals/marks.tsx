import type { ApprovalKind, ApprovalStatus } from '../../../../schema/values/approvals.ts'
import { type Mark, MarkPill } from '../parts.tsx'

const STATES: Record<ApprovalStatus, Mark> = {
  awaiting: ['warn', '◇', 'Waits for you'],
  approved: ['accent', '◆', 'Approved'],
  returned: ['plain', '×', 'Sent back'],
  expired: ['bad', '▲', 'Time is over'],
  superseded: ['plain', '□', 'Changed since'],
  used: ['good', '●', 'Sent'],
  failed: ['bad', '▲', 'Could not be sent'],
}

/** Kinds of approvals in words. */
export const KINDS: Record<ApprovalKind, string> = {
  publish: 'Publication',
  sync: 'Change of a live article',
  suggestion: 'Rewrite of a live article',
  rollback: 'Earlier version of a live article',
  replay: 'Repeated delivery',
  social_post: 'Social post',
  comment_guide: 'Rule that answers commenters',
  review_reply: 'Reply to a review',
  crowdwork: 'Crowdwork campaign',
}

/** Returns a target without the path that only programs need: “Webhook at example.com”. */
export const targetWords = (target: string): string => target.replace(/ https?:\/\/([^/\s]+)\S*$/, ' at $1')

export const State = ({ status }: { status: ApprovalStatus }) => <MarkPill mark={STATES[status]} />

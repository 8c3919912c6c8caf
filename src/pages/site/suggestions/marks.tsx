import type { OPPORTUNITY_TYPES, SuggestionState } from '../../../../schema/values/suggestions.ts'
import { type Mark, MarkPill } from '../parts.tsx'

const STATES: Record<SuggestionState, Mark> = {
  pending: ['plain', '□', 'New'],
  approved: ['accent', '…', 'Waits for the writer'],
  rewriting: ['accent', '…', 'Being rewritten'],
  ready: ['accent', '◆', 'Ready'],
  published: ['good', '●', 'Published'],
  rejected: ['plain', '×', 'Rejected'],
  failed: ['bad', '▲', 'Failed'],
  superseded: ['plain', '□', 'Overtaken'],
}

export const TYPES: Record<(typeof OPPORTUNITY_TYPES)[number], string> = {
  striking_distance: 'Within reach of the first page',
  ctr_underperform: 'Seen, but seldom chosen',
  declining_page: 'Loses readers',
  cannibalisation: 'Competes with another page of yours',
  dead_page: 'Nobody finds it',
  thin_content: 'Says too little',
}

export const State = ({ status }: { status: SuggestionState }) => <MarkPill mark={STATES[status]} />

import type { OPPORTUNITY_TYPES, SuggestionState } from '../../../../schema/values/suggestions.ts'
import { loadSuggestion, suggestionDetail } from '../../../insights/suggestions/read.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { ctxOf } from '../../ctx.ts'
import type { PagesContext } from '../../front.tsx'
import { numberIn, type SiteFront, withSite } from '../front.ts'
import { type Mark, MarkPill } from '../parts.tsx'

export type Suggestion = ReturnType<typeof suggestionDetail>
export type Wording = NonNullable<Awaited<ReturnType<typeof loadSuggestion>>['before']>

/** Returns the suggestion in the path with both versions, and its site. Throws `not_found` for a suggestion of another site. */
export const load = async (c: PagesContext, front: SiteFront) => {
  const [site, row] = await withSite(c, loadSuggestion(ctxOf(c, front), numberIn(c, 'suggestion')))
  const one = suggestionDetail(row)
  if (one.project_id !== site.id) throw new ApiError('not_found', 'The suggestion is of another site.')
  return { site, one, before: row.before, after: row.after }
}

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

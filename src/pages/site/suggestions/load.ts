import { loadSuggestion, suggestionDetail } from '../../../insights/suggestions/read.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { ctxOf } from '../../ctx.ts'
import type { PagesContext } from '../../front.tsx'
import { numberIn, type SiteFront, withSite } from '../front.ts'

export type Suggestion = ReturnType<typeof suggestionDetail>
export type Wording = NonNullable<Awaited<ReturnType<typeof loadSuggestion>>['before']>

/** Returns the suggestion that a path names with both wordings, and its site. Throws `not_found` for one of another site. */
export const load = async (c: PagesContext, front: SiteFront) => {
  const [site, row] = await withSite(c, loadSuggestion(ctxOf(c, front), numberIn(c, 'suggestion')))
  const one = suggestionDetail(row)
  if (one.project_id !== site.id) throw new ApiError('not_found', 'The suggestion is of another site.')
  return { site, one, before: row.before, after: row.after }
}

import { ApiError } from '../../../src/lib/errors.ts'
import { ctxOf } from '../../../src/pages/ctx.ts'
import type { PagesContext } from '../../../src/pages/front.tsx'
import { getSuggestion, suggestionDiff } from '../../../src/suggestions/read.ts'
import { numberIn, type SiteFront, withSite } from '../front.ts'

export type Suggestion = Awaited<ReturnType<typeof getSuggestion>>['suggestion']

type Diff = Awaited<ReturnType<typeof suggestionDiff>>

export type Wording = NonNullable<Diff['before']>

export const load = async (c: PagesContext, front: SiteFront) => {
  const [ctx, id] = [ctxOf(c, front), numberIn(c, 'suggestion')]
  const [site, [{ suggestion }, diff]] = await withSite(
    c,
    Promise.all([getSuggestion(ctx, id), suggestionDiff(ctx, id)]),
  )
  if (suggestion.project_id !== site.id) throw new ApiError('not_found', 'The suggestion is of another site.')
  return { site, one: suggestion, diff }
}

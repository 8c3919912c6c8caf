import { raw } from 'hono/html'
import type { OPPORTUNITY_TYPES, SuggestionState } from '../../../../schema/values/suggestions.ts'
import { escapeText } from '../../../content/html/references.ts'
import { differenceOf } from '../../../insights/suggestions/difference.ts'
import { loadSuggestion, suggestionDetail } from '../../../insights/suggestions/read.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { ctxOf } from '../../ctx.ts'
import type { PagesContext } from '../../front.tsx'
import { numberIn, type SiteFront, withSite } from '../front.ts'
import { type Mark, MarkPill } from '../parts.tsx'

/** Suggestion as answers of the API have it. */
export type Suggestion = ReturnType<typeof suggestionDetail>
type Wording = NonNullable<Awaited<ReturnType<typeof loadSuggestion>>['before']>

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
  superseded: ['plain', '□', 'Replaced'],
}

/** Words for the reasons of suggestions. */
export const TYPES: Record<(typeof OPPORTUNITY_TYPES)[number], string> = {
  striking_distance: 'Within reach of the first page',
  ctr_underperform: 'Seen, but seldom chosen',
  declining_page: 'Loses readers',
  cannibalisation: 'Competes with another page of yours',
  dead_page: 'Nobody finds it',
  thin_content: 'Says too little',
  not_indexed: 'Google does not list it',
}

/** Renders the state of a suggestion. */
export const State = ({ status }: { status: SuggestionState }) => <MarkPill mark={STATES[status]} />

const without = (html: string, mark: 'ins' | 'del'): string =>
  html.replace(new RegExp(`<${mark}>[\\s\\S]*?</${mark}>`, 'g'), '')

/** Returns both versions with their differences: removed text marked on the left, added text on the right. */
const sides = (before: string, after: string): [left: string, right: string] => [
  without(differenceOf(after, before).html, 'del').replaceAll('<ins>', '<del>').replaceAll('</ins>', '</del>'),
  without(differenceOf(before, after).html, 'del'),
]

/** Words for the two versions. */
type Names = readonly [before: string, after: string]

const NAMES: Names = ['now', 'proposed']

type Pair = { names?: Names; before: string; after: string }

/** Renders two versions of a plain text side by side, with their differences marked. */
export const Sides = ({ label, names = NAMES, before, after }: Pair & { label: string }) => {
  const [left, right] = sides(escapeText(before), escapeText(after))
  return (
    <div class="compare">
      <div dir="auto">
        <span class="meta">
          {label}, {names[0]}
        </span>
        <p>{raw(left)}</p>
      </div>
      <div dir="auto">
        <span class="meta">
          {label}, {names[1]}
        </span>
        <p>{before === after ? 'stays as it is' : raw(right)}</p>
      </div>
    </div>
  )
}

/** Renders two versions of an article's text side by side, with their differences marked. */
export const TextSides = ({ names = NAMES, before, after }: Pair) => {
  const [left, right] = sides(before, after)
  return (
    <div class="compare">
      <div class="prose" dir="auto">
        <span class="meta">Text, {names[0]}</span>
        {raw(left)}
      </div>
      <div class="prose" dir="auto">
        <span class="meta">Text, {names[1]}</span>
        {raw(right)}
      </div>
    </div>
  )
}

export const Compare = ({
  before,
  after,
  asOne,
  here,
}: {
  before: Wording
  after: Wording
  asOne: boolean
  here: string
}) => {
  const { html, stats } = differenceOf(before.content, after.content)
  return (
    <section class="card">
      <header>
        <h2>What changes</h2>
        <span class="meta">
          {stats.added} words come, {stats.removed} go
        </span>
        <nav class="tabs" aria-label="How to compare">
          <a href={here} aria-current={asOne ? undefined : 'page'}>
            Side by side
          </a>
          <a href={`${here}?compare=one`} aria-current={asOne ? 'page' : undefined}>
            In one
          </a>
        </nav>
      </header>
      <Sides label="Title" before={before.title} after={after.title} />
      <Sides label="Description" before={before.meta_description} after={after.meta_description} />
      {asOne ? (
        <div class="in prose" dir="auto">
          {raw(html)}
        </div>
      ) : (
        <TextSides before={before.content} after={after.content} />
      )}
    </section>
  )
}

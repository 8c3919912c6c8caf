import type { CreditState, PublishState } from '../../../schema/values/articles.ts'
import { isReturned } from '../../accounts/approvals/rules.ts'
import { type PlannedArticle, type PlannedKind, plannedKind } from '../../content/articles/rules.ts'
import { creditFor } from '../../content/articles/turns.ts'
import { showsContent } from '../../content/html/shown.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import type { PagesContext } from '../front.tsx'
import { Pill } from '../parts.tsx'
import { forPeople } from '../words.ts'
import { type Mark, MarkPill } from './parts.tsx'
import type { Listed, PlanConditions } from './queries.ts'

/** Returns the title of an article, else its keyword. */
export const titleOf = ({ title, keyword }: Pick<Listed, 'title' | 'keyword'>): string => title || keyword

/** Planned article with its date. */
export type Dated = PlannedArticle & { id: number; at: Date }

/** Returns what will happen to a planned article, by the account's plan and credits and the site's settings. */
export const kindOf = (c: PagesContext, article: Dated, conditions: PlanConditions): PlannedKind =>
  plannedKind(article, {
    hasWriter: PLAN_INCLUDES[c.get('person').plan].writer,
    credit: creditFor(article, conditions.reach, conditions.now).state,
    hasTarget: conditions.has_target,
    publishes: conditions.publishing_status !== 'Save as Drafts',
  })

/** Returns the facts of a listed article that decide what will happen to it. */
export const plannedOf = (article: Listed): Dated => ({
  ...article,
  at: new Date(article.scheduled_at ?? 0),
  hasContent: showsContent(article.beginning) || article.characters > article.beginning.length,
})

const ON_DATE = {
  'Publish Immediately': 'Goes out',
  'Send as Drafts': 'Is sent to your site as a draft',
  'Save as Drafts': 'Becomes a draft here',
} as const

/** Words, shape and colour for what will happen to a planned article. */
export type KindWords = {
  word: string
  shape: string
  tone: 'accent' | 'plain' | 'warn'
  tile: 'yours' | 'service' | 'stays'
  sentence: string
}

const OBSTACLES = {
  no_site: ['Not connected', 'It will not go out: nothing is connected to publish it to.'],
  falls_short: ['Falls short', 'It will not go out: what the writer made falls short of the rules. Correct it first.'],
  no_text: ['No text yet', 'It will not go out: it has no text, and your plan has no writer.'],
  none_left: [
    'No credit left',
    'It will not go out: it has no text, and no article credit is left for it. Write it yourself, or move it to a later month.',
  ],
  over_budget: [
    'Over the budget',
    'It will not go out: it has no text, and the monthly budget of the site has no article credit left for it. Write it yourself, move it to another month, or raise the budget.',
  ],
} as const

/** Marks of dated articles for which no article credit is left. */
export const OUT_OF_REACH = {
  none_left: ['warn', '▢', OBSTACLES.none_left[0]],
  over_budget: ['warn', '▢', OBSTACLES.over_budget[0]],
} as const satisfies Record<Exclude<CreditState, 'left'>, Mark>

/** Returns the words for what will happen to a planned article. */
export const kindWords = (
  found: PlannedKind,
  { publishing_status }: Pick<PlanConditions, 'publishing_status'>,
): KindWords => {
  const goes = ON_DATE[publishing_status]
  if (found.kind === 'yours')
    return { word: 'Your text', shape: '■', tone: 'accent', tile: 'yours', sentence: `${goes} as saved.` }
  if (found.kind === 'service')
    return found.isWritten
      ? { word: 'Written', shape: '◧', tone: 'accent', tile: 'service', sentence: `${goes} as the service wrote it.` }
      : {
          word: 'Will be written',
          shape: '◧',
          tone: 'accent',
          tile: 'service',
          sentence:
            'The service writes it in the three days before its date. You can still write it yourself until then.',
        }
  const [word, sentence] = OBSTACLES[found.why]
  return { word, shape: '▢', tone: 'warn', tile: 'stays', sentence }
}

/** Renders what will happen to a planned article. */
export const KindPill = ({ words }: { words: KindWords }) => (
  <Pill tone={words.tone} shape={words.shape}>
    {words.word}
  </Pill>
)

type Stated = Pick<Listed, 'status' | 'publish_state' | 'publish_error' | 'being_written'>

/** True if a person sent the article back, and nobody tried it again since. */
export const isSentBack = ({
  publish_state,
  publish_error,
}: Pick<Listed, 'publish_state' | 'publish_error'>): boolean => publish_state === 'failed' && isReturned(publish_error)

const TROUBLE: Partial<Record<PublishState, Mark>> = {
  failed: ['bad', '▲', 'Failed'],
  unknown: ['warn', '?', 'Not known'],
  retrying: ['warn', '↻', 'Retrying'],
  publishing: ['accent', '…', 'Publishing'],
  awaiting_approval: ['warn', '◇', 'Waits for approval'],
  awaiting_merge: ['accent', '⑂', 'Waits to be merged'],
}

/** Returns the mark of an article's state. A publication in trouble comes before other states. */
export const stateOf = (article: Stated): Mark => {
  if (isSentBack(article)) return ['warn', '◁', 'Sent back']
  const trouble = TROUBLE[article.publish_state]
  if (trouble) return trouble
  if (article.being_written) return ['accent', '…', 'Being written']
  if (article.status === 'Published') return ['good', '●', 'Published']
  return article.status === 'Planned' ? ['accent', '■', 'Planned'] : ['plain', '□', 'Draft']
}

/** Renders the state of an article. */
export const StatePill = ({ article }: { article: Stated }) => <MarkPill mark={stateOf(article)} />

/** Returns what happened to a publication in trouble, and what the service does now. */
export const troubleText = ({
  publish_state,
  publish_error,
}: Pick<Listed, 'publish_state' | 'publish_error'>): string =>
  isSentBack({ publish_state, publish_error })
    ? (publish_error ?? '')
    : publish_state === 'unknown'
      ? 'No clear answer came, so it is not known whether the site has the article. The service looks for it there before it sends it again.'
      : publish_state === 'retrying'
        ? `The service tries again by itself. ${forPeople(publish_error ?? '')}`.trim()
        : forPeople(publish_error ?? '') || 'The site did not accept it.'

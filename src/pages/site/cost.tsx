import { PATHS } from '../../accounts/people/paths.ts'
import { writingOf } from '../../content/articles/forecast.ts'
import type { Unreached } from '../../content/articles/turns.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import type { PagesContext } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { For, Moment } from '../parts.tsx'
import { counted } from './bulk/rules.ts'
import type { PlanConditions } from './queries.ts'
import type { Dated } from './states.tsx'

const CREDIT = ['article credit', 'article credits'] as const

/** Returns how many article credits are left, for whom, and how many a later month has. */
const creditsText = ({ reach: { credits, taken, monthly, budget_left: budget } }: PlanConditions): string => {
  const used = taken > 0 ? `, ${taken} of them for articles with a date` : ''
  const most = budget === null ? '' : ` The budget of this site allows ${Math.max(0, budget)} more this month.`
  return `${credits} ${credits === 1 ? 'is' : 'are'} left this month${used}; a later month has ${monthly}.${most}`
}

/** Returns when the writer begins an article on a date, and whether a credit is left for it; null if it does not write it. */
const writingOn = (c: PagesContext, article: Dated, { reach, now }: PlanConditions) =>
  writingOf(
    { ...article, status: 'Planned', scheduledAt: article.at, isEmpty: !article.hasContent },
    c.get('person'),
    { reach, isArchived: false },
    now,
  )

/** True if the service writes the article on its date, and uses a credit for it. */
export const isForWriter = (c: PagesContext, article: Dated, conditions: PlanConditions): boolean =>
  writingOn(c, article, conditions) !== null

const FAR = new Date('9000-01-01T00:00:00Z')

/**
 * Renders what a date costs, beside the button that sets it. Nothing if the service writes no article, or not the given one.
 */
export const DateCost = (props: { c: PagesContext; conditions: PlanConditions | undefined; article?: Dated }) => {
  const { c, conditions, article } = props
  if (!conditions || !PLAN_INCLUDES[c.get('person').plan].writer) return null
  if (article && !isForWriter(c, { ...article, at: FAR }, conditions)) return null
  return (
    <p class="hint">
      An article without text of yours uses 1 article credit when the service writes it, in the three days before its
      date. {creditsText(conditions)}
    </p>
  )
}

/** Renders what the writing of a planned article costs; nothing if no credit is used for it. */
export const WritingCost = (props: { c: PagesContext; article: Dated; conditions: PlanConditions }) => {
  const writing = writingOn(props.c, props.article, props.conditions)
  if (writing?.credit.state !== 'left') return null
  const { from, credit } = writing
  return (
    <p class="in">
      Uses 1 of{' '}
      {credit.isLater
        ? `the ${counted(credit.credits, CREDIT)} of its month`
        : `your ${counted(credit.credits, CREDIT)}`}{' '}
      when the writer begins, {from ? <Moment at={from} bare /> : 'which may be at any moment'}.
    </p>
  )
}

/** Returns the sentences on what dates cost together. `conditions` suppose these dates. */
export const costsOfDates = (c: PagesContext, articles: readonly Dated[], conditions: PlanConditions): string[] => {
  const states = articles.flatMap((article) => writingOn(c, article, conditions)?.credit.state ?? [])
  if (states.length === 0) return []
  const none = states.filter((state) => state !== 'left').length
  const paid = states.length - none
  return [
    `${counted(states.length, ['has no text of yours, so the service writes it', 'have no text of yours, so the service writes them'])} in the three days before the date. This uses ${counted(paid, CREDIT)}. ${creditsText(conditions)}`,
    ...(none === 0
      ? []
      : [`For ${none} of them no article credit is left: write them yourself, or choose dates in a later month.`]),
  ]
}

/** Renders how many dated articles have no credit left, and what to do; nothing if there are none. */
export const UnreachedNotice = ({ site, unreached }: { site: number; unreached: readonly Unreached[] }) => {
  const [first] = unreached
  if (!first) return null
  return (
    <div class="notice warn">
      <p>
        No article credit is left for {counted(first.total, ['article with a date', 'articles with a date'])}, from{' '}
        <Moment at={new Date(first.scheduled_at)} bare /> on. Write {first.total === 1 ? 'it' : 'them'} yourself, or
        choose <a href={sitePath(site, 'calendar')}>another month</a>.
        <For right="manage">
          {' '}
          <a href={PATHS.billing}>More credits</a>
        </For>
      </p>
    </div>
  )
}

/** Renders what one more active site costs, beside its button: one of the account's places. `used`: active sites. */
export const PlaceCost = ({ c, used }: { c: PagesContext; used: number }) => {
  const { projectSlots } = c.get('person')
  const [places, free] = [counted(projectSlots, ['place', 'places']), projectSlots - used]
  return (
    <p class="hint">
      {free > 0
        ? `Uses 1 of the ${places} for sites, of which ${free} ${free === 1 ? 'is' : 'are'} free. It costs no article credit.`
        : 'It needs a place for a site, and none is free.'}
    </p>
  )
}

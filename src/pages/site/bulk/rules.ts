import { planDates } from '../../../content/articles/rules.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { instantOf, isIsoTime, wallTime } from '../../../platform/lib/time.ts'
import { dayAfter } from '../../zone.ts'
import type { Listed } from '../queries.ts'
import { plannedOf } from '../states.tsx'

/** Actions on several articles at once. */
export const ACTIONS = ['dates', 'publish', 'delete'] as const

/** Action on several articles at once. */
export type Action = (typeof ACTIONS)[number]

/** Most articles or approvals in one form: those of a page of the list. */
export const MOST = 50

/** Returns the name of the checkbox that selects an article. Its value is the version that the person saw. */
export const checkboxName = (id: number): string => `a${id}`

/** Returns the version of an article, as its checkbox has it. Every save changes it. */
export const versionOf = (updatedAt: Date): string => updatedAt.getTime().toString(36)

/** Article in a form: its id, the version that the person saw, and the date from the confirmation page. */
export type Chosen = { id: number; version: string; date: string | undefined }

/** Returns the articles or approvals in a form, the oldest first. Throws if there are none, or more than a page has. */
export const chosenIn = (fields: Record<string, string>, what: 'articles' | 'approvals' = 'articles'): Chosen[] => {
  const chosen = Object.entries(fields)
    .filter(([name]) => /^a[1-9]\d{0,8}$/.test(name))
    .map(([name, version]) => {
      const date = fields[`d${name.slice(1)}`]
      return { id: Number(name.slice(1)), version, date: date !== undefined && isIsoTime(date) ? date : undefined }
    })
    .sort((one, other) => one.id - other.id)
  if (chosen.length === 0) throw new ApiError('invalid_input', `Tick the ${what} first. Nothing was changed.`)
  if (chosen.length > MOST)
    throw new ApiError('invalid_input', `Tick at most ${MOST} ${what} at once. Nothing was changed.`)
  return chosen
}

/** Reasons for which an article is skipped, for one and for several. */
const LEFT = {
  gone: ['is not here any more', 'are not here any more'],
  changed: ['was changed since you opened the list', 'were changed since you opened the list'],
  writing: ['is being written', 'are being written'],
  publishing: ['is being published at this moment', 'are being published at this moment'],
  published: ['is published already', 'are published already'],
  empty: ['has no text', 'have no text'],
  asked: ['waits for approval', 'wait for approval'],
  proposed: ['is in a pull request', 'are in pull requests'],
} as const
/** Reason for which an action skips an article. */
export type SkipReason = keyof typeof LEFT

/** Returns a reason as a sentence: `It is being written.` */
export const skippedText = (why: SkipReason): string => `It ${LEFT[why][0]}.`

/** Returns the reason to skip an article; undefined if the action can run on it. */
export const reasonToSkip = (action: Action, article: Listed | undefined, version: string): SkipReason | undefined => {
  if (!article) return 'gone'
  if (versionOf(new Date(article.updated_at)) !== version) return 'changed'
  if (article.being_written) return 'writing'
  if (article.publish_state === 'publishing') return 'publishing'
  if (article.status === 'Published') return 'published'
  if (action !== 'publish') return undefined
  if (article.publish_state === 'awaiting_approval') return 'asked'
  if (article.publish_state === 'awaiting_merge') return 'proposed'
  return plannedOf(article).hasContent ? undefined : 'empty'
}

/** Returns a number with its noun, which differs for one and for several. */
export const counted = (count: number, [one, several]: readonly [string, string]): string =>
  `${count} ${count === 1 ? one : several}`

/** Consequences of an action: for a draft, for an article with a date, and for one whose publication is in trouble. */
const GOES: Record<Action, Record<'draft' | 'dated' | 'trouble', readonly [string, string]>> = {
  dates: {
    draft: ['draft gets a date', 'drafts get a date'],
    dated: ['article has a date and gets another one', 'articles have a date and get another one'],
    trouble: ['article that did not go out gets a date', 'articles that did not go out get a date'],
  },
  publish: {
    draft: ['draft is published now', 'drafts are published now'],
    dated: [
      'planned article is published now, before its date',
      'planned articles are published now, before their dates',
    ],
    trouble: ['article that did not go out is sent again', 'articles that did not go out are sent again'],
  },
  delete: {
    draft: ['draft is deleted', 'drafts are deleted'],
    dated: ['planned article is deleted and does not go out', 'planned articles are deleted and do not go out'],
    trouble: ['article that did not go out is deleted', 'articles that did not go out are deleted'],
  },
}

const kindOf = ({ publish_state, status }: Listed): 'draft' | 'dated' | 'trouble' =>
  publish_state === 'failed' || publish_state === 'unknown' || publish_state === 'retrying'
    ? 'trouble'
    : status === 'Planned'
      ? 'dated'
      : 'draft'

/** Returns the number of articles for each consequence and each reason, in sentences. */
export const consequences = (action: Action, going: readonly Listed[], left: readonly SkipReason[]): string[] => [
  ...(['draft', 'dated', 'trouble'] as const)
    .map((kind) => [kind, going.filter((article) => kindOf(article) === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${counted(count, GOES[action][kind])}.`),
  ...(Object.keys(LEFT) as SkipReason[])
    .map((why) => [why, left.filter((one) => one === why).length] as const)
    .filter(([, count]) => count > 0)
    .map(([why, count]) => `${counted(count, LEFT[why])} and ${count === 1 ? 'is' : 'are'} left alone.`),
]

const LONGEST_STEP = 90

type SiteClock = { time: string; zone: string; now: Date }

/** Returns the day of the first date. Throws if it is not a day, or has passed. */
const firstDay = ({ start = '' }: Record<string, string>, { time, zone, now }: SiteClock): string => {
  if (!/^[2-8]\d{3}-\d\d-\d\d$/.test(start) || !isIsoTime(start))
    throw new ApiError('invalid_input', 'Choose the day of the first date. Nothing was changed.')
  if (instantOf(start, zone, time).getTime() <= now.getTime())
    throw new ApiError('invalid_input', 'The first date has passed. Choose a later day. Nothing was changed.')
  return start
}

/**
 * Returns a date for each of `count` articles, as wall times at the site's publishing time.
 *
 * The dates start at a day and are a number of days apart. Throws for a wrong day or number of days.
 */
export const datesFrom = (fields: Record<string, string>, count: number, clock: SiteClock): string[] => {
  const start = firstDay(fields, clock)
  const step = /^\d{1,2}$/.test(fields.every ?? '') ? Number(fields.every) : 0
  if (step < 1 || step > LONGEST_STEP)
    throw new ApiError('invalid_input', `The days between two dates are 1 to ${LONGEST_STEP}. Nothing was changed.`)
  return Array.from({ length: count }, (_, n) => `${dayAfter(start, n * step)}T${clock.time}`)
}

/** Name and value of the button that uses the site's article plan for the dates. */
export const BY_PLAN = { name: 'by', value: 'plan' } as const

/**
 * Returns dates by the site's article plan, as wall times: those that planning a month would choose. Throws for a wrong
 * day.
 */
export const datesByPlan = (
  fields: Record<string, string>,
  clock: SiteClock,
  plan: { count: number; articlesPerMonth: number; taken: readonly Date[] },
): string[] => {
  const { time: publishTime, zone: timezone } = clock
  const from = instantOf(dayAfter(firstDay(fields, clock), -1), timezone, '12:00')
  return planDates({ ...plan, from, publishTime, timezone }).map((date) => wallTime(date, timezone).slice(0, 16))
}

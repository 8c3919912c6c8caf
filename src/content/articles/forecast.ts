import type { PublishState } from '../../../schema/values/articles.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { wallTime } from '../../platform/lib/time.ts'
import type { Account } from '../../platform/runtime/ctx.ts'
import { showsContent } from '../html/shown.ts'
import { claimBy, OWN_CHARACTERS } from './rules.ts'
import type { Status } from './transitions.ts'
import { creditFor, type Reach } from './turns.ts'

/** Article after a save, and its project's settings for its date. */
export type Saved = {
  id: number
  status: Status
  publishState: PublishState
  content: string
  scheduledAt: Date | null
  claimed: boolean
  /** True if the service's writer has finished it. */
  written: boolean
  /** True if the writer finished it with an error in its report. It is not published on its date then. */
  unfit: boolean
  projectId: number
  timezone: string
  publishingStatus: 'Publish Immediately' | 'Save as Drafts' | 'Send as Drafts'
}

/** Conditions for publishing: an active project, a target, and a credit if the service writes the article. */
export type Prospects = { hasTarget: boolean; reach: Reach; isArchived: boolean }

type Plan = Pick<Account, 'plan'>

/** Effect of an article's date, by the project's publishing_status: of a future date, and of a past one. */
const ON_DATE: Record<Saved['publishingStatus'], [later: string, past: string]> = {
  'Publish Immediately': ['is published', 'is published at once'],
  'Send as Drafts': ['is sent to the CMS as a draft', 'is sent to the CMS as a draft at once'],
  'Save as Drafts': ['becomes a draft here and is not published', 'becomes a draft here at once and is not published'],
}

/** True if the article has nothing to publish. */
const isEmpty = ({ content }: Saved): boolean => !showsContent(content)

const draftMessage = (saved: Saved, publish: string, now: Date): string => {
  const { id, scheduledAt } = saved
  const then = isEmpty(saved)
    ? `The article is a draft without content: save it with PUT /articles/${id}, then publish it with ${publish}.`
    : `The article is a draft. Publish it with ${publish}.`
  return scheduledAt && scheduledAt > now
    ? `${then} A draft does not go out on its date: for that, send status Planned with PUT /articles/${id}.`
    : then
}

/** Messages on an unfinished publication. The service finishes it by itself, with the content saved now. */
const UNDER_WAY: Partial<Record<PublishState, string>> = {
  publishing: 'A publication of the article is under way, and how it ends is not known yet',
  unknown: 'It is not known yet whether the last publication reached the site',
  retrying: 'The last publication failed',
}

const underWayMessage = (began: string, saved: Saved, publish: string): string =>
  isEmpty(saved)
    ? `${began}. An article without content is not sent, so nothing more goes out now: save its content with PUT /articles/${saved.id}, then publish it with ${publish}.`
    : `${began}. The service goes on by itself and sends what is saved now; ${publish} does so at once.`

/** Returns a sentence that says no target is connected; empty if one is connected or none is needed. */
const missingTarget = ({ projectId, publishingStatus }: Saved, { hasTarget }: Prospects): string =>
  hasTarget || publishingStatus === 'Save as Drafts'
    ? ''
    : ` No CMS or webhook is connected to the project yet, and without one it cannot go out: connect one with POST /projects/${projectId}/integrations.`

/** True if the article's date has passed and its publication failed. */
const hasFailed = ({ publishState, scheduledAt }: Saved, now: Date): boolean =>
  publishState === 'failed' && scheduledAt !== null && scheduledAt <= now

const plannedMessage = (saved: Saved, publish: string, { plan }: Plan, now: Date): string => {
  const { id, scheduledAt, publishingStatus, timezone, unfit } = saved
  if (!scheduledAt)
    return isEmpty(saved)
      ? `The article is planned without a date or content: set scheduled_date, or save its content with PUT /articles/${id} and call ${publish}.`
      : `The article is planned without a date: it goes out when you set scheduled_date or call ${publish}.`
  if (unfit)
    return `The article does not go out on its date: what the writer made falls short, as GenerationError says. Save the full text with PUT /articles/${id}, or publish it as it is with ${publish}.`
  const [later, past] = ON_DATE[publishingStatus]
  if (hasFailed(saved, now))
    return `The last publication failed, and the article does not go out by itself any more: publish it with ${publish}, or send scheduled_date again.`
  if (scheduledAt <= now) return `The article is planned for a date that has passed: it ${past} when it has content.`
  const date = wallTime(scheduledAt, timezone).slice(0, 16).replace('T', ' ')
  const onDate = `The article is planned: on its date (${date}, ${timezone}) it ${later}`
  if (!isEmpty(saved)) return `${onDate}. Publish it sooner with ${publish}.`
  const sooner = `To publish it sooner, save its content with PUT /articles/${id} and call ${publish}.`
  return `${onDate}${PLAN_INCLUDES[plan].writer ? '' : ' when it has content'}. ${sooner}`
}

/** Returns what happens to the article without further calls, in a few sentences. */
const messageOf = (saved: Saved, plan: Plan, prospects: Prospects, now: Date): string => {
  const publish = `POST /articles/${saved.id}/publish`
  if (prospects.isArchived)
    return `The project is archived, so nothing of it is written or published: make it active again with POST /projects/${saved.projectId}/unarchive.`
  if (saved.publishState === 'awaiting_merge')
    return `The article is in an open pull request, with the text that was sent last. ${publish} adds what is saved now to it.`
  const began = UNDER_WAY[saved.publishState]
  if (began) return `${underWayMessage(began, saved, publish)}${missingTarget(saved, prospects)}`
  return saved.status === 'Planned'
    ? `${plannedMessage(saved, publish, plan, now)}${missingTarget(saved, prospects)}`
    : draftMessage(saved, publish, now)
}

type ToWrite = Pick<Saved, 'id' | 'status' | 'scheduledAt' | 'claimed' | 'written'> & {
  /** Length of its content, and true if that is empty. */
  characters: number
  isEmpty: boolean
}

/**
 * Returns from when on the service's writer may take an article (undefined: at any moment), and whether a credit is left for it.
 * Null if the writer will not take it.
 */
export const writingOf = (saved: ToWrite, { plan }: Plan, prospects: Omit<Prospects, 'hasTarget'>, now: Date) => {
  const { id, status, characters, scheduledAt, claimed, written } = saved
  const isDue = scheduledAt !== null && scheduledAt <= now
  const isLeft = claimed || written || characters >= OWN_CHARACTERS || (isDue && !saved.isEmpty)
  if (!PLAN_INCLUDES[plan].writer || status !== 'Planned' || !scheduledAt || isLeft || prospects.isArchived) return null
  return { from: claimBy(scheduledAt, now), credit: creditFor({ id, at: scheduledAt }, prospects.reach, now) }
}

const ONE = '1 article credit'

const costOf = ({ state, credits, isLater }: ReturnType<typeof creditFor>): string => {
  if (state === 'over_budget') return `${ONE}, and the monthly budget of the project’s policy has none left for it`
  if (state === 'left') return isLater ? `${ONE} of the month of its date` : ONE
  if (credits > 0) return `${ONE} once there is one: articles with earlier dates use the ${credits} of its month`
  return `${ONE} once the account has one: none is left now`
}

/** Returns the cost and start of the service's writing in the form of the API; empty if the writer will not take the article. */
const writing = (saved: Saved, plan: Plan, prospects: Prospects, now: Date) => {
  const { content } = saved
  const text = { characters: content.length, isEmpty: content.trim() === '' }
  const planned = writingOf({ ...saved, ...text }, plan, prospects, now)
  if (!planned) return {}
  const { from: by, credit } = planned
  const own = `save content of ${OWN_CHARACTERS} or more characters with PUT /articles/${saved.id}`
  const cost = costOf(credit)
  const note = by
    ? `The service’s writer takes the article from ${by.toISOString()} on, for ${cost}. To write it yourself, ${own} before.`
    : `The service’s writer may take the article at any moment, for ${cost}. To write it yourself, ${own} now.`
  return {
    will_be_written: { credits: 1, credit: credit.state, claim_by: by?.toISOString() ?? null, note },
    ...(isEmpty(saved) ? {} : { will_be_rewritten: true }),
  }
}

const warningsOf = (saved: Saved, { plan }: Plan, { isArchived }: Prospects, now: Date): string[] => {
  const { id, status, scheduledAt, publishingStatus, unfit } = saved
  const warnings: string[] = []
  if (!scheduledAt || isArchived) return warnings
  if (status === 'Draft' && scheduledAt > now)
    warnings.push('scheduled_date has no effect on a draft: it goes out on its date once its status is Planned.')
  if (scheduledAt <= now) {
    const once = isEmpty(saved) ? ' when it has content' : ''
    const planned =
      unfit || hasFailed(saved, now)
        ? 'The article does not go out by itself.'
        : `The article ${ON_DATE[publishingStatus][1]}${once}.`
    const effect = status === 'Planned' ? planned : 'It has no effect on a draft.'
    warnings.push(`scheduled_date is in the past (${scheduledAt.toISOString()}). ${effect}`)
  }
  if (status === 'Planned' && isEmpty(saved) && !PLAN_INCLUDES[plan].writer)
    warnings.push(`The article has no content, and an empty one is not published: save it with PUT /articles/${id}.`)
  return warnings
}

/** Returns the call that plans a draft with a date. */
const planning = (saved: Saved, { isArchived }: Prospects, now: Date) => {
  const { id, status, scheduledAt, publishingStatus } = saved
  if (status !== 'Draft' || !scheduledAt || isArchived) return {}
  const [later, past] = ON_DATE[publishingStatus]
  const why =
    scheduledAt > now
      ? `Plans the article: on its date it ${later}.`
      : `Plans the article: its date has passed, so it ${past} when it has content.`
  return {
    next_calls: [{ method: 'PUT' as const, path: `/articles/${id}`, body: { status: 'Planned' as const }, why }],
  }
}

/** Returns the forecast of a save: its date, the service's writing, warnings, and a message for people. */
export const forecastOf = (saved: Saved, plan: Plan, prospects: Prospects, now: Date) => {
  const warnings = warningsOf(saved, plan, prospects, now)
  return {
    ScheduledDate: saved.scheduledAt && wallTime(saved.scheduledAt, saved.timezone),
    ScheduledAt: saved.scheduledAt?.toISOString() ?? null,
    ...writing(saved, plan, prospects, now),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...planning(saved, prospects, now),
    message: messageOf(saved, plan, prospects, now),
  }
}

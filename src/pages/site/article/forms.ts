import { PATHS } from '../../../accounts/people/paths.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { EditArticle, type EditArticleInput } from '../../../publishing/live/operations.ts'
import type { PagesContext } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import type { Notice } from '../../notice.ts'
import { forPeople } from '../../words.ts'
import { momentText, placeOf } from '../../zone.ts'
import { numberIn, type SiteFront, siteIdIn, siteIn } from '../front.ts'
import { readConditions, readListed } from '../queries.ts'
import { kindOf, kindWords, plannedOf } from '../states.tsx'

/** Returns what a form sent as the API takes it. Throws a refusal in people's words. */
export const checked = (given: Record<string, unknown>): EditArticleInput => {
  const parsed = EditArticle.safeParse(given)
  if (parsed.success) return parsed.data
  const field = Object.entries(FAULTS).find(([name]) => name === parsed.error.issues[0]?.path[0])
  throw new ApiError('invalid_input', field?.[1] ?? 'Something in the form is not right. Nothing was saved.')
}

const FAULTS = {
  title: 'The title needs 1 to 500 characters. Nothing was saved.',
  meta_description: 'The description has more than 1,000 characters. Nothing was saved.',
  content: 'The text has more than 500,000 characters. Nothing was saved.',
  scheduled_date: 'That is no date and time. Nothing was moved.',
} as const

/** Returns the date that a form sent as the API takes it. Throws for an empty one, which the API takes for no date. */
export const checkedDate = (when: string): EditArticleInput => {
  if (when.trim() === '') throw new ApiError('invalid_input', FAULTS.scheduled_date)
  return checked({ scheduled_date: when, status: 'Planned' })
}

/** Returns the address of the month that a date is in, in the calendar of the site or of all sites. */
export const calendarOf = (c: PagesContext, when: string, to: 'calendar' | 'all'): string =>
  `${to === 'all' ? PATHS.calendar : sitePath(siteIdIn(c), 'calendar')}${/^\d{4}-\d\d-\d\dT/.test(when) ? `?month=${when.slice(0, 7)}` : ''}`

/** Returns when the article goes out now, and what becomes of it then. */
export const moved = async (c: PagesContext, front: SiteFront): Promise<Notice> => {
  const { db, now } = front.deps
  const [account, project, id] = [c.get('person').accountId, siteIdIn(c), numberIn(c, 'article')]
  const [site, conditions, article] = await Promise.all([
    siteIn(c),
    readConditions(db, account, project),
    readListed(db, account, project, id),
  ])
  if (!conditions || !article?.scheduled_at) return { tone: 'good', text: 'The date is saved.' }
  const { sentence, tile } = kindWords(kindOf(c, plannedOf(article), conditions), conditions)
  const at = momentText(new Date(article.scheduled_at), { zone: site.zone, now: now() })
  return { tone: tile === 'stays' ? 'warn' : 'good', text: `Moved to ${at} (${placeOf(site.zone)}). ${sentence}` }
}

/** Returns the notice that something waits for the approval of another person; undefined if it does not. */
export const waiting = (body: object): Notice | undefined =>
  'status' in body && body.status === 'awaiting_approval'
    ? { tone: 'warn', text: 'It is saved, and goes out once a person has approved it.' }
    : undefined

/** Returns how a publication ended, for people. */
export const published = (body: Record<string, unknown>): Notice => {
  const { status, error } = body
  const held = waiting(body)
  if (held) return held
  if (status === 'published') return { tone: 'good', text: 'Published. The live page is read within a minute.' }
  if (status === 'sent_as_draft') return { tone: 'good', text: 'Sent to your site as a draft.' }
  if (status === 'failed') return { tone: 'bad', text: `Not published. ${forPeople(String(error ?? ''))}`.trim() }
  return {
    tone: 'warn',
    text: `Not yet published: ${forPeople(String(error ?? 'the site has not answered'))} The service goes on by itself.`,
  }
}

import { getCookie } from 'hono/cookie'
import { PATHS } from '../../../accounts/people/paths.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { EditArticle, type EditArticleInput } from '../../../publishing/live/operations.ts'
import type { PagesContext } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import type { Notice } from '../../notice.ts'
import { setOwnCookie } from '../../session.ts'
import { forPeople } from '../../words.ts'
import { momentText, placeOf } from '../../zone.ts'
import { numberIn, type SiteFront, siteIdIn, siteIn } from '../front.ts'
import { readConditions, readListed } from '../queries.ts'
import { kindOf, kindWords, plannedOf } from '../states.tsx'
import { pathOf } from './load.ts'
import { SETTINGS_FAULTS } from './settings.tsx'

/** Returns the fields of a form as valid input of the API. Throws `invalid_input` with a message for people. */
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
  ...SETTINGS_FAULTS,
} as const

/** Returns the date in a form as valid input of the API. Throws for an empty date, which the API would read as no date. */
export const checkedDate = (when: string): EditArticleInput => {
  if (when.trim() === '') throw new ApiError('invalid_input', FAULTS.scheduled_date)
  return checked({ scheduled_date: when, status: 'Planned' })
}

/** Returns the path of the calendar at the month of a date. The calendar is that of the site or of all sites. */
export const calendarOf = (c: PagesContext, when: string, to: 'calendar' | 'all'): string =>
  `${to === 'all' ? PATHS.calendar : sitePath(siteIdIn(c), 'calendar')}${/^\d{4}-\d\d-\d\dT/.test(when) ? `?month=${when.slice(0, 7)}` : ''}`

/** Returns the notice after a date changed: the new date, and what will happen on it. */
export const moved = async (c: PagesContext, front: SiteFront): Promise<Notice> => {
  const { db, now } = front.deps
  const [account, project, id] = [c.get('person').accountId, siteIdIn(c), numberIn(c, 'article')]
  const [site, conditions, article] = await Promise.all([
    siteIn(c),
    readConditions(db, account, project, now()),
    readListed(db, account, project, id),
  ])
  if (!conditions || !article?.scheduled_at) return { tone: 'good', text: 'The date is saved.' }
  const { sentence, tile } = kindWords(kindOf(c, plannedOf(article), conditions), conditions)
  const at = momentText(new Date(article.scheduled_at), { zone: site.zone, now: now() })
  return { tone: tile === 'stays' ? 'warn' : 'good', text: `Moved to ${at} (${placeOf(site.zone)}). ${sentence}` }
}

const WAITS: Readonly<Record<string, Notice>> = {
  awaiting_approval: { tone: 'warn', text: 'It is saved, and goes out once a person has approved it.' },
  awaiting_merge: { tone: 'good', text: 'It is in a pull request. Readers see it once somebody merges that.' },
}

/** Returns the notice that a person has to approve it, or to merge its pull request; undefined if it does not wait. */
export const waiting = (body: object): Notice | undefined =>
  'status' in body && typeof body.status === 'string' ? WAITS[body.status] : undefined

/** Returns the notice on the outcome of a publication. */
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

/** Returns the text of a form: the editor's JSON, else the HTML with `\n` as line ends, which browsers send as `\r\n`. */
export const sentText = (content: string, json: string): string => {
  if (json === '') return content.replaceAll('\r\n', '\n')
  try {
    const text: unknown = JSON.parse(json)
    if (typeof text === 'string') return text
  } catch {}
  throw new ApiError(
    'invalid_input',
    'Part of the text from the editor is missing. Nothing was saved. Go back and save again.',
  )
}

/** Cookie with the id of the browser's draft that was saved last, for the pages of one article. */
const SAVED_DRAFT = 'galley_saved'
const MONTH_S = 2_592_000

/** Returns the id of the browser's draft that was saved last. The editor then drops it. */
export const savedDraft = (c: PagesContext): string => getCookie(c, SAVED_DRAFT) ?? ''

/** Tells the browser that a draft of it was saved. */
export const rememberDraft = (c: PagesContext, { deps }: Pick<SiteFront, 'deps'>, draft: string): void => {
  if (/^[a-z0-9]{8,40}$/.test(draft))
    setOwnCookie(c, deps.settings, { name: SAVED_DRAFT, value: draft, path: pathOf(c), seconds: MONTH_S })
}

import { accountsFor } from '../../../accounts/people/person.ts'
import { onlyProject } from '../../../accounts/people/roles.ts'
import { seal, unseal } from '../../../platform/lib/crypto.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { addressIn, type PagesContext, tooOften } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { readSites } from '../../queries.ts'
import { type SiteFront, siteIdIn } from '../front.ts'
import { readPlaced } from '../queries.ts'
import { stateOf, titleOf } from '../states.tsx'
import { feedOf } from './rules.ts'

type FeedKey = { site: number; account: number; person: string }

/**
 * Returns the secret address of a site's calendar, for other calendar programs.
 *
 * It stops working when the person may no longer see the site.
 */
export const feedUrl = async (c: PagesContext, front: SiteFront, site: number): Promise<string> => {
  const { settings } = front.deps
  const { accountId, id } = c.get('person')
  const key: FeedKey = { site, account: accountId, person: id }
  const sealed = await seal(settings.secretsKeys, JSON.stringify(key), 'calendar feed')
  return `${settings.publicUrl}${sitePath(site, 'calendar.ics')}?key=${encodeURIComponent(sealed)}`
}

const FEED_TRIES = { name: 'people.address', perMinute: 20 }

const DAY_MS = 86_400_000

/** Sends the calendar of a site as iCalendar, to anyone with its secret address. */
export const feed = async (c: PagesContext, front: SiteFront): Promise<Response> => {
  const { db, now, settings } = front.deps
  const refused = await tooOften(c, front, [[FEED_TRIES, addressIn(c)]])
  if (refused) return refused
  const sealed = c.req.query('key') ?? ''
  const key = await unseal(settings.secretsKeys, sealed, 'calendar feed').then(
    (text) => JSON.parse(text) as FeedKey,
    () => undefined,
  )
  if (!key || key.site !== siteIdIn(c)) throw new ApiError('not_found', 'There is no such calendar.')
  const at = now().getTime()
  const range = { from: new Date(at - 60 * DAY_MS), until: new Date(at + 400 * DAY_MS) }
  const [accounts, sites, rows] = await Promise.all([
    accountsFor(db, key.person),
    readSites(db, key.account, key.site, key.site),
    readPlaced(db, { account: key.account, project: key.site, ...range, most: 2_000 }),
  ])
  const site = sites.find(({ id }) => id === key.site)
  const sees = accounts.some(
    ({ id, role, projectId }) => id === key.account && [null, key.site].includes(onlyProject(role, projectId)),
  )
  if (!site || !sees) throw new ApiError('not_found', 'There is no such calendar.')
  const events = rows.map((article) => ({
    id: article.id,
    title: titleOf(article),
    at: new Date(article.at),
    url: settings.publicUrl + sitePath(site.id, `articles/${article.id}`),
    note: stateOf(article)[2],
    changed: new Date(article.updated_at),
  }))
  c.header('Cache-Control', 'private, max-age=900')
  return c.body(feedOf(site.name || site.url, new URL(settings.publicUrl).hostname, events), 200, {
    'Content-Type': 'text/calendar; charset=utf-8',
  })
}

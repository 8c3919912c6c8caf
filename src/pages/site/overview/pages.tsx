import type { Hono } from 'hono'
import { has, mayOpen } from '../../../accounts/people/roles.ts'
import { searchHistory } from '../../../insights/search/history.ts'
import { ctxOf } from '../../ctx.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { For } from '../../parts.tsx'
import { momentText } from '../../zone.ts'
import { type SiteFront, siteIdIn, withSite } from '../front.ts'
import { readChanged, readConditions, readFailedPosts, readReady, readScheduled, readTroubled } from '../queries.ts'
import { kindOf, kindWords, plannedOf, titleOf } from '../states.tsx'
import { Changed, Clicks, GoesOutNext, Standing } from './cards.tsx'
import { NeedsYou, wantsOf } from './wants.tsx'

const WEEK_MS = 7 * 86_400_000

const FAR_MS = 400 * 86_400_000

/** Planned articles that are shown. */
const NEXT = 6

const page = async (c: PagesContext, front: SiteFront) => {
  const { db, now } = front.deps
  const [account, project, today] = [c.get('person').accountId, siteIdIn(c), now()]
  const [site, [conditions, troubled, ready, posts, scheduled, changed, history]] = await withSite(
    c,
    Promise.all([
      readConditions(db, account, project),
      readTroubled(db, account, project),
      readReady(db, account, project),
      readFailedPosts(db, account, project),
      readScheduled(db, { account, project, from: today, until: new Date(today.getTime() + FAR_MS), most: 60 }),
      readChanged(db, account, project),
      searchHistory(ctxOf(c, front), front.google, { project_id: project, days: 90 }),
    ]),
  )
  if (!conditions) throw new Error('a site without a row')
  const planned = scheduled
    .filter(({ status }) => status === 'Planned' || status === 'Generating')
    .map((article) => ({ article, words: kindWords(kindOf(c, plannedOf(article), conditions), conditions) }))
  const near = planned.filter(
    ({ article }) => new Date(article.scheduled_at ?? 0).getTime() < today.getTime() + WEEK_MS,
  )
  const { role } = c.get('person')
  const wants = wantsOf(site, { troubled, ready, posts, near }, conditions).filter(
    ({ to, right }) => has(role, right) && mayOpen(role, to),
  )
  const [first] = planned
  const calm = first
    ? `Next: ${momentText(new Date(first.article.scheduled_at ?? 0), { zone: site.zone, now: today })}, ${titleOf(first.article)}.`
    : 'Nothing is planned.'
  const soon = near.filter(({ words }) => words.tile !== 'stays')
  return await show(c, front, {
    title: 'Overview',
    menu: true,
    page: 'overview',
    site: site.id,
    actions: (
      <For right="edit">
        <a class="button plain" href={sitePath(site.id, 'calendar')}>
          Plan an article
        </a>
      </For>
    ),
    body: (
      <div class="cards">
        <NeedsYou wants={wants} calm={calm} />
        <GoesOutNext site={site} planned={planned.slice(0, NEXT)} />
        <Standing points={'points' in history ? history.points : []} waiting={wants.length} published={soon.length} />
        <Clicks site={site} history={history} />
        <Changed site={site} changed={changed} />
      </div>
    ),
  })
}

/** Adds the first page of a site: what needs somebody, what goes out next, what changed. */
export const overviewPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site', signedIn(front), (c) => page(c, front))
}

import type { Hono } from 'hono'
import { PATHS } from '../../accounts/people/paths.ts'
import { consumeOnce, keepOnce } from '../../accounts/people/shown-once.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { checkReceiver, receiverOf } from '../../publishing/connect/integrations.ts'
import type { Grade } from '../../publishing/target/receiver-check.ts'
import { ctxOf } from '../ctx.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { backTo } from '../notice.ts'
import { type SiteFront, siteIdIn, withQuery, withSite } from './front.ts'
import { Card, type Mark, MarkPill } from './parts.tsx'

/** Limit of receiver checks, by account. */
const CHECKS = { name: 'people.check_receiver', perMinute: 10 }

const MARKS: Record<Grade['verdict'], Mark> = {
  right: ['good', '●', 'Right'],
  wrong: ['bad', '▲', 'Wrong'],
  unknown: ['warn', '?', 'Not known'],
}

const Grades = ({ grades }: { grades: readonly Grade[] }) => {
  const right = grades.filter(({ verdict }) => verdict === 'right').length
  return (
    <Card title="How it answered" note={`${right} of ${grades.length} right, shown once`}>
      <ul class="rows two">
        {grades.map(({ sent, answered, verdict, advice }) => (
          <li>
            <div>
              <strong>{sent}</strong>
              <p dir="auto">{answered}</p>
              {advice !== '' && <p>{advice}</p>}
            </div>
            <MarkPill mark={MARKS[verdict]} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

const ownerOf = (c: PagesContext): string => `receiver:${c.get('person').id}:${siteIdIn(c)}`

/** Returns the grades of the check that this person just ran; undefined if they were shown before. */
const gradesIn = async (c: PagesContext, front: SiteFront): Promise<Grade[] | undefined> => {
  const name = c.req.query('check')
  const kept = name === undefined ? undefined : await consumeOnce(front.deps, ownerOf(c), name.slice(0, 100))
  return kept === undefined ? undefined : (JSON.parse(kept) as Grade[])
}

const page = async (c: PagesContext, front: SiteFront) => {
  const [site, [receiver, grades]] = await withSite(
    c,
    Promise.all([receiverOf(ctxOf(c, front), siteIdIn(c)), gradesIn(c, front)]),
  )
  if (!receiver) throw new ApiError('not_found', 'The site has no receiver.')
  const here = sitePath(site.id, 'receiver')
  return await show(c, front, {
    title: 'Receiver check',
    menu: true,
    page: 'deliveries',
    site: site.id,
    actions: (
      <form method="post" action={here}>
        <button type="submit">{grades ? 'Check again' : 'Check it'}</button>
      </form>
    ),
    body: (
      <>
        <p>
          Your receiver at <strong>{receiver.url}</strong> gets six test events, and its answers are graded: it should
          accept events of this service, and refuse those that somebody else could have made. The check takes at most
          twenty seconds.
        </p>
        <p class="hint">
          Each event says that it is a test, and a receiver keeps no post of it. So the check shows how the receiver
          answers, not what it would store.
        </p>
        {grades && <Grades grades={grades} />}
        <p>
          <a href="/docs/reference/webhooks">How a receiver is built</a> ·{' '}
          <a href={`${PATHS.integrations}?project_id=${site.id}`}>Connections</a> ·{' '}
          <a href={sitePath(site.id, 'deliveries')}>Deliveries</a>
        </p>
      </>
    ),
  })
}

/** Adds the page that checks a webhook receiver. The grades are shown once. */
export const receiverPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  const at = '/p/:site/receiver'
  app.get(at, signedIn(front), (c) => page(c, front))
  app.post(at, signedIn(front), async (c) => {
    const here = sitePath(siteIdIn(c), 'receiver')
    const { allowed } = await front.deps.limiter.take(CHECKS, String(c.get('person').accountId))
    if (!allowed) return await backTo(c, front, here, { tone: 'bad', text: 'Too many checks. Wait a minute.' })
    const [, grades] = await withSite(c, checkReceiver(ctxOf(c, front), front.targets, siteIdIn(c)))
    const check = await keepOnce(front.deps, ownerOf(c), JSON.stringify(grades))
    return c.redirect(withQuery(here, { check }), 303)
  })
}

import type { Hono } from 'hono'
import { raw } from 'hono/html'
import type { ChangeSetState, ChangeState } from '../../../schema/values/changes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { shownValue } from '../../platform/lib/text.ts'
import { releaseChanges, revertChanges } from '../../publishing/changes/release.ts'
import { listChanges, showChanges } from '../../publishing/changes/show.ts'
import { ctxOf } from '../ctx.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { Empty, For, Moment } from '../parts.tsx'
import { forPeople } from '../words.ts'
import { act, numberIn, type SiteFront, siteIdIn, withSite } from './front.ts'
import { Card, type Mark, MarkedRow, MarkPill } from './parts.tsx'

const STATES: Record<ChangeSetState, Mark> = {
  draft: ['plain', '○', 'Not released'],
  releasing: ['accent', '…', 'Being released'],
  stopped: ['bad', '▲', 'Stopped'],
  released: ['good', '●', 'Released'],
  reverting: ['accent', '…', 'Being reverted'],
  reverted: ['plain', '□', 'Reverted'],
}

const OF_CHANGE: Record<ChangeState, Mark> = {
  waiting: ['plain', '○', 'To be sent'],
  again: ['plain', '○', 'To be sent again'],
  sending: ['accent', '…', 'Being sent'],
  sent: ['good', '●', 'Sent'],
  refused: ['bad', '▲', 'Refused'],
  left_out: ['warn', '◆', 'Left out'],
  reverting: ['accent', '…', 'Being reverted'],
  reverted: ['plain', '□', 'Reverted'],
}

type Set = Awaited<ReturnType<typeof showChanges>>['change_set']
type Change = Set['changes'][number]

const countsOf = ({ waiting, sent, refused, left_out: left, reverted }: Set['counts']): string =>
  [
    [waiting, 'to be sent'],
    [sent, 'sent'],
    [refused, 'refused'],
    [left, 'left out'],
    [reverted, 'reverted'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(', ')

const list = async (c: PagesContext, front: SiteFront) => {
  const project = siteIdIn(c)
  const [site, { change_sets: sets }] = await withSite(c, listChanges(ctxOf(c, front), project, { limit: 100 }))
  return await show(c, front, {
    title: 'Sets of changes',
    menu: true,
    page: 'approvals',
    site: site.id,
    actions: (
      <a class="button plain" href={sitePath(site.id, 'statements')}>
        Statements
      </a>
    ),
    body:
      sets.length === 0 ? (
        <Empty>
          No set of changes was made yet. An agent makes one to change many published articles together, such as a price
          in all of them. It is shown, approved, released and taken back as one.
        </Empty>
      ) : (
        <div class="card">
          <ul class="rows">
            {sets.map((one) => (
              <MarkedRow
                mark={<MarkPill mark={STATES[one.status]} />}
                href={sitePath(site.id, `changes/${one.id}`)}
                name={one.name}
                action="Open"
              >
                {countsOf(one.counts)}, <Moment at={new Date(one.created_at)} />
              </MarkedRow>
            ))}
          </ul>
        </div>
      ),
  })
}

/** Names of fields, for people. */
const FIELDS: Readonly<Record<string, string>> = {
  title: 'Title',
  meta_description: 'Description for search engines',
  feature_image: 'Picture',
  alt_text: 'What the picture shows',
  category: 'Category',
  tags: 'Tags',
  seo_title: 'Title in search results',
  canonical_url: 'Canonical address',
  fields: 'Fields of the platform',
}

const Difference = ({ site, one }: { site: number; one: Change }) => {
  const before: Readonly<Record<string, unknown>> = one.before
  const after = Object.entries(one.after)
  return (
    <Card title={one.title} note={<MarkPill mark={OF_CHANGE[one.status]} />}>
      {one.error !== null && <p class="in">{forPeople(one.error)}</p>}
      {after.length > 0 && (
        <dl class="in">
          {after.map(([name, value]) => (
            <div>
              <dt>{FIELDS[name] ?? name}</dt>
              <dd dir="auto">
                <del>{shownValue(before[name])}</del> {shownValue(value) || <em>empty</em>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {one.difference !== null && (
        <div class="in prose" dir="auto">
          {raw(one.difference)}
        </div>
      )}
      <p class="in">
        <a href={sitePath(site, `articles/${one.article_id}`)}>Open the article</a>
      </p>
    </Card>
  )
}

/** Returns the set in the path, and its site. Throws `not_found` for a set of another site. */
const load = async (c: PagesContext, front: SiteFront) => {
  const [site, { change_set: set }] = await withSite(c, showChanges(ctxOf(c, front), numberIn(c, 'change_set')))
  if (set.project_id !== site.id) throw new ApiError('not_found', 'The set is of another site.')
  return { site, set }
}

const Actions = ({ here, set }: { here: string; set: Set }) => (
  <For right="manage">
    {(set.status === 'draft' || set.status === 'stopped') && (
      <form method="post" action={`${here}/release`}>
        <button type="submit">{set.status === 'draft' ? 'Release' : 'Go on'}</button>
      </form>
    )}
    {(set.status === 'released' || set.status === 'stopped') && (
      <form method="post" action={`${here}/revert`}>
        <button class="plain" type="submit">
          Take back
        </button>
      </form>
    )}
  </For>
)

const detail = async (c: PagesContext, front: SiteFront) => {
  const { site, set } = await load(c, front)
  const here = sitePath(site.id, `changes/${set.id}`)
  return await show(c, front, {
    title: set.name,
    menu: true,
    page: 'approvals',
    site: site.id,
    actions: <Actions here={here} set={set} />,
    body: (
      <>
        <p>
          <MarkPill mark={STATES[set.status]} /> {countsOf(set.counts)}. Made <Moment at={new Date(set.created_at)} />.{' '}
          <a href={sitePath(site.id, 'changes')}>All sets of changes</a>
        </p>
        {set.error !== null && <p class="notice bad">It stopped. {forPeople(set.error)}</p>}
        <div class="cards">
          {set.changes.map((one) => (
            <Difference site={site.id} one={one} />
          ))}
        </div>
      </>
    ),
  })
}

const begin = async (c: PagesContext, front: SiteFront, what: 'release' | 'revert') => {
  const { site, set } = await load(c, front)
  return await act(c, front, sitePath(site.id, `changes/${set.id}`), async () => {
    const ctx = ctxOf(c, front)
    // A person who may send this form approves the set by it.
    await (what === 'release' ? releaseChanges(ctx, set.id, {}) : revertChanges(ctx, set.id))
    return what === 'release'
      ? 'The changes are being sent, one article after the other. Reload the page to see the progress.'
      : 'The articles get back what they had, one after the other. Reload the page to see the progress.'
  })
}

/** Adds the pages of a site's sets of changes. */
export const changesPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/changes', signedIn(front), (c) => list(c, front))
  app.get('/p/:site/changes/:change_set', signedIn(front), (c) => detail(c, front))
  app.post('/p/:site/changes/:change_set/release', signedIn(front), (c) => begin(c, front, 'release'))
  app.post('/p/:site/changes/:change_set/revert', signedIn(front), (c) => begin(c, front, 'revert'))
}

import type { Hono } from 'hono'
import type { MoveState } from '../../../schema/values/moves.ts'
import { has } from '../../accounts/people/roles.ts'
import { confirmMove, setMoveAside } from '../../publishing/move/confirm.ts'
import { moveSite, showMove } from '../../publishing/move/move.ts'
import { MoveSite } from '../../publishing/move/operations.ts'
import { ctxOf, idIn } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import type { Notice } from '../notice.ts'
import { Field, Moment, Table } from '../parts.tsx'
import { forPeople } from '../words.ts'
import { act, siteIdIn, siteIn, withSite } from './front.ts'
import { type Mark, MarkPill } from './parts.tsx'

type Move = NonNullable<Awaited<ReturnType<typeof showMove>>['move']>
type Article = Move['articles'][number]

const STATES: Record<MoveState, Mark> = {
  looking: ['accent', '…', 'The articles are looked for'],
  ready: ['warn', '◆', 'Waits for you'],
  moved: ['good', '●', 'Moved'],
  stopped: ['bad', '▲', 'Stopped'],
  replaced: ['plain', '□', 'Set aside'],
}

const counted = (n: number): string => (n === 1 ? '1 article' : `${n} articles`)

const Articles = ({ caption, site, rows }: { caption: string; site: number; rows: readonly Article[] }) => (
  <Table
    caption={caption}
    heads={['Article', 'Address now', 'Address at the new site']}
    rows={rows.map(({ article_id: id, title, old_url: old, new_url: found, reason }) => [
      <a href={sitePath(site, `articles/${id}`)}>{title}</a>,
      old,
      reason === null ? (found ?? '') : forPeople(reason),
    ])}
  />
)

/** Renders what was found, with the form by which a person confirms it. */
const Newest = ({ site, move, may }: { site: number; move: Move; may: boolean }) => {
  const staying = move.articles.filter(({ reason }) => reason !== null)
  const going = move.articles.filter(({ reason }) => reason === null)
  const isMoved = move.status === 'moved'
  const here = sitePath(site, 'move')
  return (
    <>
      <p>
        <MarkPill mark={STATES[move.status]} /> From {move.old_url} to {move.new_url}.{' '}
        {move.moved_at === null ? (
          <>
            Begun <Moment at={new Date(move.started_at)} />.
          </>
        ) : (
          <>
            Moved <Moment at={new Date(move.moved_at)} />.
          </>
        )}
      </p>
      {move.error !== null && <p class="notice bad">{forPeople(move.error)}</p>}
      <p>
        {counted(move.found)} of {move.wanted} found at the new address, {counted(move.not_found)} not found.{' '}
        {move.status === 'looking' && 'Reload the page to see the progress.'}
      </p>
      {move.status === 'ready' && may && (
        <>
          <p>
            When you confirm, the site has the new address, and the articles that were found have theirs. Articles that
            were not found keep the address that they have. Search numbers of the old addresses still count for their
            articles. Nothing is sent to either site.
          </p>
          <div class="row">
            <form method="post" action={`${here}/confirm`}>
              <input type="hidden" name="move" value={String(move.id)} />
              <button type="submit">Move the site</button>
            </form>
            <form method="post" action={`${here}/aside`}>
              <input type="hidden" name="move" value={String(move.id)} />
              <button class="plain" type="submit">
                Set aside
              </button>
            </form>
          </div>
        </>
      )}
      {staying.length > 0 && (
        <Articles
          caption={isMoved ? 'These kept their address' : 'These would keep their address'}
          site={site}
          rows={staying}
        />
      )}
      {going.length > 0 && (
        <Articles
          caption={isMoved ? 'These have a new address' : 'These were found at the new address'}
          site={site}
          rows={going}
        />
      )}
    </>
  )
}

const Begin = ({ site, typed }: { site: number; typed?: string | undefined }) => (
  <>
    <h2>Begin a move</h2>
    <p>
      For a site that has a new address already. Its articles are looked for there: at the same path, and where the old
      addresses lead. Nothing changes until you have seen what was found.
    </p>
    <form class="stack narrow" method="post" action={sitePath(site, 'move')}>
      <Field name="website_url" label="New address of the site" value={typed} required maxlength={2_000} />
      <button type="submit">Look for the articles</button>
    </form>
  </>
)

const page = async (c: PagesContext, front: Front) => {
  const [site, { move }] = await withSite(c, showMove(ctxOf(c, front), siteIdIn(c)))
  const may = has(c.get('person').role, 'manage')
  return await show(c, front, {
    title: 'Move the site to another address',
    menu: true,
    page: 'preferences',
    site: site.id,
    body: (
      <>
        {move && <Newest site={site.id} move={move} may={may} />}
        {move?.status !== 'looking' && may && <Begin site={site.id} />}
        {!move && !may && <p>The site was never moved. Owners and members of the account move it.</p>}
      </>
    ),
  })
}

/** Adds the page on which people move a site to another address. */
export const movePages = (app: Hono<PagesEnv>, front: Front): void => {
  const form = (
    path: string,
    verb: (c: PagesContext, site: number, fields: Record<string, string>) => Promise<Notice | string>,
  ) =>
    app.post(path, signedIn(front), async (c) => {
      const [{ id }, fields] = await Promise.all([siteIn(c), formOf(c)])
      return await act(c, front, sitePath(id, 'move'), () => verb(c, id, fields))
    })
  app.get('/p/:site/move', signedIn(front), (c) => page(c, front))
  form('/p/:site/move', async (c, site, fields) => {
    const { data } = MoveSite.safeParse({ website_url: fields.website_url ?? '' })
    if (!data) return { tone: 'bad', text: 'Nothing was done. Type the new address, such as https://new.example.' }
    await moveSite(ctxOf(c, front), site, data)
    return 'The articles are looked for. Reload the page to see the progress.'
  })
  form('/p/:site/move/confirm', async (c, site, fields) => {
    const moved = await confirmMove(ctxOf(c, front), c.get('person'), site, idIn(fields.move))
    return `The site is moved, with ${counted(moved)}. It is being read again. Connect the site again if its address at the CMS changed, too.`
  })
  form('/p/:site/move/aside', async (c, site, fields) => {
    await setMoveAside(ctxOf(c, front), site, idIn(fields.move))
    return 'The move is set aside. Nothing was changed.'
  })
}

import type { Hono } from 'hono'
import { GRACE_DAYS } from '../../accounts/people/leaving/delete.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { archiveProject, listArchived, unarchiveProject } from '../../accounts/projects/archive.ts'
import { deleteProject, keepProject, readErased } from '../../accounts/projects/delete.ts'
import { getProject, listProjects } from '../../accounts/projects/read.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { askToConfirm } from '../confirm.tsx'
import { ctxOf, idIn } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { hostOf, siteName, sitePath } from '../menu.ts'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Empty, Field, Moment, Table } from '../parts.tsx'
import { readStopping, type Stopping as StoppingCounts } from '../queries.ts'
import { PlaceCost } from '../site/cost.tsx'
import { askProof } from './proof.tsx'

type Row = { id: number; websiteUrl: string; businessName: string; eraseAt: Date | null }

type Listed = {
  caption: string
  rows: readonly Row[]
  verb: 'archive' | 'unarchive'
  label: string
  isOwner: boolean
  danger?: true
}

/** Returns the path of the page that deletes a project. */
export const deletionPath = (id: number): string => `${PATHS.projects}/${id}/delete`

/** Renders projects, each with a button to archive or restore it. */
const Projects = ({ caption, rows, verb, label, isOwner, danger }: Listed) => (
  <Table
    caption={caption}
    heads={['Site', 'Address', 'Number', '']}
    rows={rows.map(({ id, websiteUrl, businessName }) => [
      verb === 'archive' ? (
        <a href={sitePath(id, 'settings')}>{siteName({ name: businessName, url: websiteUrl })}</a>
      ) : (
        siteName({ name: businessName, url: websiteUrl })
      ),
      hostOf(websiteUrl),
      String(id),
      <>
        <ActionButton
          action={`${PATHS.projects}/${verb}`}
          label={label}
          name={hostOf(websiteUrl)}
          fields={{ id: String(id) }}
          {...(danger ? { danger } : {})}
        />{' '}
        {isOwner && (
          <a class="button plain" href={deletionPath(id)}>
            Delete
          </a>
        )}
      </>,
    ])}
  />
)

/** Renders the projects that are to be erased, each with a button to keep it. */
const Leaving = ({ rows, isOwner }: { rows: readonly Row[]; isOwner: boolean }) => (
  <Table
    caption="An owner deleted these; all their data is erased on the day"
    heads={['Site', 'Address', 'Erased on', '']}
    rows={rows.map(({ id, websiteUrl, businessName, eraseAt }) => [
      siteName({ name: businessName, url: websiteUrl }),
      hostOf(websiteUrl),
      eraseAt && <Moment at={eraseAt} />,
      isOwner ? (
        <ActionButton
          action={`${PATHS.projects}/keep`}
          label="Keep"
          name={hostOf(websiteUrl)}
          fields={{ id: String(id) }}
        />
      ) : (
        ''
      ),
    ])}
  />
)

const page = async (c: PagesContext, front: Front, notice?: Notice, status: 200 | 400 | 404 | 409 = 200) => {
  const [{ rows: active }, others] = await Promise.all([
    listProjects(ctxOf(c, front), {}),
    listArchived(ctxOf(c, front)),
  ])
  const isOwner = c.get('person').role === 'owner'
  const archived = others.filter(({ eraseAt }) => eraseAt === null)
  const leaving = others.filter(({ eraseAt }) => eraseAt !== null)
  return await show(c, front, {
    title: 'Sites',
    menu: true,
    status,
    notice,
    actions: (
      <a class="button plain" href="/setup">
        Add a site
      </a>
    ),
    body: (
      <>
        <p>
          Archived sites keep their data, and nothing of them is published. The state of each site is on the page of{' '}
          <a href={PATHS.sites}>all sites</a>. A site can also be <a href={PATHS.archives}>exported and imported</a>.
        </p>
        {active.length === 0 ? (
          <Empty>There is no active site.</Empty>
        ) : (
          <Projects
            caption="Active sites, newest first; each name leads to the settings of the site"
            rows={active}
            verb="archive"
            label="Archive"
            isOwner={isOwner}
            danger
          />
        )}
        {archived.length > 0 && <h2>Archived</h2>}
        {archived.length > 0 && <PlaceCost c={c} used={active.length} />}
        {archived.length > 0 && (
          <Projects
            caption="Nothing of these is published or scanned; their data stays"
            rows={archived}
            verb="unarchive"
            label="Bring back"
            isOwner={isOwner}
          />
        )}
        {leaving.length > 0 && <h2>Deleted</h2>}
        {leaving.length > 0 && <Leaving rows={leaving} isOwner={isOwner} />}
      </>
    ),
  })
}

const counted = (n: number, one: string, many: string): string => (n === 1 ? `1 ${one}` : `${n} ${many}`)

/** Renders sentences on the work that stops when a site is archived. */
const Stopping = ({ planned, suggestions, networks }: StoppingCounts) => (
  <>
    <ul>
      <li>{counted(planned, 'planned article will', 'planned articles will')} not go out.</li>
      <li>{counted(suggestions, 'open suggestion is', 'open suggestions are')} set aside.</li>
      <li>{counted(networks, 'social account gets', 'social accounts get')} no more posts.</li>
    </ul>
    <p>
      Nothing is deleted, and what is published stays at your site. You can bring the site back while the plan has a
      free place.
    </p>
  </>
)

type Asked = { status?: 400; typed?: string | undefined; error?: string }

/** Shows what is erased with a site, offers its archive, and asks for its address. */
const deletionPage = async (c: PagesContext, front: Front, { status, typed, error }: Asked) => {
  const { project, counts } = await readErased(ctxOf(c, front), idIn(c.req.param('id')))
  const host = hostOf(project.websiteUrl)
  return await show(c, front, {
    title: `Delete ${host}?`,
    menu: true,
    status: status ?? 200,
    body: (
      <>
        <p>
          From that moment on the site is archived: nothing is written, published, posted or charged for it, and its
          place is free. After {GRACE_DAYS} days this is erased for good:
        </p>
        <ul>
          <li>
            {counted(counts.articles, 'article', 'articles')} with all versions, {counts.published} of them published
          </li>
          <li>
            {counted(counts.deliveries, 'delivery', 'deliveries')} with their receipts, whose public links then lead
            nowhere
          </li>
          <li>
            {counted(counts.suggestions, 'suggestion', 'suggestions')} and{' '}
            {counted(counts.posts, 'social post', 'social posts')}
          </li>
          <li>search data, AI answers, approvals, the policy, connections, archives and backlinks</li>
        </ul>
        <p>
          Until then an owner can keep it. What is published stays at your site, with its pictures. The audit log of the
          account stays.
        </p>
        <h2>Keep a copy first</h2>
        <p>
          An archive has settings, articles with their versions, pictures and deliveries. It is at{' '}
          <a href={PATHS.archives}>Export and import of sites</a> when it is ready.
        </p>
        <ActionButton
          action={`${PATHS.archives}/export`}
          label="Make an archive"
          name={`of ${host}`}
          fields={{ id: String(project.id) }}
        />
        <h2>Delete the site</h2>
        <form class="stack narrow" method="post" action={deletionPath(project.id)}>
          <Field
            name="site"
            label="Address of the site"
            hint={`Type ${host} to confirm`}
            value={typed}
            error={error}
            required
            maxlength={500}
          />
          <button class="danger" type="submit">
            Delete this site
          </button>
        </form>
      </>
    ),
  })
}

const statusOf = (error: ApiError): 400 | 404 | 409 => {
  if (error.code === 'not_found' || error.code === 'forbidden') return 404
  return error.code === 'publish_in_progress' || error.code === 'edit_conflict' ? 409 : 400
}

/** Adds the page of active and archived projects. */
export const projectPages = (app: Hono<PagesEnv>, front: Front): void => {
  app.get(PATHS.projects, signedIn(front), (c) => page(c, front))
  const act = (
    path: string,
    verb: (ctx: Ctx, id: number, c: PagesContext) => Promise<unknown>,
    said: string,
    ask?: (c: PagesContext, fields: Record<string, string>) => Promise<Response | undefined>,
  ) =>
    app.post(path, signedIn(front), async (c) => {
      const fields = await formOf(c)
      try {
        const asking = await ask?.(c, fields)
        if (asking) return asking
        await verb(ctxOf(c, front), idIn(fields.id), c)
        return await backTo(c, front, PATHS.projects, { tone: 'good', text: said })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return await page(c, front, { tone: 'bad', text: error.message }, statusOf(error))
      }
    })
  act(
    `${PATHS.projects}/archive`,
    archiveProject,
    'The site is archived. Its place is free for another one.',
    async (c, fields) => {
      const { websiteUrl } = await getProject(ctxOf(c, front), idIn(fields.id))
      return await askToConfirm(c, front, fields, async () => ({
        title: `Archive ${hostOf(websiteUrl)}?`,
        body: <Stopping {...(await readStopping(front.deps.db, idIn(fields.id)))} />,
        label: 'Archive the site',
        back: PATHS.projects,
      }))
    },
  )
  act(`${PATHS.projects}/unarchive`, unarchiveProject, 'The site is active again.')
  act(
    `${PATHS.projects}/keep`,
    (ctx, id, c) => keepProject(ctx, c.get('person'), id),
    'The site stays. It is archived: bring it back to publish again.',
  )
  app.get(`${PATHS.projects}/:id/delete`, signedIn(front), (c) => deletionPage(c, front, {}))
  app.post(`${PATHS.projects}/:id/delete`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const id = idIn(c.req.param('id'))
    const project = await getProject(ctxOf(c, front), id)
    if (fields.site?.trim().toLowerCase() !== hostOf(project.websiteUrl).toLowerCase())
      return await deletionPage(c, front, { status: 400, typed: fields.site, error: 'That is not the address above.' })
    const asking = await askProof(c, front, fields)
    if (asking) return asking
    try {
      await deleteProject(ctxOf(c, front), c.get('person'), id)
      const text = `The site is archived, and erased after ${GRACE_DAYS} days. Until then an owner can keep it here.`
      return await backTo(c, front, PATHS.projects, { tone: 'good', text })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return await page(c, front, { tone: 'bad', text: error.message }, statusOf(error))
    }
  })
}

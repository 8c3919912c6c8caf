import type { Hono } from 'hono'
import { PATHS } from '../../accounts/people/paths.ts'
import { archiveProject, listArchived, unarchiveProject } from '../../accounts/projects/archive.ts'
import { getProject, listProjects } from '../../accounts/projects/read.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { askToConfirm } from '../confirm.tsx'
import { ctxOf, idIn } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { hostOf, siteName, sitePath } from '../menu.ts'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Empty, Table } from '../parts.tsx'
import { readStopping, type Stopping as StoppingCounts } from '../queries.ts'
import { PlaceCost } from '../site/cost.tsx'

type Listed = {
  caption: string
  rows: readonly { id: number; websiteUrl: string; businessName: string }[]
  verb: 'archive' | 'unarchive'
  label: string
  danger?: true
}

/** Renders projects, each with a button to archive or restore it. */
const Projects = ({ caption, rows, verb, label, danger }: Listed) => (
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
      <ActionButton
        action={`${PATHS.projects}/${verb}`}
        label={label}
        name={hostOf(websiteUrl)}
        fields={{ id: String(id) }}
        {...(danger ? { danger } : {})}
      />,
    ])}
  />
)

const page = async (c: PagesContext, front: Front, notice?: Notice, status: 200 | 400 | 404 | 409 = 200) => {
  const [{ rows: active }, archived] = await Promise.all([
    listProjects(ctxOf(c, front), {}),
    listArchived(ctxOf(c, front)),
  ])
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
          />
        )}
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

const statusOf = (error: ApiError): 400 | 404 | 409 => {
  if (error.code === 'not_found' || error.code === 'forbidden') return 404
  return error.code === 'publish_in_progress' || error.code === 'edit_conflict' ? 409 : 400
}

/** Adds the page of active and archived projects. */
export const projectPages = (app: Hono<PagesEnv>, front: Front): void => {
  app.get(PATHS.projects, signedIn(front), (c) => page(c, front))
  const act = (
    path: string,
    verb: typeof archiveProject | typeof unarchiveProject,
    said: string,
    ask?: (c: PagesContext, fields: Record<string, string>) => Promise<Response | undefined>,
  ) =>
    app.post(path, signedIn(front), async (c) => {
      const fields = await formOf(c)
      try {
        const asking = await ask?.(c, fields)
        if (asking) return asking
        await verb(ctxOf(c, front), idIn(fields.id))
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
}

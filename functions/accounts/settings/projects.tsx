import type { Hono } from 'hono'
import { ApiError } from '../../../src/lib/errors.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../../../src/pages/front.tsx'
import type { Notice } from '../../../src/pages/layout.tsx'
import { ActionButton, Empty, Table } from '../../../src/pages/parts.tsx'
import { PATHS } from '../../../src/people/paths.ts'
import { archiveProject, unarchiveProject } from '../../../src/projects/archive.ts'
import { listArchived } from '../../../src/projects/archived-list.ts'
import { listProjects } from '../../../src/projects/read.ts'
import { ctxOf, idIn } from './ctx.ts'

type Listed = {
  caption: string
  rows: readonly { id: number; websiteUrl: string; businessName: string }[]
  verb: 'archive' | 'unarchive'
  label: string
  danger?: true
}

/** Projects, each with what can be done about it. */
const Projects = ({ caption, rows, verb, label, danger }: Listed) => (
  <Table
    caption={caption}
    heads={['Website', 'Business', 'Id', '']}
    rows={rows.map(({ id, websiteUrl, businessName }) => [
      websiteUrl,
      businessName,
      String(id),
      <ActionButton
        action={`${PATHS.projects}/${verb}`}
        label={label}
        name={websiteUrl}
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
    title: 'Projects',
    menu: true,
    status,
    notice,
    body: (
      <>
        <p>One project for each website. Your agent makes them; here they are archived and brought back.</p>
        {active.length === 0 ? (
          <Empty>There is no active project.</Empty>
        ) : (
          <Projects caption="Active projects, newest first" rows={active} verb="archive" label="Archive" danger />
        )}
        {archived.length > 0 && <h2>Archived</h2>}
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

const statusOf = (error: ApiError): 400 | 404 | 409 => {
  if (error.code === 'not_found' || error.code === 'forbidden') return 404
  return error.code === 'publish_in_progress' || error.code === 'edit_conflict' ? 409 : 400
}

/** The page of projects, active and archived. */
export const projectPages = (app: Hono<PagesEnv>, front: Front): void => {
  app.get(PATHS.projects, signedIn(front), (c) => page(c, front))
  const act = (path: string, verb: typeof archiveProject | typeof unarchiveProject, said: string) =>
    app.post(path, signedIn(front), async (c) => {
      const { id } = await formOf(c)
      try {
        await verb(ctxOf(c, front), idIn(id))
        return await page(c, front, { tone: 'good', text: said })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return await page(c, front, { tone: 'bad', text: error.message }, statusOf(error))
      }
    })
  act(`${PATHS.projects}/archive`, archiveProject, 'The project is archived. Its slot is free.')
  act(`${PATHS.projects}/unarchive`, unarchiveProject, 'The project is active again.')
}

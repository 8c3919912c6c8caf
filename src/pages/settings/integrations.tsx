import type { Hono } from 'hono'
import { PATHS } from '../../accounts/people/paths.ts'
import { getProject, listProjects } from '../../accounts/projects/read.ts'
import { disconnect } from '../../insights/search/connect.ts'
import { connectUrl } from '../../insights/search/link.ts'
import type { SearchConsole } from '../../insights/search/port.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { ABILITIES, COLUMNS } from '../../providers/abilities.ts'
import { DEEDS } from '../../providers/publishing.ts'
import { disconnectIntegration, listConnections, testIntegration } from '../../publishing/connect/integrations.ts'
import type { ConnectionForms, TargetFactory } from '../../publishing/target/publish-target.ts'
import { askToConfirm } from '../confirm.tsx'
import { ctxOf, idIn } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { hostOf, labelOf, sitePath } from '../menu.ts'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, ConnectionPill, Empty, Moment, Select, Table } from '../parts.tsx'
import { readStopping } from '../queries.ts'
import { forPeople } from '../words.ts'
import { PLATFORM_NAMES } from './connect/fields.ts'

/** Dependencies of the pages for connections. */
export type IntegrationFront = Front & { targets: TargetFactory; forms: ConnectionForms; google: SearchConsole }

type Shown = {
  /** Id of the project to show; undefined for all. */
  project?: number | undefined
  notice?: Notice | undefined
  status?: 200 | 404 | 429 | 503
}

const SEARCH_CONSOLE = 'Google Search Console'

const NAMES = new Map(PLATFORM_NAMES)

type Row = Awaited<ReturnType<typeof listConnections>>['rows'][number]

/** Returns the path of the form that connects a site again, at the same platform. */
const connectPath = ({ projectId, platform }: Row): string =>
  `${PATHS.integrations}/connect?${new URLSearchParams({ project_id: String(projectId), platform })}`

const isFollower = ({ status }: Row): boolean => status === 'Following'

const Actions = ({ row }: { row: Row }) => {
  const isSearch = row.platform === SEARCH_CONSOLE
  const fields = { id: String(row.id), project_id: String(row.projectId) }
  return (
    <div class="row">
      <ActionButton
        action={`${PATHS.integrations}/${isSearch ? 'search-console' : 'test'}`}
        label={isSearch ? 'Manage' : 'Test'}
        name={row.name}
        fields={fields}
      />
      {!isSearch && !isFollower(row) && row.lastError !== null && (
        <a class="button plain" href={connectPath(row)} aria-label={`Connect again ${row.name}`}>
          Connect again
        </a>
      )}
      {row.platform === 'webhook' && !isFollower(row) && (
        <a
          class="button plain"
          href={sitePath(row.projectId, 'receiver')}
          aria-label={`Check the receiver ${row.name}`}
        >
          Check the receiver
        </a>
      )}
      <ActionButton
        action={`${PATHS.integrations}/${isSearch ? 'search-console/disconnect' : 'disconnect'}`}
        label="Disconnect"
        name={row.name}
        fields={fields}
        danger
      />
    </div>
  )
}

/** Roles of a new connection, by their value in the form. */
const ROLES = [
  ['home', 'The articles of the site, instead of the connection before'],
  ['copies', 'A copy of each article, which names the site’s as the original'],
] as const

const UNTRIED = 'Nothing was sent through it yet, so it is not known whether it works.'

type Project = { id: number; websiteUrl: string; businessName: string }

/** Renders the possible connections of a project: a form for each publishing target, and Search Console. */
const Connect = ({
  projects,
  chosen,
  google,
}: {
  projects: readonly Project[]
  chosen: number | undefined
  google: SearchConsole
}) => {
  const options = projects.map((one) => [String(one.id), labelOf(one)] as const)
  const project = <Select name="project_id" label="Site" options={options} chosen={String(chosen ?? '')} />
  return (
    <>
      <h2>Connect a site</h2>
      <form class="stack narrow" method="get" action={`${PATHS.integrations}/connect`}>
        {project}
        <Select name="platform" label="Where articles are published" options={PLATFORM_NAMES} />
        <Select name="role" label="What it gets" options={ROLES} chosen="home" />
        <button type="submit">Continue</button>
      </form>
      <Abilities />
      <h2>Connect Google Search Console</h2>
      {google.isConfigured ? (
        <form class="stack narrow" method="post" action={`${PATHS.integrations}/search-console`}>
          {project}
          <button type="submit">Continue to Search Console</button>
        </form>
      ) : (
        <p class="notice">Those who run this service have not set up Google Search Console.</p>
      )}
    </>
  )
}

/** Renders what each platform can do with an article. */
const Abilities = () => (
  <details>
    <summary>What each platform can do</summary>
    <Table
      caption={DEEDS.map((deed) => `${COLUMNS[deed].title}: ${COLUMNS[deed].meaning}`).join(' ')}
      heads={['Platform', ...DEEDS.map((deed) => COLUMNS[deed].title)]}
      rows={ABILITIES.map(({ name, does }) => [name, ...DEEDS.map((deed) => does[deed])])}
    />
  </details>
)

/** Renders the sites that have no publishing target. */
const WithoutTarget = ({
  projects,
  rows,
  chosen,
}: {
  projects: readonly Project[]
  rows: readonly Row[]
  chosen: number | undefined
}) => {
  const connected = new Set(
    rows.filter((one) => one.platform !== SEARCH_CONSOLE && !isFollower(one)).map(({ projectId }) => projectId),
  )
  const missing = projects.filter(({ id }) => !connected.has(id) && (chosen === undefined || id === chosen))
  if (missing.length === 0) return null
  return (
    <div class="notice warn">
      <p>
        {missing.length === 1 ? 'One site has' : `${missing.length} sites have`} nothing to publish to:{' '}
        {missing.slice(0, 10).map(labelOf).join(', ')}
        {missing.length > 10 && ' and others'}.
      </p>
    </div>
  )
}

/**
 * Shows the connections that exist and those that are possible.
 *
 * Throws `not_found` or `forbidden` for a project that is not the account's.
 */
const integrationsPage = async (c: PagesContext, front: IntegrationFront, shown: Shown = {}) => {
  const { project, notice, status = 200 } = shown
  const filter = project === undefined ? {} : { project_id: project }
  const [{ rows }, { rows: projects }] = await Promise.all([
    listConnections(ctxOf(c, front), filter),
    listProjects(ctxOf(c, front), {}),
  ])
  return await show(c, front, {
    title: 'Connections',
    site: project,
    menu: true,
    status,
    notice,
    body: (
      <>
        <p>
          Where articles are published and search data come from
          {project === undefined ? '' : ', for one site'}.{' '}
          {project !== undefined && <a href={PATHS.integrations}>Show all sites</a>}
        </p>
        {rows.length === 0 ? (
          <Empty>Nothing is connected yet.</Empty>
        ) : (
          <Table
            caption="Connected, newest first"
            heads={['Name', 'Platform', 'Site', 'State', 'Last tried', '']}
            rows={rows.map((one) => [
              one.name,
              `${NAMES.get(one.platform) ?? one.platform}${isFollower(one) ? ', gets copies' : ''}`,
              one.businessName || String(one.projectId),
              <>
                <ConnectionPill isTried={one.lastUsedAt !== null} error={one.lastError} />
                <span class="day">
                  {one.lastError !== null
                    ? forPeople(one.lastError)
                    : one.lastUsedAt === null
                      ? UNTRIED
                      : 'It accepted what was sent last.'}
                </span>
              </>,
              <Moment at={one.lastUsedAt} />,
              <Actions row={one} />,
            ])}
          />
        )}
        <WithoutTarget projects={projects} rows={rows} chosen={project} />
        {projects.length === 0 ? (
          <Empty>There is no site to connect anything to yet.</Empty>
        ) : (
          <Connect projects={projects} chosen={project} google={front.google} />
        )}
        <p>
          Accounts of social networks have <a href={PATHS.social}>a page of their own</a>.
        </p>
      </>
    ),
  })
}

/** Runs an action. Shows a refusal, such as a missing thing or an unavailable provider, as a page. */
export const refusalOf = async (c: PagesContext, front: Front, run: () => Promise<Response>): Promise<Response> => {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isAway = error.code === 'unavailable' || error.code === 'provider_unavailable'
    return await show(c, front, {
      title: isAway ? 'Not available' : 'Not found',
      menu: true,
      status: isAway ? 503 : 404,
      body: (
        <>
          <p>{error.message}</p>
          <p>
            <a href={PATHS.integrations}>All connections</a>
          </p>
        </>
      ),
    })
  }
}

/** Returns the path of the connections of one site, or of all. */
export const pageFor = (project: number | undefined): string =>
  project ? `${PATHS.integrations}?project_id=${project}` : PATHS.integrations

const Disconnecting = ({ planned }: { planned: number }) => (
  <>
    <p>
      {planned === 1 ? '1 planned article has' : `${planned} planned articles have`} nowhere to go until something is
      connected again. What is published stays at the site.
    </p>
    <p>The saved password or token is deleted here.</p>
  </>
)

const Unfollowing = () => (
  <p>No more copies are sent there. Those that it has stay. The saved password or token is deleted here.</p>
)

const TESTS = { name: 'people.test_integration', perMinute: 10 }

/** Adds the page of publishing targets and search data. `connect_url` of the API leads here. */
export const integrationPages = (app: Hono<PagesEnv>, front: IntegrationFront): void => {
  const act = (path: string, run: (c: PagesContext, fields: Record<string, string>) => Promise<Response>) =>
    app.post(`${PATHS.integrations}${path}`, signedIn(front), async (c) => {
      const fields = await formOf(c)
      return await refusalOf(c, front, () => run(c, fields))
    })
  app.get(PATHS.integrations, signedIn(front), (c) => {
    const project = idIn(c.req.query('project_id'))
    return refusalOf(c, front, () => integrationsPage(c, front, project === 0 ? {} : { project }))
  })
  act('/disconnect', async (c, fields) => {
    const { id } = fields
    const { rows } = await listConnections(ctxOf(c, front), {})
    const row = rows.find((one) => one.id === idIn(id) && one.platform !== SEARCH_CONSOLE)
    const asking =
      row &&
      (await askToConfirm(c, front, fields, async () => ({
        title: `Disconnect “${row.name}”?`,
        body: isFollower(row) ? (
          <Unfollowing />
        ) : (
          <Disconnecting planned={(await readStopping(front.deps.db, row.projectId)).planned} />
        ),
        label: 'Disconnect',
        back: pageFor(row.projectId),
      })))
    if (asking) return asking
    await disconnectIntegration(ctxOf(c, front), idIn(id))
    return await backTo(c, front, pageFor(row?.projectId), {
      tone: 'good',
      text: 'Disconnected. Its secrets are deleted.',
    })
  })
  act('/test', async (c, { id, project_id: given }) => {
    const { allowed } = await front.deps.limiter.take(TESTS, String(c.get('person').accountId))
    if (!allowed)
      return await integrationsPage(c, front, {
        status: 429,
        project: idIn(given) === 0 ? undefined : idIn(given),
        notice: { tone: 'bad', text: 'Too many tests. Wait a minute.' },
      })
    const tested = await testIntegration(ctxOf(c, front), front.targets, idIn(id), {})
    const took = `${tested.duration_ms} ms`
    const notice: Notice =
      tested.status === 'ok'
        ? {
            tone: 'warning' in tested ? 'warn' : 'good',
            text: `The test succeeded after ${took}. ${'warning' in tested ? tested.warning : ''}`.trim(),
          }
        : { tone: 'bad', text: `The test failed. ${forPeople('error' in tested ? tested.error : tested.message)}` }
    return await backTo(c, front, pageFor(idIn(given)), notice)
  })
  act('/search-console', async (c, { project_id: given }) => {
    const { id: project } = await getProject(ctxOf(c, front), idIn(given))
    return c.redirect(await connectUrl(front.deps, { project, account: c.get('person').accountId }), 303)
  })
  act('/search-console/disconnect', async (c, fields) => {
    const { project_id: given } = fields
    const { id: project, websiteUrl } = await getProject(ctxOf(c, front), idIn(given))
    const asking = await askToConfirm(c, front, fields, () => ({
      title: `Disconnect Search Console from ${hostOf(websiteUrl)}?`,
      body: <p>Its search data are deleted here, and no more suggestions are made from them. Google keeps its own.</p>,
      label: 'Disconnect',
      back: pageFor(project),
    }))
    if (asking) return asking
    const { message } = await disconnect(ctxOf(c, front), front.google, project)
    return await backTo(c, front, pageFor(project), { tone: 'good', text: message })
  })
}

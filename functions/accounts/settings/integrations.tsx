import type { Hono } from 'hono'
import { ApiError } from '../../../src/lib/errors.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../../../src/pages/front.tsx'
import type { Notice } from '../../../src/pages/layout.tsx'
import { ActionButton, Empty, Moment, Select, Table } from '../../../src/pages/parts.tsx'
import { PATHS } from '../../../src/people/paths.ts'
import { getProject, listProjects } from '../../../src/projects/read.ts'
import {
  disconnectIntegration,
  listIntegrations,
  testIntegration,
} from '../../../src/publishing/connect/integrations.ts'
import type { ConnectionForms, TargetFactory } from '../../../src/publishing/target/publish-target.ts'
import { disconnect } from '../../../src/search/connect.ts'
import { connectUrl } from '../../../src/search/link.ts'
import type { SearchConsole } from '../../../src/search/port.ts'
import { PLATFORM_NAMES } from './connect/fields.ts'
import { ctxOf, idIn } from './ctx.ts'

export type IntegrationFront = Front & { targets: TargetFactory; forms: ConnectionForms; google: SearchConsole }

type Shown = {
  /** Only this project's. */
  project?: number | undefined
  notice?: Notice | undefined
  status?: 200 | 404 | 429 | 503
  /** Of a webhook that was just connected. */
  signingSecret?: string | undefined
}

const SEARCH_CONSOLE = 'Google Search Console'

const Secret = ({ secret }: { secret: string }) => (
  <div class="notice good" role="status">
    <p>The signing secret of the webhook. Copy it now: it is shown only this once.</p>
    <code class="secret">{secret}</code>
  </div>
)

type Row = Awaited<ReturnType<typeof listIntegrations>>['rows'][number]

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

type Project = { id: number; websiteUrl: string }

/** What can be connected to a project: a publishing target by a form, Search Console at Google. */
const Connect = ({
  projects,
  chosen,
  google,
}: {
  projects: readonly Project[]
  chosen: number | undefined
  google: SearchConsole
}) => {
  const options = projects.map(({ id, websiteUrl }) => [String(id), websiteUrl] as const)
  const project = <Select name="project_id" label="Project" options={options} chosen={String(chosen ?? '')} />
  return (
    <>
      <h2>Connect a site</h2>
      <form class="stack narrow" method="get" action={`${PATHS.integrations}/connect`}>
        {project}
        <Select name="platform" label="Where articles are published" options={PLATFORM_NAMES} />
        <button type="submit">Continue</button>
      </form>
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

/** The page of what is connected, and what can be. Throws 404 and 403 for a project that is not the account's. */
export const integrationsPage = async (c: PagesContext, front: IntegrationFront, shown: Shown = {}) => {
  const { project, notice, status = 200, signingSecret } = shown
  const filter = project === undefined ? {} : { project_id: project }
  const [{ rows }, { rows: projects }] = await Promise.all([
    listIntegrations(ctxOf(c, front), filter),
    listProjects(ctxOf(c, front), {}),
  ])
  return await show(c, front, {
    title: 'Integrations',
    menu: true,
    status,
    notice,
    body: (
      <>
        {signingSecret !== undefined && <Secret secret={signingSecret} />}
        <p>
          Where articles are published and search data come from
          {project === undefined ? '' : `, for project ${project}`}.{' '}
          {project !== undefined && <a href={PATHS.integrations}>Show all projects</a>}
        </p>
        {rows.length === 0 ? (
          <Empty>Nothing is connected yet.</Empty>
        ) : (
          <Table
            caption="Connected, newest first"
            heads={['Name', 'Platform', 'Project', 'State', 'Last used', '']}
            rows={rows.map((one) => [
              one.name,
              one.platform,
              one.businessName || String(one.projectId),
              one.lastError ?? 'in order',
              <Moment at={one.lastUsedAt} />,
              <Actions row={one} />,
            ])}
          />
        )}
        {projects.length === 0 ? (
          <Empty>There is no project to connect anything to. Your agent makes projects.</Empty>
        ) : (
          <Connect projects={projects} chosen={project} google={front.google} />
        )}
        <p>
          Accounts of social networks stand <a href={PATHS.social}>on a page of their own</a>.
        </p>
      </>
    ),
  })
}

/** Shows what is not there, or does not answer, as a page with words. */
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
            <a href={PATHS.integrations}>All integrations</a>
          </p>
        </>
      ),
    })
  }
}

const TESTS = { name: 'people.test_integration', perMinute: 10 }

/** The page of publishing targets and search data, where `connect_url` leads. */
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
  act('/disconnect', async (c, { id }) => {
    await disconnectIntegration(ctxOf(c, front), idIn(id))
    const notice: Notice = { tone: 'good', text: 'Disconnected. Its secrets are deleted.' }
    return await integrationsPage(c, front, { notice })
  })
  act('/test', async (c, { id }) => {
    const { allowed } = await front.deps.limiter.take(TESTS, String(c.get('person').accountId))
    if (!allowed)
      return await integrationsPage(c, front, {
        status: 429,
        notice: { tone: 'bad', text: 'Too many tests. Wait a minute.' },
      })
    const tested = await testIntegration(ctxOf(c, front), front.targets, idIn(id), {})
    const took = `${tested.duration_ms} ms`
    const notice: Notice =
      tested.status === 'ok'
        ? {
            tone: 'good',
            text: `The test succeeded after ${took}. ${'warning' in tested ? tested.warning : ''}`.trim(),
          }
        : { tone: 'bad', text: `The test failed: ${'error' in tested ? tested.error : tested.message}` }
    return await integrationsPage(c, front, { notice })
  })
  act('/search-console', async (c, { project_id: given }) => {
    const { id: project } = await getProject(ctxOf(c, front), idIn(given))
    return c.redirect(await connectUrl(front.deps, { project, account: c.get('person').accountId }), 303)
  })
  act('/search-console/disconnect', async (c, { project_id: given }) => {
    const { message } = await disconnect(ctxOf(c, front), front.google, idIn(given))
    return await integrationsPage(c, front, { notice: { tone: 'good', text: message } })
  })
}

import type { Hono } from 'hono'
import { ApiError } from '../../../src/lib/errors.ts'
import { PATHS } from '../../../src/people/paths.ts'
import { disconnectIntegration, listIntegrations } from '../../../src/publishing/connect/integrations.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import type { Notice } from '../pages/layout.tsx'
import { ActionButton, Empty, Table } from '../pages/parts.tsx'
import { ctxOf } from './ctx.ts'

const page = async (c: PagesContext, front: Front, notice?: Notice, status: 200 | 404 = 200) => {
  const asked = c.req.query('project_id') ?? ''
  const project = /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : undefined
  const { publicUrl } = front.deps.settings
  const filter = project === undefined ? {} : { project_id: project }
  const { rows } = await listIntegrations(ctxOf(c, front), filter)
  const shown = project ?? 'ID'
  return await show(c, front, {
    title: 'Integrations',
    menu: true,
    status,
    notice,
    body: (
      <>
        <p>
          Where articles are published{project === undefined ? '' : `, for project ${project}`}.{' '}
          {project !== undefined && <a href={PATHS.integrations}>Show all projects</a>}
        </p>
        {rows.length === 0 ? (
          <Empty>Nothing is connected yet.</Empty>
        ) : (
          <Table
            caption="Connected, newest first"
            heads={['Name', 'Platform', 'Project', '']}
            rows={rows.map((one) => [
              one.name,
              one.platform,
              String(one.projectId),
              <ActionButton
                action={`${PATHS.integrations}/disconnect`}
                label="Disconnect"
                name={one.name}
                fields={{ id: String(one.id) }}
                danger
              />,
            ])}
          />
        )}
        <h2>Connect a site</h2>
        <p>
          With a <a href={PATHS.keys}>key</a> that may change things, connect a WordPress site by the key of its plugin:
        </p>
        <code class="secret">{`curl ${publicUrl}/api/v1/projects/${shown}/cms-site -H "Authorization: Bearer KEY" -H "Content-Type: application/json" -d '{"cms_url": "https://blog.example", "integration_key": "wpk_…"}'`}</code>
        <p>or a receiver of your own:</p>
        <code class="secret">{`curl ${publicUrl}/api/v1/projects/${shown}/integrations -H "Authorization: Bearer KEY" -H "Content-Type: application/json" -d '{"platform": "webhook", "url": "https://receiver.example/hook", "access_token": "TOKEN"}'`}</code>
      </>
    ),
  })
}

/** The page of publishing targets, where `connect_url` leads. */
export const integrationPages = (app: Hono<PagesEnv>, front: Front): void => {
  const guarded = async (c: PagesContext, run: () => Promise<Response>): Promise<Response> => {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return await show(c, front, { title: 'Integrations', menu: true, status: 404, body: <p>{error.message}</p> })
    }
  }
  app.get(PATHS.integrations, signedIn(front), (c) => guarded(c, () => page(c, front)))
  app.post(`${PATHS.integrations}/disconnect`, signedIn(front), (c) =>
    guarded(c, async () => {
      const { id = '' } = await formOf(c)
      await disconnectIntegration(ctxOf(c, front), /^[1-9]\d{0,8}$/.test(id) ? Number(id) : 0)
      return await page(c, front, { tone: 'good', text: 'Disconnected. Its secrets are forgotten.' })
    }),
  )
}

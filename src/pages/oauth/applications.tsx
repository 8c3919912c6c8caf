import type { Hono } from 'hono'
import { applicationsOf, endApplication } from '../../accounts/oauth/grants.ts'
import { scopeLabel } from '../../accounts/people/keys.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { askToConfirm } from '../confirm.tsx'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Empty, Moment, Table } from '../parts.tsx'
import type { OAuthFront } from './consent.tsx'

const page = async (c: PagesContext, front: OAuthFront, notice?: Notice, status: 200 | 404 = 200) => {
  const { deps } = front
  const applications = await applicationsOf(deps.db, c.get('person').accountId, deps.now())
  return await show(c, front, {
    title: 'Connected applications',
    menu: true,
    status,
    notice,
    body: (
      <>
        <p>
          Agents connect to <code>{deps.settings.publicUrl}/mcp</code> and ask for access. Those that have it are listed
          here. Ending one refuses its next call.
        </p>
        {applications.length === 0 ? (
          <Empty>No application is connected.</Empty>
        ) : (
          <Table
            caption="Applications with access, newest first"
            heads={['Application', 'Returns to', 'May', 'Since', 'Last used', '']}
            rows={applications.map((one) => [
              one.name,
              one.host,
              scopeLabel(one.scopes),
              <Moment at={one.createdAt} />,
              <Moment at={one.lastUsedAt} />,
              <ActionButton
                action={`${PATHS.applications}/end`}
                label="End"
                name={one.name}
                fields={{ grant: one.grantId }}
                danger
              />,
            ])}
          />
        )}
      </>
    ),
  })
}

/** Adds the page of applications that have access by OAuth. */
export const applicationPages = (app: Hono<PagesEnv>, front: OAuthFront): void => {
  const { db, now } = front.deps
  app.get(PATHS.applications, signedIn(front), (c) => page(c, front))
  app.post(`${PATHS.applications}/end`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const { grant = '' } = fields
    const asking = await askToConfirm(c, front, fields, () => ({
      title: 'End this application?',
      body: <p>Its next call is refused. It can ask to be let in again.</p>,
      label: 'End the application',
      back: PATHS.applications,
    }))
    if (asking) return asking
    const done = await endApplication({ oauth: front.oauth, db, now }, c.get('person').accountId, grant)
    return done
      ? await backTo(c, front, PATHS.applications, {
          tone: 'good',
          text: 'The application is ended: its next call is refused.',
        })
      : await page(c, front, { tone: 'bad', text: 'There is no such application.' }, 404)
  })
}

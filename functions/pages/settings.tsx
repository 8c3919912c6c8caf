import type { Hono } from 'hono'
import type { Role } from '../../schema/values/people.ts'
import { PATHS } from '../../src/accounts/people/paths.ts'
import { accountsFor } from '../../src/accounts/people/person.ts'
import { has, withArticle } from '../../src/accounts/people/roles.ts'
import {
  formOf,
  type MailingFront,
  type PagesEnv,
  previousPath,
  rememberTheme,
  show,
  signedIn,
} from '../../src/pages/front.tsx'
import { For } from '../../src/pages/parts.tsx'
import { Accounts, LeaveButton, NameForm, namePages, switchPages } from '../../src/pages/settings/accounts.tsx'
import { archivesPages } from '../../src/pages/settings/archives.tsx'
import { auditPages } from '../../src/pages/settings/audit-log.tsx'
import { type BillingFront, billingPages, PLAN_NAMES } from '../../src/pages/settings/billing.tsx'
import { connectPages } from '../../src/pages/settings/connect/pages.tsx'
import { eventEndpointPages } from '../../src/pages/settings/event-endpoints.tsx'
import { googleBusinessPages } from '../../src/pages/settings/google-business.tsx'
import { type IntegrationFront, integrationPages } from '../../src/pages/settings/integrations.tsx'
import { keyPages } from '../../src/pages/settings/keys.tsx'
import { leavingPages } from '../../src/pages/settings/leaving.tsx'
import { noticeListPages } from '../../src/pages/settings/notice-list.tsx'
import { noticePages } from '../../src/pages/settings/notices.tsx'
import { peoplePages } from '../../src/pages/settings/people.tsx'
import { profilePages } from '../../src/pages/settings/profile.tsx'
import { projectPages } from '../../src/pages/settings/projects.tsx'
import { type ProviderFront, providerKeyPages } from '../../src/pages/settings/provider-keys.tsx'
import { type SocialFront, socialPages } from '../../src/pages/settings/social.tsx'
import { undoPages } from '../../src/pages/settings/undo.tsx'
import { setupPages } from '../../src/pages/site/setup.tsx'

const YOU_DO: Record<Role, string> = {
  owner: 'you may do everything',
  member: 'you may do everything but people, plan and deletion',
  editor: 'you may work on the articles of one site',
  client: 'you may read one site and decide what waits for approval',
}

/** Dependencies of the pages of an account. */
export type SettingsFront = MailingFront & ProviderFront & IntegrationFront & SocialFront & BillingFront

/** Registers the pages on which people keep their account. */
export const settingsOf = (app: Hono<PagesEnv>, front: SettingsFront): void => {
  app.post(PATHS.theme, async (c) => {
    rememberTheme(c, front, (await formOf(c)).theme)
    return c.redirect(previousPath(c), 303)
  })
  app.get(PATHS.settings, signedIn(front), async (c) => {
    const me = c.get('person')
    const { id, email, plan, accountId, role } = me
    const accounts = await accountsFor(front.deps.db, id)
    const mine = accounts.find((one) => one.id === accountId)
    return show(c, front, {
      title: 'Account',
      menu: true,
      body: (
        <>
          <dl>
            <dt>Signed in as</dt>
            <dd>{email}</dd>
            <dt>You are</dt>
            <dd>
              {withArticle(role)}: {YOU_DO[role]}
            </dd>
            <For right="manage">
              <dt>Plan</dt>
              <dd>
                {PLAN_NAMES[plan]} (<a href={PATHS.billing}>change it</a>)
              </dd>
            </For>
            <dt>Account</dt>
            <dd>{mine?.called ?? email}</dd>
            <dt>Account ID, for questions to support</dt>
            <dd>{accountId}</dd>
          </dl>
          {role === 'owner' && <NameForm name={mine?.name ?? ''} />}
          <Accounts me={me} accounts={accounts} />
          {!has(role, 'manage') && <LeaveButton me={me} />}
        </>
      ),
    })
  })
  setupPages(app, front)
  keyPages(app, front)
  projectPages(app, front)
  archivesPages(app, front)
  integrationPages(app, front)
  connectPages(app, front)
  socialPages(app, front)
  googleBusinessPages(app, front)
  providerKeyPages(app, front)
  eventEndpointPages(app, front)
  billingPages(app, front)
  peoplePages(app, front)
  switchPages(app, front)
  namePages(app, front)
  leavingPages(app, front)
  auditPages(app, front)
  undoPages(app, front)
  noticePages(app, front)
  noticeListPages(app, front)
  profilePages(app, front)
}

import { frontApp, type MailingFront, show, signedIn } from '../../src/pages/front.tsx'
import { STYLES } from '../../src/pages/layout.tsx'
import { PATHS } from '../../src/people/paths.ts'
import { STYLE } from './pages/style.ts'
import { auditPages } from './settings/audit-log.tsx'
import { type BillingFront, billingHook, billingPages } from './settings/billing.tsx'
import { connectPages } from './settings/connect/pages.tsx'
import { googleBusinessPages } from './settings/google-business.tsx'
import { type IntegrationFront, integrationPages } from './settings/integrations.tsx'
import { keyPages } from './settings/keys.tsx'
import { leavingPages } from './settings/leaving.tsx'
import { Accounts, peoplePages, switchPages } from './settings/people.tsx'
import { projectPages } from './settings/projects.tsx'
import { type ProviderFront, providerKeyPages } from './settings/provider-keys.tsx'
import { type SocialFront, socialPages } from './settings/social.tsx'

/** The accounts Worker: the pages on which people keep their account. */
export const accountsApp = (front: MailingFront & ProviderFront & IntegrationFront & SocialFront & BillingFront) => {
  const app = frontApp(front)
  app.get(STYLES, (c) => {
    c.header('Cache-Control', 'public, max-age=300')
    return c.body(STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8' })
  })
  app.get(PATHS.settings, signedIn(front), (c) => {
    const { email, plan, accountId, role } = c.get('person')
    return show(c, front, {
      title: 'Account',
      menu: true,
      body: (
        <>
          <dl>
            <dt>Signed in as</dt>
            <dd>{email}</dd>
            <dt>Account</dt>
            <dd>{accountId}</dd>
            <dt>You are</dt>
            <dd>{role}</dd>
            <dt>Plan</dt>
            <dd>{plan}</dd>
          </dl>
          <Accounts c={c} front={front} />
        </>
      ),
    })
  })
  keyPages(app, front)
  projectPages(app, front)
  integrationPages(app, front)
  connectPages(app, front)
  socialPages(app, front)
  googleBusinessPages(app, front)
  providerKeyPages(app, front)
  billingPages(app, front)
  peoplePages(app, front)
  switchPages(app, front)
  leavingPages(app, front)
  auditPages(app, front)
  const hook = billingHook(front)
  const fetch: typeof app.fetch = (request, env, ctx) =>
    new URL(request.url).pathname === PATHS.stripeEvents ? hook.fetch(request, env, ctx) : app.fetch(request, env, ctx)
  return { fetch, routes: [...app.routes, ...hook.routes] }
}

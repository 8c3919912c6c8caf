import { PATHS } from '../../src/people/paths.ts'
import { renewSession, withSession } from '../../src/people/session-cookie.ts'
import { frontApp, show, signedIn } from './front.tsx'
import { invitationPages } from './invitation.tsx'
import { type OAuthFront, oauthServer } from './oauth.tsx'
import { KeywordHelp } from './pages/keyword-help.tsx'
import { applicationPages } from './settings/applications.tsx'
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
import { securityPages } from './settings/security.tsx'
import { type SocialFront, socialPages } from './settings/social.tsx'
import { signInPages } from './sign-in.tsx'

/** The accounts Worker: the pages of people, and the OAuth server. */
export const accountsApp = (front: OAuthFront & ProviderFront & IntegrationFront & SocialFront & BillingFront) => {
  const app = frontApp(front)
  signInPages(app, front)
  invitationPages(app, front)
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
  applicationPages(app, front)
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
  securityPages(app, front)
  app.get(PATHS.keywordHelp, (c) => show(c, front, { title: 'Keyword data', body: <KeywordHelp /> }))
  const protocol = oauthServer(app, front)
  const hook = billingHook(front)
  const serve: typeof app.fetch = (request, env, ctx) => {
    const { pathname } = new URL(request.url)
    if (pathname === PATHS.stripeEvents) return hook.fetch(request, env, ctx)
    return protocol.takes(pathname) ? protocol.fetch(request, env, ctx) : app.fetch(request, env, ctx)
  }
  const fetch = async (...[given, env, ctx]: Parameters<typeof app.fetch>): Promise<Response> => {
    if (!given.headers.has('cookie')) return await serve(given, env, ctx)
    const { sessionToken } = (await front.auth.$context).authCookies
    const { request, setCookie } = await renewSession(given, sessionToken, front.secrets)
    return withSession(await serve(request, env, ctx), sessionToken, setCookie)
  }
  return { fetch }
}

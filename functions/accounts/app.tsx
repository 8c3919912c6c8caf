import { PATHS } from '../../src/people/paths.ts'
import { frontApp, show, signedIn } from './front.tsx'
import { type OAuthFront, oauthServer } from './oauth.tsx'
import { signInPages } from './sign-in.tsx'

/** The accounts Worker: the pages of people, and the OAuth server. */
export const accountsApp = (front: OAuthFront) => {
  const app = frontApp(front)
  signInPages(app, front)
  app.get(PATHS.settings, signedIn(front), (c) => {
    const { email, plan, accountId } = c.get('person')
    return show(c, front, {
      title: 'Account',
      menu: true,
      body: (
        <dl>
          <dt>Signed in as</dt>
          <dd>{email}</dd>
          <dt>Account</dt>
          <dd>{accountId}</dd>
          <dt>Plan</dt>
          <dd>{plan}</dd>
        </dl>
      ),
    })
  })
  const protocol = oauthServer(app, front)
  const fetch: typeof app.fetch = (request, env, ctx) =>
    protocol.takes(new URL(request.url).pathname) ? protocol.fetch(request, env, ctx) : app.fetch(request, env, ctx)
  return { fetch }
}

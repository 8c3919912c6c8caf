import { PATHS } from '../../src/people/paths.ts'
import { type Front, frontApp, show, signedIn } from './front.tsx'
import { signInPages } from './sign-in.tsx'

/** The accounts Worker: the pages of people. */
export const accountsApp = (front: Front) => {
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
  return app
}

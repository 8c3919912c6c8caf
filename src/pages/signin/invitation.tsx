import type { Hono } from 'hono'
import { accept, readInvitation } from '../../accounts/people/members.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { ROLE_WORDS, withArticle } from '../../accounts/people/roles.ts'
import {
  addressIn,
  type Front,
  formOf,
  type PagesContext,
  type PagesEnv,
  sessionIn,
  show,
  tooOften,
} from '../front.tsx'
import { TokenForm } from './forms.tsx'

const LOOKS = { name: 'people.address', perMinute: 20 }

const gone = (c: PagesContext, front: Front) =>
  show(c, front, {
    title: 'No such invitation',
    status: 404,
    body: <p>It was accepted or withdrawn, or it is older than seven days. Ask for another.</p>,
  })

const SignInFirst = ({ next }: { next: string }) => {
  const to = (path: string) => `${path}?next=${encodeURIComponent(next)}`
  return (
    <>
      <p>Sign in with that address first, or create an account with it; then you come back here.</p>
      <p>
        <a class="button" href={to(PATHS.signIn)}>
          Sign in
        </a>
      </p>
      <p>
        <a href={to(PATHS.link)}>Sign in with a link by mail</a>
      </p>
      <p>
        <a href={to(PATHS.signUp)}>Create an account</a>
      </p>
    </>
  )
}

const SomebodyElse = ({ email }: { email: string }) => (
  <>
    <p>You are signed in as {email}. Sign out, then open the link of the mail again.</p>
    <form method="post" action={PATHS.signOut}>
      <button type="submit">Sign out</button>
    </form>
  </>
)

/**
 * Adds the page of a mailed invitation. Only a person with the invited, confirmed address can accept it.
 *
 * Opening the page changes nothing.
 */
export const invitationPages = (app: Hono<PagesEnv>, front: Front): void => {
  app.get(PATHS.invitation, async (c) => {
    const refused = await tooOften(c, front, [[LOOKS, addressIn(c)]])
    if (refused) return refused
    const token = c.req.query('token') ?? ''
    const [invitation, session] = await Promise.all([readInvitation(front.deps, token), sessionIn(c, front)])
    if (!invitation) return await gone(c, front)
    const user = session?.user.emailVerified ? session.user : undefined
    const isTheirs = user?.email.toLowerCase() === invitation.email
    const next = `${PATHS.invitation}?token=${encodeURIComponent(token)}`
    return await show(c, front, {
      title: 'Invitation',
      body: (
        <>
          <p>
            {invitation.invitedBy} invites {invitation.email} to work in{' '}
            {invitation.accountName === '' ? 'their account' : `the account ${invitation.accountName}`} at{' '}
            {front.deps.settings.serviceName}, as {withArticle(invitation.role)}: {ROLE_WORDS[invitation.role]}.
          </p>
          {!user && <SignInFirst next={next} />}
          {user && !isTheirs && <SomebodyElse email={user.email} />}
          {isTheirs && <TokenForm action={PATHS.invitation} label="Accept" token={token} />}
        </>
      ),
    })
  })

  app.post(PATHS.invitation, async (c) => {
    const refused = await tooOften(c, front, [[LOOKS, addressIn(c)]])
    if (refused) return refused
    const { token = '' } = await formOf(c)
    const session = await sessionIn(c, front)
    if (!session) return c.redirect(`${PATHS.invitation}?token=${encodeURIComponent(token)}`, 303)
    const done = await accept(front.deps, session.user.id, token)
    return done ? c.redirect(PATHS.home, 303) : await gone(c, front)
  })
}

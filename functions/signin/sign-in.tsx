import type { Hono } from 'hono'
import { emailIn } from '../../src/pages/email.ts'
import {
  addressIn,
  type Front,
  formOf,
  goTo,
  type PagesContext,
  type PagesEnv,
  show,
  tooOften,
} from '../../src/pages/front.tsx'
import type { Notice } from '../../src/pages/layout.tsx'
import type { Auth } from '../../src/people/auth.ts'
import { renewToken } from '../../src/people/mailed-token.ts'
import { PATHS, safeNext } from '../../src/people/paths.ts'
import type { SessionSecrets } from '../../src/people/secret.ts'
import { MailForm, NewPasswordForm, SignInForm, SignUpForm, TokenForm, type Wrong } from './pages/sign-in.tsx'

export type SignInFront = Front & { auth: Auth; secrets: SessionSecrets }

/** Tries a minute: of one address of the network, and for one e-mail address. */
const BY_ADDRESS = { name: 'people.address', perMinute: 20 }
const BY_EMAIL = { name: 'people.email', perMinute: 5 }
const MAILS_TO = { name: 'people.mails', perMinute: 3 }

const BAD_EMAIL: Wrong = { email: 'That is not an e-mail address.' }
const BAD_PASSWORD = 'The password must have 10 to 200 characters.'
const WRONG: Wrong = {
  password: 'The address or the password is wrong, or the address is not confirmed yet. Look at your mail too.',
}
const USED_UP: Notice = { tone: 'bad', text: 'The link was used before, or it is too old. Ask for a new one.' }

const looked = (text: string) => <p>{text} Nothing came? Look among the junk mail, and check the address.</p>

const nextIn = (c: PagesContext, fields: Record<string, string> = {}): string | undefined => {
  const next = fields.next ?? c.req.query('next')
  return next === undefined ? undefined : safeNext(next)
}

/** Signing in with a password. */
const passwords = (app: Hono<PagesEnv>, front: SignInFront): void => {
  const { auth } = front
  app.get(PATHS.signIn, (c) => show(c, front, { title: 'Sign in', body: <SignInForm next={nextIn(c)} /> }))
  app.post(PATHS.signIn, async (c) => {
    const fields = await formOf(c)
    const email = emailIn(fields)
    const next = nextIn(c, fields)
    const again = (wrong: Wrong) =>
      show(c, front, {
        title: 'Sign in',
        status: 400,
        body: <SignInForm next={next} email={fields.email} wrong={wrong} />,
      })
    if (email === undefined) return again(BAD_EMAIL)
    const refused = await tooOften(c, front, [
      [BY_ADDRESS, addressIn(c)],
      [BY_EMAIL, email],
    ])
    if (refused) return refused
    const answer = await auth.api.signInEmail({
      body: { email, password: fields.password ?? '' },
      headers: c.req.raw.headers,
      asResponse: true,
    })
    return answer.ok ? goTo(c, next ?? PATHS.settings, answer) : again(WRONG)
  })
  app.post(PATHS.signOut, async (c) => {
    const answer = await auth.api.signOut({ headers: c.req.raw.headers, asResponse: true })
    return goTo(c, PATHS.signIn, answer)
  })
}

/** Signing in with a link by mail; it also signs up. */
const links = (app: Hono<PagesEnv>, front: SignInFront): void => {
  const { auth } = front
  const title = 'Sign in by mail'
  const form = (next: string | undefined, email?: string, wrong?: Wrong) => (
    <MailForm action={PATHS.link} label="Send me a link" next={next} email={email} wrong={wrong} />
  )
  app.get(PATHS.link, (c) => {
    const token = c.req.query('token')
    const next = nextIn(c)
    return token === undefined
      ? show(c, front, { title, body: form(next) })
      : show(c, front, {
          title: 'Sign in',
          body: <TokenForm action={`${PATHS.link}/use`} label="Sign in" token={token} next={next} />,
        })
  })
  app.post(PATHS.link, async (c) => {
    const fields = await formOf(c)
    const email = emailIn(fields)
    const next = nextIn(c, fields)
    if (email === undefined) return show(c, front, { title, status: 400, body: form(next, fields.email, BAD_EMAIL) })
    const refused = await tooOften(c, front, [
      [BY_ADDRESS, addressIn(c)],
      [MAILS_TO, email],
    ])
    if (refused) return refused
    await auth.api.signInMagicLink({
      body: { email, name: '', ...(next === undefined ? {} : { metadata: { next } }) },
      headers: c.req.raw.headers,
    })
    return show(c, front, { title: 'Look at your mail', body: looked(`A link to sign in is on its way to ${email}.`) })
  })
  app.post(`${PATHS.link}/use`, async (c) => {
    const fields = await formOf(c)
    const refused = await tooOften(c, front, [[BY_ADDRESS, addressIn(c)]])
    if (refused) return refused
    const answer = await auth.api.magicLinkVerify({
      query: { token: fields.token ?? '' },
      headers: c.req.raw.headers,
      asResponse: true,
    })
    return answer.ok
      ? goTo(c, nextIn(c, fields) ?? PATHS.settings, answer)
      : show(c, front, { title, status: 400, notice: USED_UP, body: form(nextIn(c, fields)) })
  })
}

/** Creating an account and confirming its address. Whether an address is known is not told. */
const signUps = (app: Hono<PagesEnv>, front: SignInFront): void => {
  const { auth, secrets } = front
  const title = 'Create an account'
  app.get(PATHS.signUp, (c) => show(c, front, { title, body: <SignUpForm next={nextIn(c)} /> }))
  app.post(PATHS.signUp, async (c) => {
    const fields = await formOf(c)
    const email = emailIn(fields)
    const again = (wrong: Wrong) =>
      show(c, front, {
        title,
        status: 400,
        body: <SignUpForm next={nextIn(c, fields)} email={fields.email} wrong={wrong} />,
      })
    const password = fields.password ?? ''
    const isPassword = password.length >= 10 && password.length <= 200
    if (email === undefined || !isPassword)
      return again({ ...(email === undefined ? BAD_EMAIL : {}), ...(isPassword ? {} : { password: BAD_PASSWORD }) })
    const refused = await tooOften(c, front, [
      [BY_ADDRESS, addressIn(c)],
      [MAILS_TO, email],
    ])
    if (refused) return refused
    const next = nextIn(c, fields)
    await auth.api.signUpEmail({
      body: { email, password, name: '', ...(next === undefined ? {} : { callbackURL: next }) },
      headers: c.req.raw.headers,
      asResponse: true,
    })
    return show(c, front, { title: 'Look at your mail', body: looked(`We have written to ${email}.`) })
  })
  app.get(PATHS.verify, (c) =>
    show(c, front, {
      title: 'Confirm your address',
      body: <TokenForm action={PATHS.verify} label="Confirm" token={c.req.query('token') ?? ''} next={nextIn(c)} />,
    }),
  )
  app.post(PATHS.verify, async (c) => {
    const fields = await formOf(c)
    const refused = await tooOften(c, front, [[BY_ADDRESS, addressIn(c)]])
    if (refused) return refused
    const token = await renewToken(fields.token ?? '', secrets)
    const answer = await auth.api.verifyEmail({ query: { token }, headers: c.req.raw.headers, asResponse: true })
    return answer.ok
      ? goTo(c, nextIn(c, fields) ?? PATHS.settings, answer)
      : show(c, front, { title: 'Sign in', status: 400, notice: USED_UP, body: <SignInForm /> })
  })
}

/** Choosing a new password by a mailed link; it ends every session. */
const resets = (app: Hono<PagesEnv>, front: SignInFront): void => {
  const { auth } = front
  const title = 'A new password'
  const form = (email?: string, wrong?: Wrong) => (
    <MailForm action={PATHS.reset} label="Send me a link" email={email} wrong={wrong} />
  )
  app.get(PATHS.reset, (c) => show(c, front, { title, body: form() }))
  app.post(PATHS.reset, async (c) => {
    const fields = await formOf(c)
    const email = emailIn(fields)
    if (email === undefined) return show(c, front, { title, status: 400, body: form(fields.email, BAD_EMAIL) })
    const refused = await tooOften(c, front, [
      [BY_ADDRESS, addressIn(c)],
      [MAILS_TO, email],
    ])
    if (refused) return refused
    await auth.api.requestPasswordReset({ body: { email }, headers: c.req.raw.headers })
    return show(c, front, {
      title: 'Look at your mail',
      body: looked(`If ${email} is an address of an account with a password, a link is on its way.`),
    })
  })
  app.get(PATHS.newPassword, (c) =>
    show(c, front, { title, body: <NewPasswordForm token={c.req.query('token') ?? ''} /> }),
  )
  app.post(PATHS.newPassword, async (c) => {
    const { token = '', password = '' } = await formOf(c)
    const refused = await tooOften(c, front, [[BY_ADDRESS, addressIn(c)]])
    if (refused) return refused
    if (password.length < 10 || password.length > 200)
      return show(c, front, { title, status: 400, body: <NewPasswordForm token={token} error={BAD_PASSWORD} /> })
    const answer = await auth.api.resetPassword({
      body: { newPassword: password, token },
      headers: c.req.raw.headers,
      asResponse: true,
    })
    return answer.ok
      ? show(c, front, {
          title: 'Sign in',
          notice: { tone: 'good', text: 'The new password is saved. You are signed out everywhere.' },
          body: <SignInForm />,
        })
      : show(c, front, { title, status: 400, notice: USED_UP, body: form() })
  })
}

/** The pages to sign up, to sign in and to sign out. */
export const signInPages = (app: Hono<PagesEnv>, front: SignInFront): void => {
  passwords(app, front)
  links(app, front)
  signUps(app, front)
  resets(app, front)
}

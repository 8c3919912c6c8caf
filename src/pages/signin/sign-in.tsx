import type { Hono } from 'hono'
import type { Auth } from '../../accounts/people/auth.ts'
import { hasMadeNothing, listMadeBy, revokeAllMadeBy } from '../../accounts/people/made.ts'
import {
  addressBehind,
  BAD_PASSWORD,
  choosePassword,
  isPassword,
  mailReset,
  mailSignUp,
  mailSignUpAgain,
  markVerified,
} from '../../accounts/people/password.ts'
import { PATHS, safeNext } from '../../accounts/people/paths.ts'
import { BY_ADDRESS, MAILS_TO, PASSWORD_TRIES } from '../../accounts/people/tries.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import {
  addressIn,
  copyCookies,
  formOf,
  type MailingFront,
  type PagesContext,
  type PagesEnv,
  redirectInside,
  show,
  signedIn,
  tooOften,
} from '../front.tsx'
import { emailIn, MailStateLink, rememberMail, sendQueuedMail } from '../mailed.tsx'
import type { Notice } from '../notice.ts'
import { ActionButton, NoMail } from '../parts.tsx'
import { AfterNewPassword, MailForm, NewPasswordForm, SignInForm, SignUpForm, TokenForm, type Wrong } from './forms.tsx'

/** Dependencies of the sign-in pages. */
export type SignInFront = MailingFront & { auth: Auth }

const SIGN_UP = 'Create an account'
const BY_MAIL = 'Sign in by mail'
const RESET = 'A new password'

const BAD_EMAIL: Wrong = { email: 'That is not an e-mail address.' }
const WRONG: Wrong = {
  password: 'The address or the password is wrong, or the address is not confirmed yet.',
}
const USED_UP: Notice = { tone: 'bad', text: 'The link was used before, or it is too old. Ask for a new one.' }

const LOOK_AT_MAIL: Wrong = { password: `${WRONG.password} Look at your mail too.` }

const LOOK = 'Nothing came? Look among the junk mail, and check the address.'

/** Queues a mail and shows that it is on its way, with a link to its state. The page is the same for every mail. */
const waitForMail = (c: PagesContext, front: SignInFront, id: string, text: string) => {
  rememberMail(c, front, id)
  sendQueuedMail(c, front)
  return show(c, front, {
    title: 'Look at your mail',
    body: (
      <>
        <p>
          {text} {LOOK}
        </p>
        <p>
          <MailStateLink />
        </p>
      </>
    ),
  })
}

const nextIn = (c: PagesContext, fields: Record<string, string> = {}): string | undefined => {
  const next = fields.next ?? c.req.query('next')
  return next === undefined ? undefined : safeNext(next)
}

/** Adds the pages to sign in with a password. */
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
      [PASSWORD_TRIES, email],
    ])
    if (refused) return refused
    const answer = await (await auth()).api.signInEmail({
      body: { email, password: fields.password ?? '' },
      headers: c.req.raw.headers,
      asResponse: true,
    })
    if (answer.ok) return redirectInside(c, next ?? PATHS.home, answer)
    if (!front.sendsMail) return again(WRONG)
    const { allowed } = await front.deps.limiter.take(MAILS_TO, await sha256(email))
    if (allowed) {
      await mailSignUpAgain(front.deps, { email, next })
      sendQueuedMail(c, front)
    }
    return again(LOOK_AT_MAIL)
  })
  app.post(PATHS.signOut, async (c) => {
    const answer = await (await auth()).api.signOut({ headers: c.req.raw.headers, asResponse: true })
    return redirectInside(c, PATHS.signIn, answer)
  })
}

/** Adds the pages to sign in with a mailed link, which also signs up. */
const links = (app: Hono<PagesEnv>, front: SignInFront): void => {
  const { auth } = front
  const title = BY_MAIL
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
    const mail = front.deps.newId()
    await (await auth()).api.signInMagicLink({
      body: { email, name: '', metadata: { mail, ...(next === undefined ? {} : { next }) } },
      headers: c.req.raw.headers,
    })
    return await waitForMail(c, front, mail, `A link to sign in is on its way to ${email}.`)
  })
  app.post(`${PATHS.link}/use`, async (c) => {
    const fields = await formOf(c)
    const refused = await tooOften(c, front, [[BY_ADDRESS, addressIn(c)]])
    if (refused) return refused
    const answer = await (await auth()).api.magicLinkVerify({
      query: { token: fields.token ?? '' },
      headers: c.req.raw.headers,
      asResponse: true,
    })
    return answer.ok
      ? redirectInside(c, nextIn(c, fields) ?? PATHS.home, answer)
      : show(c, front, { title, status: 400, notice: USED_UP, body: form(nextIn(c, fields)) })
  })
}

/** Adds the pages to create an account. No page reveals whether an address is registered. */
const signUps = (app: Hono<PagesEnv>, front: SignInFront): void => {
  const title = SIGN_UP
  app.get(PATHS.signUp, (c) =>
    show(c, front, { title, body: <SignUpForm next={nextIn(c)} legal={front.deps.settings.legal} /> }),
  )
  app.post(PATHS.signUp, async (c) => {
    const fields = await formOf(c)
    const email = emailIn(fields)
    const next = nextIn(c, fields)
    if (email === undefined)
      return show(c, front, {
        title,
        status: 400,
        body: <SignUpForm next={next} email={fields.email} wrong={BAD_EMAIL} legal={front.deps.settings.legal} />,
      })
    const refused = await tooOften(c, front, [
      [BY_ADDRESS, addressIn(c)],
      [MAILS_TO, email],
    ])
    if (refused) return refused
    const mail = await mailSignUp(front.deps, { email, next })
    return await waitForMail(c, front, mail, `We have written to ${email}.`)
  })
}

/** Adds the page behind the mail of a sign-up or a password reset. It asks for the new password. */
const passwordPages = (
  app: Hono<PagesEnv>,
  front: SignInFront,
  { path, title, label, again }: { path: string; title: string; label: string; again: string },
): void => {
  const { auth, deps } = front
  const form = (token: string, next: string | undefined, email: string | undefined, error?: string) => (
    <NewPasswordForm action={path} label={label} token={token} next={next} email={email} error={error} />
  )
  /** Shows that a link is no longer valid, with a form for another one. */
  const ended = (c: PagesContext, next: string | undefined) =>
    show(c, front, {
      title,
      status: 400,
      notice: USED_UP,
      body: (
        <>
          <MailForm action={again} label="Send another link" next={next} />
          <p>
            Have you chosen a password already? <a href={PATHS.signIn}>Sign in</a>
          </p>
        </>
      ),
    })
  app.get(path, async (c) => {
    const refused = await tooOften(c, front, [[BY_ADDRESS, addressIn(c)]])
    if (refused) return refused
    const token = c.req.query('token') ?? ''
    const email = await addressBehind(deps, token)
    return email === undefined
      ? await ended(c, nextIn(c))
      : await show(c, front, { title, body: form(token, nextIn(c), email) })
  })
  app.post(path, async (c) => {
    const fields = await formOf(c)
    const { token = '', password = '' } = fields
    const next = nextIn(c, fields)
    const refused = await tooOften(c, front, [[BY_ADDRESS, addressIn(c)]])
    if (refused) return refused
    if (!isPassword(password)) {
      const email = await addressBehind(deps, token)
      return await show(c, front, { title, status: 400, body: form(token, next, email, BAD_PASSWORD) })
    }
    const person = await choosePassword(deps, token, password)
    if (!person) return await ended(c, next)
    const { headers } = c.req.raw
    const answer = await (await auth()).api.signInEmail({
      body: { email: person.email, password },
      headers,
      asResponse: true,
    })
    await markVerified(deps, person.id)
    const theirs = await listMadeBy(deps.db, person.id)
    if (path === PATHS.verify && hasMadeNothing(theirs)) return redirectInside(c, next ?? PATHS.home, answer)
    copyCookies(c, answer)
    return show(c, front, {
      title: 'Your new password',
      notice: { tone: 'good', text: 'The new password is saved. You are signed out everywhere else.' },
      body: <AfterNewPassword theirs={theirs} next={next} />,
    })
  })
}

/** Adds the form that ends a person's keys, applications and invitations, after they recovered their account. */
const endings = (app: Hono<PagesEnv>, front: SignInFront): void => {
  app.post(PATHS.endTheirs, signedIn(front), async (c) => {
    const ended = await revokeAllMadeBy(front.deps, c.get('person').id)
    return show(c, front, {
      title: 'Ended',
      menu: true,
      notice: {
        tone: 'good',
        text: `Keys and applications ended: ${ended.keys}. Invitations withdrawn: ${ended.invitations}.`,
      },
      body: <p>They no longer work. Also look at who works in your accounts, under People.</p>,
    })
  })
}

/** Adds the pages to ask for a new password. */
const resets = (app: Hono<PagesEnv>, front: SignInFront): void => {
  const title = RESET
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
    await mailReset(front.deps, email)
    sendQueuedMail(c, front)
    return show(c, front, {
      title: 'Look at your mail',
      body: (
        <>
          <p>
            If {email} is the address of an account, a link is on its way. {LOOK}
          </p>
          <ActionButton action={PATHS.reset} label="Send it again" name="" fields={{ email }} />
        </>
      ),
    })
  })
}

/** Adds placeholders for the pages that send mail, if the operator has not set up mail. Links mailed before still work. */
const withoutMail = (app: Hono<PagesEnv>, front: SignInFront): void => {
  const titles = { [PATHS.signUp]: SIGN_UP, [PATHS.link]: BY_MAIL, [PATHS.reset]: RESET }
  for (const [path, title] of Object.entries(titles))
    app.on(['GET', 'POST'], path, (c, next) =>
      c.req.query('token') === undefined ? show(c, front, { title, body: <NoMail /> }) : next(),
    )
}

/** Adds the pages to sign up, to sign in and to sign out. */
export const signInPages = (app: Hono<PagesEnv>, front: SignInFront): void => {
  if (!front.sendsMail) withoutMail(app, front)
  passwords(app, front)
  links(app, front)
  signUps(app, front)
  resets(app, front)
  endings(app, front)
  passwordPages(app, front, {
    path: PATHS.verify,
    title: 'Confirm your address',
    label: 'Confirm',
    again: PATHS.signUp,
  })
  passwordPages(app, front, { path: PATHS.newPassword, title: RESET, label: 'Save the password', again: PATHS.reset })
}

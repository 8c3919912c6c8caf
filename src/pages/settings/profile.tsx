import type { Hono } from 'hono'
import { saveZone } from '../../accounts/notices/choices.ts'
import { hasMadeNothing, listMadeBy } from '../../accounts/people/made.ts'
import { BAD_PASSWORD, isPassword, PASSWORD } from '../../accounts/people/password.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { addressAsked, askForAddress, changePassword, saveName, takeAddress } from '../../accounts/people/profile.ts'
import { BY_ADDRESS, MAILS_TO, PASSWORD_TRIES } from '../../accounts/people/tries.ts'
import { isTimeZone, zoneName } from '../../platform/lib/time.ts'
import {
  addressIn,
  formOf,
  hasKeys,
  type MailingFront,
  type PagesContext,
  type PagesEnv,
  rememberKeys,
  rememberTheme,
  show,
  signedIn,
  themeIn,
  tooOften,
  zoneFor,
} from '../front.tsx'
import { emailIn, MailStateLink, rememberMail, sendQueuedMail } from '../mailed.tsx'
import { backTo, type Notice } from '../notice.ts'
import { Field, NoMail, Select } from '../parts.tsx'
import { AfterNewPassword } from '../signin/forms.tsx'
import { askProof } from './proof.tsx'

/** Longest name of a person, in characters. */
const MOST_NAME = 100

const COLOURS = [
  ['system', 'as on the device'],
  ['light', 'light'],
  ['dark', 'dark'],
] as const

const KEYS = [
  ['on', 'on: press ? on a page to see them'],
  ['off', 'off'],
] as const

/** Submitted fields of a refused form, and their errors by field name. */
type Sent = { fields?: Record<string, string>; wrong?: Record<string, string> }

const PasswordForm = ({ wrong = {} }: Sent) => (
  <form class="stack narrow" method="post" action={PATHS.profilePassword}>
    <Field
      type="password"
      name="password"
      label="Present password"
      error={wrong.password}
      autocomplete="current-password"
      required
      maxlength={PASSWORD.most}
    />
    <Field
      type="password"
      name="new"
      label="New password"
      hint={`At least ${PASSWORD.least} characters. It signs you out everywhere else; your passkeys stay.`}
      error={wrong.new}
      autocomplete="new-password"
      required
      minlength={PASSWORD.least}
      maxlength={PASSWORD.most}
    />
    <button class="plain" type="submit">
      Change the password
    </button>
    <p class="hint">
      None, or forgotten? <a href={PATHS.reset}>Choose one by a mailed link</a>
    </p>
  </form>
)

const AddressForm = ({ fields = {}, wrong = {} }: Sent) => (
  <form class="stack narrow" method="post" action={PATHS.profileAddress}>
    <Field
      type="email"
      name="email"
      label="New address"
      hint="A link is mailed there. The address is changed when you use it."
      value={fields.email}
      error={wrong.email}
      autocomplete="email"
      required
      maxlength={254}
    />
    <button class="plain" type="submit">
      Mail me the link
    </button>
  </form>
)

const page = async (c: PagesContext, front: MailingFront, sent: Sent = {}) => {
  const me = c.get('person')
  const { fields = {}, wrong = {} } = sent
  const zone = await zoneFor(c)
  return await show(c, front, {
    title: 'Profile',
    menu: true,
    status: sent.wrong ? 400 : 200,
    body: (
      <>
        {c.req.query('mailed') !== undefined && (
          <p>
            <MailStateLink />
          </p>
        )}
        <p>
          You yourself, in all your accounts. See also your <a href={PATHS.passkeys}>passkeys</a>, your{' '}
          <a href={PATHS.sessions}>sessions</a>, and what you are <a href={PATHS.notices}>mailed</a>.
        </p>
        <form class="stack narrow" method="post" action={PATHS.profile}>
          <Field
            name="name"
            label="Your name"
            hint="People you work with see it instead of your address."
            value={fields.name ?? me.name}
            error={wrong.name}
            autocomplete="name"
            maxlength={MOST_NAME}
          />
          <Field
            name="timezone"
            label="Your time zone, such as Europe/Paris"
            hint="For your mails, and for pages that are not about one site."
            value={fields.timezone ?? zone}
            error={wrong.timezone}
            required
            maxlength={100}
          />
          <Select name="theme" label="Colours" options={COLOURS} chosen={fields.theme ?? themeIn(c)} />
          <Select name="keys" label="Keys" options={KEYS} chosen={fields.keys ?? (hasKeys(c) ? 'on' : 'off')} />
          <button type="submit">Save</button>
        </form>
        <h2>Mail address</h2>
        <p>
          You sign in as <strong>{me.email}</strong>.
        </p>
        {front.sendsMail ? <AddressForm {...sent} /> : <NoMail />}
        <h2>Password</h2>
        <PasswordForm {...sent} />
      </>
    ),
  })
}

const save = async (c: PagesContext, front: MailingFront) => {
  const fields = await formOf(c)
  const me = c.get('person')
  const name = (fields.name ?? me.name).replace(/\s+/g, ' ').trim()
  const zone = zoneName((fields.timezone ?? (await zoneFor(c))).trim())
  const wrong = {
    ...(name.length > MOST_NAME ? { name: `A name has at most ${MOST_NAME} characters.` } : {}),
    ...(isTimeZone(zone) ? {} : { timezone: 'No time zone has this name. Write it like Europe/Paris.' }),
  }
  if (Object.keys(wrong).length > 0) return await page(c, front, { fields, wrong })
  if (fields.theme !== undefined) rememberTheme(c, front, fields.theme)
  if (fields.keys !== undefined) rememberKeys(c, front, fields.keys !== 'off')
  await Promise.all([saveName(front.deps, me, name), saveZone(front.deps, me.id, zone)])
  return await backTo(c, front, PATHS.profile, { tone: 'good', text: 'Saved.' })
}

const SAVED: Notice = { tone: 'good', text: 'The new password is saved. You are signed out everywhere else.' }

const passwordPages = (app: Hono<PagesEnv>, front: MailingFront): void => {
  const { deps } = front
  app.post(PATHS.profilePassword, signedIn(front), async (c) => {
    const { password: present = '', new: wanted = '' } = await formOf(c)
    const me = c.get('person')
    if (!isPassword(wanted)) return await page(c, front, { wrong: { new: BAD_PASSWORD } })
    const refused = await tooOften(c, front, [
      [BY_ADDRESS, addressIn(c)],
      [PASSWORD_TRIES, me.email],
    ])
    if (refused) return refused
    const [isChanged, theirs] = await Promise.all([
      changePassword(deps, { ...me, session: c.get('session') }, { present, wanted }),
      listMadeBy(deps.db, me.id),
    ])
    if (!isChanged) return await page(c, front, { wrong: { password: 'The password is wrong. Nothing was changed.' } })
    sendQueuedMail(c, front)
    return await backTo(c, front, hasMadeNothing(theirs) ? PATHS.profile : PATHS.profileMade, SAVED)
  })
  app.get(PATHS.profileMade, signedIn(front), async (c) => {
    const theirs = await listMadeBy(deps.db, c.get('person').id)
    return await show(c, front, {
      title: 'What you made',
      menu: true,
      body: (
        <>
          {hasMadeNothing(theirs) && <p>You have made no keys, applications or invitations that still work.</p>}
          <AfterNewPassword theirs={theirs} next={PATHS.profile} />
        </>
      ),
    })
  })
}

const addressPages = (app: Hono<PagesEnv>, front: MailingFront): void => {
  const { deps } = front
  app.post(PATHS.profileAddress, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const me = c.get('person')
    if (!front.sendsMail) return await page(c, front)
    const email = emailIn(fields)
    if (email === undefined || email === me.email) {
      const why = email === undefined ? 'That is not an e-mail address.' : 'That is your address already.'
      return await page(c, front, { fields, wrong: { email: why } })
    }
    const asking = await askProof(c, front, fields)
    if (asking) return asking
    const refused = await tooOften(c, front, [
      [BY_ADDRESS, addressIn(c)],
      [MAILS_TO, me.email],
      [MAILS_TO, email],
    ])
    if (refused) return refused
    rememberMail(c, front, await askForAddress(deps, me, email))
    sendQueuedMail(c, front)
    const text = `A link is on its way to ${email}. You keep ${me.email} until you use it, within an hour.`
    return await backTo(c, front, `${PATHS.profile}?mailed`, { tone: 'good', text })
  })
  app.get(PATHS.profileAddress, signedIn(front), async (c) => {
    const token = c.req.query('token')
    if (token === undefined) return c.redirect(PATHS.profile, 303)
    const me = c.get('person')
    const email = await addressAsked(deps, me, token)
    return await show(c, front, {
      title: email === undefined ? 'Nothing was changed' : 'Your new address',
      menu: true,
      status: email === undefined ? 400 : 200,
      body:
        email === undefined ? (
          <>
            <p>
              The link was used before, is too old, or was asked for by somebody else. You are signed in as {me.email}.
            </p>
            <p>
              <a href={PATHS.profile}>Ask for a new one</a>
            </p>
          </>
        ) : (
          <>
            <p>
              You sign in as <strong>{email}</strong> from now on, instead of {me.email}.
            </p>
            <form class="row" method="post" action={`${PATHS.profileAddress}/use`}>
              <input type="hidden" name="token" value={token} />
              <button type="submit">Change the address</button>
              <a class="button plain" href={PATHS.profile}>
                Cancel
              </a>
            </form>
          </>
        ),
    })
  })
  app.post(`${PATHS.profileAddress}/use`, signedIn(front), async (c) => {
    const refused = await tooOften(c, front, [[BY_ADDRESS, addressIn(c)]])
    if (refused) return refused
    const { token = '' } = await formOf(c)
    const isTaken = await takeAddress(deps, c.get('person'), token)
    const notice: Notice = isTaken
      ? { tone: 'good', text: 'Your address is changed.' }
      : {
          tone: 'bad',
          text: 'Nothing was changed: the link has expired, or somebody else uses the address. Ask for a new one.',
        }
    return await backTo(c, front, PATHS.profile, notice)
  })
}

/** Adds the page of a person's name, time zone, address and password. */
export const profilePages = (app: Hono<PagesEnv>, front: MailingFront): void => {
  app.get(PATHS.profile, signedIn(front), (c) => page(c, front))
  app.post(PATHS.profile, signedIn(front), (c) => save(c, front))
  passwordPages(app, front)
  addressPages(app, front)
}

import type { Hono } from 'hono'
import { PATHS } from '../../accounts/people/paths.ts'
import { type MailState, mailToRepeat, readMail, repeatMail } from '../../accounts/people/send-mail.ts'
import { BY_ADDRESS, MAILS_TO } from '../../accounts/people/tries.ts'
import { addressIn, type PagesContext, type PagesEnv, show, tooOften } from '../front.tsx'
import { mailIdIn, rememberMail, sendQueuedMail } from '../mailed.tsx'
import { ActionButton, Moment } from '../parts.tsx'
import type { SignInFront } from './sign-in.tsx'

const TITLES: Record<MailState['state'], string> = {
  waiting: 'The mail is on its way',
  taken: 'Look at your mail',
  refused: 'The mail was not sent',
  unknown: 'The mail may not have been sent',
}

const Again = ({ canRepeat }: Pick<MailState, 'canRepeat'>) =>
  canRepeat ? (
    <ActionButton action={PATHS.mail} label="Send it again" name="" fields={{}} />
  ) : (
    <p>Its link no longer works, or a newer mail was sent. Go back and ask for a new one.</p>
  )

const Told = ({ state, until, canRepeat }: MailState) => {
  switch (state) {
    case 'waiting':
      return (
        <p>
          The mail service has not accepted it yet. Delivery is tried again until <Moment at={until} />.{' '}
          <a href={PATHS.mail}>Look again</a>
        </p>
      )
    case 'taken':
      return (
        <p>
          It was accepted for delivery. If nothing arrives, look in your junk mail, and check the address that you
          entered.
        </p>
      )
    case 'refused':
      return (
        <>
          <p>The mail service refused it, so no mail will arrive. The operator of this service is informed.</p>
          <Again canRepeat={canRepeat} />
        </>
      )
    case 'unknown':
      return (
        <>
          <p>The mail service gave no clear answer. If no mail arrives within a few minutes, send it again.</p>
          <Again canRepeat={canRepeat} />
        </>
      )
  }
}

const absent = (c: PagesContext, front: SignInFront) =>
  show(c, front, {
    title: 'No such mail',
    status: 404,
    body: (
      <p>
        No mail to this browser is on its way. <a href={PATHS.signIn}>Sign in</a>
      </p>
    ),
  })

/**
 * Adds the page that shows whether the mail to this browser was accepted for delivery. A mail that was not can be sent
 * again.
 */
export const mailStatePages = (app: Hono<PagesEnv>, front: SignInFront): void => {
  const { deps } = front
  app.get(PATHS.mail, async (c) => {
    const id = mailIdIn(c)
    const refused = id === undefined ? undefined : await tooOften(c, front, [[LOOKS, addressIn(c)]])
    if (refused) return refused
    const mail = id === undefined ? undefined : await readMail(deps, id)
    if (!mail) return await absent(c, front)
    return await show(c, front, { title: TITLES[mail.state], body: <Told {...mail} /> })
  })
  app.post(PATHS.mail, async (c) => {
    const id = mailIdIn(c)
    const found = id === undefined ? undefined : await mailToRepeat(deps, id)
    if (id === undefined || !found) return await absent(c, front)
    const refused = await tooOften(c, front, [
      [BY_ADDRESS, addressIn(c)],
      [MAILS_TO, found.mail.to],
    ])
    if (refused) return refused
    const next = await repeatMail(deps, id, found)
    if (next) {
      rememberMail(c, front, next.id)
      sendQueuedMail(c, front)
    }
    return c.redirect(PATHS.mail, 303)
  })
}

/** Limit of requests for the state of a mail, by IP address. */
const LOOKS = { name: 'people.mail_state', perMinute: 60 }

import type { Hono } from 'hono'
import { rename } from '../../accounts/people/members.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { type accountsFor, openOwnAccount, type Person, switchAccount } from '../../accounts/people/person.ts'
import { ctxOf, idIn } from '../ctx.ts'
import { type Front, formOf, type PagesEnv, show, signedIn } from '../front.tsx'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Field, Table } from '../parts.tsx'

/** Renders the button to leave the account. */
export const LeaveButton = ({ me }: { me: Person }) => (
  <ActionButton action={`${PATHS.people}/remove`} label="Leave" name="this account" fields={{ person: me.id }} danger />
)

/** Renders the accounts that a person may work in. */
export const Accounts = ({ me, accounts }: { me: Person; accounts: Awaited<ReturnType<typeof accountsFor>> }) => {
  const hasOwn = accounts.some(({ email }) => email.toLowerCase() === me.email.toLowerCase())
  if (accounts.length === 1 && hasOwn) return null
  return (
    <>
      <h2>Your accounts</h2>
      <Table
        caption="Where you may work"
        heads={['Account', 'You are', '']}
        rows={accounts.map((one) => [
          one.called,
          one.role,
          one.id === me.accountId ? (
            'you are here'
          ) : (
            <ActionButton
              action={PATHS.accounts}
              label="Work here"
              name={`in ${one.called}`}
              fields={{ account: String(one.id) }}
            />
          ),
        ])}
      />
      {!hasOwn && (
        <ActionButton action={`${PATHS.accounts}/own`} label="Open an account of your own" name="" fields={{}} />
      )}
    </>
  )
}

/** Adds the form that switches to another account of the person. */
export const switchPages = (app: Hono<PagesEnv>, front: Front): void => {
  const { db, now } = front.deps
  app.post(PATHS.accounts, signedIn(front), async (c) => {
    const { account } = await formOf(c)
    const done = await switchAccount(db, c.get('person').id, idIn(account), now())
    return done
      ? await backTo(c, front, PATHS.settings, { tone: 'good', text: 'You work in this account now.' })
      : await show(c, front, {
          title: 'Not found',
          menu: true,
          status: 404,
          body: <p>You do not work in that account. Nothing was changed.</p>,
        })
  })
  app.post(`${PATHS.accounts}/own`, signedIn(front), async (c) => {
    const { id, email } = c.get('person')
    await openOwnAccount(db, id, email, now())
    return c.redirect(PATHS.settings, 303)
  })
}

/** Longest name of an account, in characters. */
const MOST_NAME = 100

/** Renders the form in which owners name the account. */
export const NameForm = ({ name }: { name: string }) => (
  <form class="stack narrow" method="post" action={PATHS.accountName}>
    <Field
      name="name"
      label="Name of the account"
      hint="Invitations, applications that ask, and the list of accounts show it; without one, the address."
      value={name}
      maxlength={MOST_NAME}
    />
    <button class="plain" type="submit">
      Save the name
    </button>
  </form>
)

/** Adds the form that names the account. */
export const namePages = (app: Hono<PagesEnv>, front: Front): void => {
  app.post(PATHS.accountName, signedIn(front), async (c) => {
    const name = ((await formOf(c)).name ?? '').replace(/\s+/g, ' ').trim()
    const back = (notice: Notice) => backTo(c, front, PATHS.settings, notice)
    if (name.length > MOST_NAME) return await back({ tone: 'bad', text: `A name has at most ${MOST_NAME} characters.` })
    await rename(ctxOf(c, front), c.get('person'), name)
    return await back({
      tone: 'good',
      text: name === '' ? 'The account is called by its address.' : 'The name is saved.',
    })
  })
}

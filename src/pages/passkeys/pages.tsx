import type { Hono } from 'hono'
import {
  addPasskey,
  listPasskeys,
  MOST_PASSKEYS,
  passkeyOptions,
  removePasskey,
  signInByPasskey,
  signInOptions,
} from '../../accounts/people/passkeys.ts'
import { PATHS, safeNext } from '../../accounts/people/paths.ts'
import { type SessionSecrets, startSession } from '../../accounts/people/session-cookie.ts'
import { BY_ADDRESS } from '../../accounts/people/tries.ts'
import { clip } from '../../platform/lib/text.ts'
import { askToConfirm } from '../confirm.tsx'
import {
  addressIn,
  type Front,
  formOf,
  type PagesContext,
  type PagesEnv,
  redirectInside,
  show,
  signedIn,
  tooOften,
} from '../front.tsx'
import { sendQueuedMail } from '../mailed.tsx'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Empty, Field, Moment, Table } from '../parts.tsx'
import { askProof } from '../settings/proof.tsx'
import { browserName } from '../signin/sessions.tsx'
import { PASSKEY_JS } from './script.ts'

type Asking = {
  action: string
  kind: 'create' | 'get'
  /** Options for `navigator.credentials`, as JSON. */
  options: unknown
  label: string
  fields: Record<string, string>
}

/** Renders a form that is sent with a passkey. Its script enables the button if the browser supports passkeys. */
const PasskeyForm = ({ action, kind, options, label, fields }: Asking) => (
  <form class="stack" method="post" action={action} data-passkey={kind} data-options={JSON.stringify(options)}>
    {Object.entries({ ...fields, response: '' }).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <button type="submit" disabled>
      {label}
    </button>
    <p class="hint" role="status">
      Passkeys need scripts, and a browser that supports them. You can sign in another way without.
    </p>
  </form>
)

/** Dependencies of the passkey pages. */
export type PasskeyFront = Front & { secrets: SessionSecrets }

/** Longest name of a passkey, in characters. */
const MOST_NAME = 100

const REFUSED: Notice = {
  tone: 'bad',
  text: 'The passkey was not accepted, and nothing was changed. Try again, or sign in another way.',
}

const NOT_ADDED: Notice = {
  tone: 'bad',
  text: `The passkey was not added: the page was too old or used before, or you have ${MOST_PASSKEYS} already. Try again.`,
}

/** True if a host is an address of numbers. Browsers make no passkeys for those. */
const isNumber = (hostname: string): boolean => hostname.startsWith('[') || /^[\d.]+$/.test(hostname)

type Wrong = { name: string; error: string }

const list = async (c: PagesContext, front: Front, wrong?: Wrong) => {
  const passkeys = await listPasskeys(front.deps, c.get('person'))
  const browser = browserName(c.req.header('user-agent'))
  const { hostname } = new URL(front.deps.settings.publicUrl)
  return await show(c, front, {
    title: 'Passkeys',
    menu: true,
    status: wrong ? 400 : 200,
    body: (
      <>
        <p>
          A passkey signs you in by a device of yours, which asks for your finger, face or code. Your password and
          mailed links work as before.
        </p>
        {passkeys.length === 0 ? (
          <Empty>You have no passkeys yet.</Empty>
        ) : (
          <Table
            caption="In the order they were added"
            heads={['Name', 'Added', 'Last used', '']}
            rows={passkeys.map(({ id, name, createdAt, lastUsedAt }) => [
              <span dir="auto">{name}</span>,
              <Moment at={createdAt} />,
              <Moment at={lastUsedAt} />,
              <ActionButton
                action={`${PATHS.passkeys}/remove`}
                label="Remove"
                name={`the passkey ${name}`}
                fields={{ passkey: id }}
                danger
              />,
            ])}
          />
        )}
        <h2>Add a passkey</h2>
        {isNumber(hostname) ? (
          <p class="notice">
            Browsers make passkeys only for a name such as localhost or example.com, not for {hostname}. Sign in at this
            address with your password or a mailed link.
          </p>
        ) : passkeys.length >= MOST_PASSKEYS ? (
          <p class="notice">You have {MOST_PASSKEYS} passkeys, which is the most. Remove one first.</p>
        ) : (
          <form class="stack narrow" method="post" action={PATHS.passkeys}>
            <Field
              name="name"
              label="A name to know it by"
              value={wrong?.name ?? (browser.startsWith('Mozilla/') ? '' : browser)}
              error={wrong?.error}
              required
              maxlength={MOST_NAME}
            />
            <button type="submit">Add a passkey</button>
          </form>
        )}
      </>
    ),
  })
}

const nameIn = ({ name = '' }: Record<string, string>): string => name.replace(/\s+/g, ' ').trim()

/** Adds the pages to add and remove passkeys. */
const settingsPages = (app: Hono<PagesEnv>, front: Front): void => {
  const { deps } = front
  app.get(PATHS.passkeys, signedIn(front), (c) => list(c, front))
  app.post(PATHS.passkeys, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const name = nameIn(fields)
    if (name === '' || name.length > MOST_NAME)
      return await list(c, front, { name, error: `A name has 1 to ${MOST_NAME} characters.` })
    const asking = await askProof(c, front, fields)
    if (asking) return asking
    return await show(c, front, {
      title: 'Continue on your device',
      menu: true,
      script: PASSKEY_JS,
      body: (
        <>
          <p>
            Press the button, and follow what your browser or your device says. This page is valid for five minutes.
          </p>
          <PasskeyForm
            action={`${PATHS.passkeys}/add`}
            kind="create"
            options={await passkeyOptions(deps, c.get('person'))}
            label="Create the passkey"
            fields={{ name }}
          />
          <p>
            <a href={PATHS.passkeys}>Cancel</a>
          </p>
        </>
      ),
    })
  })
  app.post(`${PATHS.passkeys}/add`, signedIn(front), async (c) => {
    const refused = await tooOften(c, front, [[BY_ADDRESS, addressIn(c)]])
    if (refused) return refused
    const fields = await formOf(c)
    const name = clip(nameIn(fields), MOST_NAME) || 'Passkey'
    if (!(await addPasskey(deps, c.get('person'), { name, text: fields.response ?? '' })))
      return await backTo(c, front, PATHS.passkeys, NOT_ADDED)
    sendQueuedMail(c, front)
    return await backTo(c, front, PATHS.passkeys, {
      tone: 'good',
      text: 'The passkey is added. You can sign in with it.',
    })
  })
  app.post(`${PATHS.passkeys}/remove`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const { passkey = '' } = fields
    const me = c.get('person')
    const asking = await askToConfirm(c, front, fields, async () => ({
      title: 'Remove the passkey?',
      body: (
        <p>
          Nobody signs in with{' '}
          <strong>{(await listPasskeys(deps, me)).find(({ id }) => id === passkey)?.name ?? 'it'}</strong> any more.
          Sessions that it started go on; your device may still offer it.
        </p>
      ),
      label: 'Remove it',
      back: PATHS.passkeys,
    }))
    if (asking) return asking
    const isRemoved = await removePasskey(deps, me, passkey)
    if (isRemoved) sendQueuedMail(c, front)
    return await backTo(
      c,
      front,
      PATHS.passkeys,
      isRemoved
        ? { tone: 'good', text: 'The passkey is removed.' }
        : { tone: 'bad', text: 'Nothing was changed: you have no such passkey.' },
    )
  })
}

/** Adds the pages to sign in with a passkey and to manage passkeys. */
export const passkeyPages = (app: Hono<PagesEnv>, front: PasskeyFront): void => {
  const { deps, secrets } = front
  const nextIn = (next: string | undefined) => (next === undefined ? undefined : safeNext(next))
  const page = async (c: PagesContext, next: string | undefined, notice?: Notice) =>
    await show(c, front, {
      title: 'Sign in with a passkey',
      status: notice ? 400 : 200,
      notice,
      script: PASSKEY_JS,
      body: (
        <>
          <PasskeyForm
            action={PATHS.passkey}
            kind="get"
            options={await signInOptions(deps)}
            label="Sign in"
            fields={next === undefined ? {} : { next }}
          />
          <p>
            <a href={next === undefined ? PATHS.signIn : `${PATHS.signIn}?next=${encodeURIComponent(next)}`}>
              Sign in another way
            </a>
          </p>
        </>
      ),
    })
  app.get(PATHS.passkey, (c) => page(c, nextIn(c.req.query('next'))))
  app.post(PATHS.passkey, async (c) => {
    const fields = await formOf(c)
    const next = nextIn(fields.next)
    const refused = await tooOften(c, front, [[BY_ADDRESS, addressIn(c)]])
    if (refused) return refused
    const token = await signInByPasskey(deps, fields.response ?? '', {
      ipAddress: c.req.header('cf-connecting-ip') ?? null,
      userAgent: c.req.header('user-agent') ?? null,
    })
    if (token === undefined) return await page(c, next, REFUSED)
    c.header('Set-Cookie', await startSession(deps.settings.publicUrl, token, secrets), { append: true })
    return redirectInside(c, next ?? PATHS.home)
  })
  settingsPages(app, front)
}

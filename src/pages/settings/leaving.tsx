import type { Hono } from 'hono'
import { deleteAccount, GRACE_DAYS, keepAccount } from '../../accounts/people/leaving/delete.ts'
import { askExport, listExports, readExport } from '../../accounts/people/leaving/export.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { accountNameOf } from '../../accounts/people/person.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { ctxOf, idIn } from '../ctx.ts'
import { formOf, type MailingFront, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Empty, Field, Moment, Table } from '../parts.tsx'
import { askProof } from './proof.tsx'

type Shown = { notice?: Notice; status?: 200 | 400 | 403 | 404 | 409; typed?: string | undefined; error?: string }

const STATES = { making: 'is being made', ready: 'ready', failed: 'could not be made' } as const

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`

type Copy = Awaited<ReturnType<typeof listExports>>[number]

const Copies = ({ copies }: { copies: readonly Copy[] }) =>
  copies.length === 0 ? (
    <Empty>No copy was asked for.</Empty>
  ) : (
    <Table
      caption="Copies, newest first"
      heads={['Asked for', 'State', 'Rows', 'Kept until', '']}
      rows={copies.map((one) => [
        <Moment at={one.createdAt} />,
        STATES[one.state],
        String(one.rows),
        <Moment at={one.expiresAt} />,
        one.state === 'ready' ? <a href={`${PATHS.leaving}/${one.id}`}>Download, {sizeOf(one.bytes)}</a> : '',
      ])}
    />
  )

const Deletion = ({ name, typed, error }: { name: string } & Pick<Shown, 'typed' | 'error'>) => (
  <>
    <p>
      From that moment on no key and no application works, and nothing is published. After {GRACE_DAYS} days all data of
      the account is deleted for good: sites, articles, keys, logs, copies. Articles that were published at your sites
      stay there. A subscription ends then too; cancel it under Plan to end it sooner. Until then an owner can take the
      deletion back here.
    </p>
    <form class="stack narrow" method="post" action={`${PATHS.leaving}/delete`}>
      <Field
        name="account"
        label="Name of the account"
        hint={`Type ${name} to confirm`}
        value={typed}
        error={error}
        required
        maxlength={254}
      />
      <button class="danger" type="submit">
        Delete this account
      </button>
    </form>
  </>
)

const readyBy = ({ sendsMail }: MailingFront): string =>
  sendsMail ? 'You get a mail when it is ready.' : 'Open this page again to see when it is ready.'

const page = async (c: PagesContext, front: MailingFront, { notice, status = 200, ...sent }: Shown = {}) => {
  const { role, accountId, eraseAt } = c.get('person')
  const isOwner = role === 'owner'
  const [copies, called] = isOwner
    ? await Promise.all([listExports(front.deps, accountId), accountNameOf(front.deps.db, c.get('person'))])
    : [[], '']
  return await show(c, front, {
    title: 'Export and deletion',
    menu: true,
    status,
    notice: notice ?? (isOwner ? undefined : { tone: 'plain', text: 'Only owners may copy or delete the account.' }),
    body: isOwner && (
      <>
        <h2>A copy of everything</h2>
        <p>
          One line of JSON for each row, packed with gzip: sites, articles with their versions, deliveries, search data,
          suggestions, posts, the audit log. Secrets are left out. {readyBy(front)} It is kept for seven days.
        </p>
        <ActionButton action={`${PATHS.leaving}/export`} label="Make a copy" name="of the account" fields={{}} />
        <Copies copies={copies} />
        <h2>Delete the account</h2>
        {eraseAt === null ? (
          <Deletion name={called} {...sent} />
        ) : (
          <>
            <p class="notice bad">
              The account is erased on <Moment at={eraseAt} />.
            </p>
            <ActionButton action={`${PATHS.leaving}/keep`} label="Keep the account" name="" fields={{}} />
          </>
        )}
      </>
    ),
  })
}

/** Adds the page on which owners export an account, delete it, and cancel the deletion. */
export const leavingPages = (app: Hono<PagesEnv>, front: MailingFront): void => {
  /** Runs a change. Returns to the page with the result, or shows why it was refused. */
  const showOutcome = async (c: PagesContext, run: () => Promise<string>) => {
    try {
      const text = await run()
      return await backTo(c, front, PATHS.leaving, { tone: 'good', text })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const status = error.code === 'forbidden' ? 403 : error.code === 'not_found' ? 404 : 409
      return await page(c, front, { notice: { tone: 'bad', text: error.message }, status })
    }
  }
  app.get(PATHS.leaving, signedIn(front), (c) => page(c, front))
  app.get(`${PATHS.leaving}/:id`, signedIn(front), async (c) => {
    try {
      const { body } = await readExport(ctxOf(c, front), c.get('person'), idIn(c.req.param('id')))
      c.header('Content-Type', 'application/gzip')
      c.header('Content-Disposition', `attachment; filename="account-${c.get('person').accountId}.ndjson.gz"`)
      return c.body(body)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const status = error.code === 'forbidden' ? 403 : 404
      return await page(c, front, { notice: { tone: 'bad', text: error.message }, status })
    }
  })
  app.post(`${PATHS.leaving}/export`, signedIn(front), (c) =>
    showOutcome(c, async () => {
      await askExport(ctxOf(c, front), c.get('person'))
      return `The copy is being made. ${readyBy(front)}`
    }),
  )
  app.post(`${PATHS.leaving}/delete`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const { account } = fields
    const person = c.get('person')
    const called = await accountNameOf(front.deps.db, person)
    if (person.role === 'owner' && account?.trim().toLowerCase() !== called.toLowerCase())
      return await page(c, front, { status: 400, typed: account, error: 'That is not the name above.' })
    const asking = await askProof(c, front, fields)
    if (asking) return asking
    return await showOutcome(c, async () => {
      await deleteAccount(ctxOf(c, front), person)
      return `The account is closed, and erased after ${GRACE_DAYS} days.`
    })
  })
  app.post(`${PATHS.leaving}/keep`, signedIn(front), (c) =>
    showOutcome(c, async () => {
      await keepAccount(ctxOf(c, front), c.get('person'))
      c.set('person', { ...c.get('person'), eraseAt: null })
      return 'The account stays. Its keys and applications work again.'
    }),
  )
}

import type { Hono } from 'hono'
import { SCOPES } from '../../../schema/values/accounts.ts'
import {
  confirmKey,
  createKey,
  type KeyLimits,
  limitKey,
  listKeys,
  revokeKey,
  scopeLabel,
} from '../../accounts/people/keys.ts'
import { HELP, PATHS } from '../../accounts/people/paths.ts'
import { scopesOf } from '../../platform/accounts/scopes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { askToConfirm } from '../confirm.tsx'
import { ctxOf, idIn } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Empty, Field, Moment, Select, Table } from '../parts.tsx'
import { askProof } from './proof.tsx'

const DAY_MS = 86_400_000
/** Lifetimes of a new key in days, by the form's value. A key without one is valid until it is revoked. */
const LIFETIMES: Record<string, number | undefined> = { never: undefined, '30': 30, '90': 90, '365': 365 }
const MAX_NAME = 100

/** Submitted values, and their errors. */
type Sent = { fields?: Record<string, string>; wrong?: Record<string, string> }

const NewKeyForm = ({ fields = {}, wrong = {} }: Sent) => (
  <form class="stack narrow" method="post" action={PATHS.keys}>
    <Field
      name="name"
      label="Name"
      hint="What it is for: a script, a machine, an agent"
      value={fields.name ?? ''}
      error={wrong.name}
      required
      maxlength={MAX_NAME}
    />
    <Select
      name="scope"
      label="May"
      options={[
        ['write', 'read and change'],
        ['draft', 'read and draft: it publishes, plans, deletes and spends nothing'],
        ['read', 'only read'],
        [
          'admin',
          'read, change and administer: it also makes reading and drafting keys, ends any key, exports everything, and invites editors and clients, who decide approvals',
        ],
      ]}
      chosen={fields.scope}
      error={wrong.scope}
    />
    <Select
      name="days"
      label="Valid for"
      options={[
        ['90', '90 days'],
        ['30', '30 days'],
        ['365', 'one year'],
        ['never', 'no end'],
      ]}
      chosen={fields.days}
      error={wrong.days}
    />
    <button type="submit">Create key</button>
  </form>
)

/** Monthly limits of a key by field name, each with its largest value. */
const CEILINGS = {
  article_credits: { label: 'Article credits a month', most: 100_000, step: 1 },
  scans: { label: 'AI-visibility scans a month', most: 100_000, step: 1 },
  dollars: { label: 'Dollars of crowdwork a month', most: 1_000_000, step: 0.01 },
} as const
type Ceiling = keyof typeof CEILINGS
const CEILING_NAMES = Object.keys(CEILINGS) as Ceiling[]

/** Returns the limits in a form; undefined if one is not valid. An empty field is no limit. */
const limitsIn = (fields: Record<string, string>): KeyLimits | undefined => {
  const read = (name: Ceiling): number | null => {
    const text = (fields[name] ?? '').trim()
    if (text === '') return null
    const { most, step } = CEILINGS[name]
    const units = Number(text) / step
    const isFit =
      /^\d{1,7}(\.\d{1,2})?$/.test(text) && Number(text) <= most && Math.abs(units - Math.round(units)) < 1e-6
    return isFit ? Math.round(units) : Number.NaN
  }
  const [articleCredits = null, scans = null, cents = null] = CEILING_NAMES.map(read)
  return [articleCredits, scans, cents].some(Number.isNaN) ? undefined : { articleCredits, scans, cents }
}

type ListedKey = Awaited<ReturnType<typeof listKeys>>[number]

/** Renders how much of its limits a key has used this month. */
const Spent = ({ limits, used }: ListedKey) => {
  const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`
  const lines = [
    limits.article_credits !== null && `${used.article_credits} of ${limits.article_credits} article credits`,
    limits.scans !== null && `${used.scans} of ${limits.scans} scans`,
    limits.dollars !== null && `${dollars(used.dollars)} of ${dollars(limits.dollars)} of crowdwork`,
  ].filter((line) => line !== false)
  return <span>{lines.length === 0 ? 'no ceiling' : lines.join(', ')}</span>
}

const BudgetForm = ({ keys }: { keys: readonly ListedKey[] }) => (
  <form class="stack narrow" method="post" action={`${PATHS.keys}/budget`}>
    <Select
      name="id"
      label="Key"
      options={keys.map(({ id, name, lastFour }) => [String(id), `${name} (…${lastFour})`])}
    />
    {CEILING_NAMES.map((name) => (
      <Field name={name} label={CEILINGS[name].label} hint="Empty: no ceiling" value="" />
    ))}
    <button type="submit">Set ceilings</button>
  </form>
)

/** Renders the keys that a restore of the database put on hold. */
const HeldKeys = ({ keys }: { keys: readonly ListedKey[] }) => (
  <>
    <h2>Keys that wait for you</h2>
    <p class="notice bad">
      The database was restored to an earlier moment, so keys that were revoked since may be listed again. None of these
      works until an owner confirms it. Revoke those that you do not know.
    </p>
    <Table
      caption="Keys on hold"
      heads={['Name', 'Key', 'May', 'Made', 'Last used', '']}
      rows={keys.map((key) => [
        key.name,
        <code>…{key.lastFour}</code>,
        scopeLabel(key.scopes),
        <Moment at={key.createdAt} />,
        <Moment at={key.lastUsedAt} />,
        <ActionButton
          action={`${PATHS.keys}/confirm`}
          label="Confirm"
          name={key.name}
          fields={{ id: String(key.id) }}
        />,
      ])}
    />
  </>
)

type Extra = Sent & {
  notice?: Notice
  status?: 200 | 400 | 404
}

const page = async (c: PagesContext, front: Front, { notice, status = 200, ...sent }: Extra = {}) => {
  const keys = await listKeys(ctxOf(c, front))
  const held = keys.filter(({ heldAt }) => heldAt !== null)
  return await show(c, front, {
    title: 'API keys',
    menu: true,
    status,
    notice,
    body: (
      <>
        <p>
          A key lets a script or an agent work in this account. Agents that sign in by themselves need none.{' '}
          <a href={HELP.keys}>How a key is used</a> · <a href={HELP.clients}>Connect an agent</a>
        </p>
        {held.length > 0 && <HeldKeys keys={held} />}
        {keys.length === 0 ? (
          <Empty>There are no keys yet.</Empty>
        ) : (
          <Table
            caption="Keys that were not revoked, newest first"
            heads={['Name', 'Key', 'May', 'Spent this month', 'Valid until', 'Last used', '']}
            rows={keys.map((key) => [
              key.name,
              <code>…{key.lastFour}</code>,
              scopeLabel(key.scopes),
              <Spent {...key} />,
              key.expiresAt === null ? 'no end' : <Moment at={key.expiresAt} />,
              <Moment at={key.lastUsedAt} />,
              <ActionButton
                action={`${PATHS.keys}/revoke`}
                label="Revoke"
                name={key.name}
                fields={{ id: String(key.id) }}
                danger
              />,
            ])}
          />
        )}
        <h2>A new key</h2>
        <NewKeyForm {...sent} />
        {keys.length > 0 && (
          <>
            <h2>What a key may spend</h2>
            <p>A ceiling holds for a month (UTC). Beyond it the key is refused, and nothing is begun or billed.</p>
            <BudgetForm keys={keys} />
          </>
        )}
      </>
    ),
  })
}

/** Adds the page of API keys: the list, a new key shown once, and revoking. */
export const keyPages = (app: Hono<PagesEnv>, front: Front): void => {
  app.get(PATHS.keys, signedIn(front), (c) => page(c, front))
  app.post(PATHS.keys, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const name = (fields.name ?? '').trim()
    const days = fields.days ?? ''
    const scope = SCOPES.find((one) => one === fields.scope)
    const wrong = {
      ...(name === '' || name.length > MAX_NAME ? { name: `The name must have 1 to ${MAX_NAME} characters.` } : {}),
      ...(scope ? {} : { scope: 'Choose what the key may do.' }),
      ...(Object.hasOwn(LIFETIMES, days) ? {} : { days: 'Choose how long the key is valid.' }),
    }
    if (scope === 'admin' && c.get('person').role !== 'owner')
      Object.assign(wrong, { scope: 'Only an owner makes keys that administer the account.' })
    if (Object.keys(wrong).length > 0) return await page(c, front, { status: 400, fields, wrong })
    const asking = await askProof(c, front, fields)
    if (asking) return asking
    const lifetime = LIFETIMES[days]
    const expiresAt = lifetime === undefined ? null : new Date(front.deps.now().getTime() + lifetime * DAY_MS)
    const scopes = scopesOf(scope ?? 'read')
    try {
      const { key: secret } = await createKey(ctxOf(c, front), c.get('person').id, { name, scopes, expiresAt })
      const text = `The key “${name}”. Copy it now: it is shown only this once.`
      return await backTo(c, front, PATHS.keys, { tone: 'good', text, secret })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'invalid_input') throw error
      return await page(c, front, { status: 400, fields, notice: { tone: 'bad', text: error.message } })
    }
  })
  app.post(`${PATHS.keys}/budget`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const limits = limitsIn(fields)
    if (!limits)
      return await page(c, front, {
        status: 400,
        notice: { tone: 'bad', text: 'A ceiling is a number from 0, or empty. Nothing was changed.' },
      })
    return (await limitKey(ctxOf(c, front), idIn(fields.id), limits))
      ? await backTo(c, front, PATHS.keys, { tone: 'good', text: 'The ceilings of the key are set.' })
      : await page(c, front, { status: 404, notice: { tone: 'bad', text: 'There is no such key.' } })
  })
  app.post(`${PATHS.keys}/confirm`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const asking = await askProof(c, front, fields)
    if (asking) return asking
    return (await confirmKey(ctxOf(c, front), idIn(fields.id)))
      ? await backTo(c, front, PATHS.keys, { tone: 'good', text: 'The key is confirmed and works again.' })
      : await page(c, front, { status: 404, notice: { tone: 'bad', text: 'There is no such key.' } })
  })
  app.post(`${PATHS.keys}/revoke`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const id = idIn(fields.id)
    const key = (await listKeys(ctxOf(c, front))).find((one) => one.id === id)
    const asking =
      key &&
      (await askToConfirm(c, front, fields, () => ({
        title: `Revoke the key “${key.name}”?`,
        body: (
          <p>What uses the key ending in {key.lastFour} is refused from the next call on. This cannot be undone.</p>
        ),
        label: 'Revoke the key',
        back: PATHS.keys,
      })))
    if (asking) return asking
    const done = key && (await revokeKey(ctxOf(c, front), id))
    return done
      ? await backTo(c, front, PATHS.keys, { tone: 'good', text: 'The key is revoked and no longer works.' })
      : await page(c, front, { status: 404, notice: { tone: 'bad', text: 'There is no such key.' } })
  })
}

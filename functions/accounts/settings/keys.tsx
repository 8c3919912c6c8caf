import type { Hono } from 'hono'
import { createKey, listKeys, revokeKey } from '../../../src/people/keys.ts'
import { PATHS } from '../../../src/people/paths.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import type { Notice } from '../pages/layout.tsx'
import { ActionButton, Empty, Moment, Table } from '../pages/parts.tsx'
import { ctxOf, idIn } from './ctx.ts'

const DAY_MS = 86_400_000
/** How long a new key may hold, by what the form says; none: until it is revoked. */
const LIFETIMES: Record<string, number | undefined> = { never: undefined, '30': 30, '90': 90, '365': 365 }
const MAX_NAME = 100

const NewKeyForm = ({ name = '' }: { name?: string | undefined }) => (
  <form class="stack narrow" method="post" action={PATHS.keys}>
    <label>
      Name
      <span class="hint">What it is for: a script, a machine, an agent</span>
      <input name="name" required maxlength={MAX_NAME} value={name} autocomplete="off" />
    </label>
    <label>
      May
      <select name="scope">
        <option value="write">read and change</option>
        <option value="read">only read</option>
      </select>
    </label>
    <label>
      Holds
      <select name="days">
        <option value="90">90 days</option>
        <option value="30">30 days</option>
        <option value="365">one year</option>
        <option value="never">until it is revoked</option>
      </select>
    </label>
    <button type="submit">Create key</button>
  </form>
)

const NewKey = ({ secret, name }: { secret: string; name: string }) => (
  <div class="notice good" role="status">
    <p>The key “{name}”. Copy it now: it is shown only this once.</p>
    <code class="secret">{secret}</code>
  </div>
)

type Extra = {
  notice?: Notice
  made?: { secret: string; name: string }
  name?: string | undefined
  status?: 200 | 400 | 404
}

const page = async (c: PagesContext, front: Front, { notice, made, name, status = 200 }: Extra = {}) => {
  const keys = await listKeys(ctxOf(c, front))
  return await show(c, front, {
    title: 'API keys',
    menu: true,
    status,
    notice,
    body: (
      <>
        {made && <NewKey {...made} />}
        <p>A key lets a script or an agent work in this account. Agents that sign in by themselves need none.</p>
        {keys.length === 0 ? (
          <Empty>There are no keys yet.</Empty>
        ) : (
          <Table
            caption="Keys that were not revoked, newest first"
            heads={['Name', 'Key', 'May', 'Holds until', 'Last used', '']}
            rows={keys.map((key) => [
              key.name,
              <code>…{key.lastFour}</code>,
              key.scopes.includes('write') ? 'read and change' : 'only read',
              key.expiresAt === null ? 'it is revoked' : <Moment at={key.expiresAt} />,
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
        <NewKeyForm name={name} />
      </>
    ),
  })
}

/** The page of API keys: what there is, a new one shown once, and revoking. */
export const keyPages = (app: Hono<PagesEnv>, front: Front): void => {
  app.get(PATHS.keys, signedIn(front), (c) => page(c, front))
  app.post(PATHS.keys, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const name = (fields.name ?? '').trim()
    const days = fields.days ?? ''
    const refuse = (text: string) => page(c, front, { status: 400, notice: { tone: 'bad', text }, name })
    if (name === '' || name.length > MAX_NAME) return await refuse(`The name must have 1 to ${MAX_NAME} characters.`)
    if (fields.scope !== 'read' && fields.scope !== 'write') return await refuse('Choose what the key may do.')
    if (!Object.hasOwn(LIFETIMES, days)) return await refuse('Choose how long the key holds.')
    const lifetime = LIFETIMES[days]
    const expiresAt = lifetime === undefined ? null : new Date(front.deps.now().getTime() + lifetime * DAY_MS)
    const scopes = fields.scope === 'write' ? (['read', 'write'] as const) : (['read'] as const)
    const secret = await createKey(ctxOf(c, front), c.get('person').id, { name, scopes, expiresAt })
    return await page(c, front, { made: { secret, name } })
  })
  app.post(`${PATHS.keys}/revoke`, signedIn(front), async (c) => {
    const id = idIn((await formOf(c)).id)
    const done = id !== 0 && (await revokeKey(ctxOf(c, front), id))
    return done
      ? await page(c, front, { notice: { tone: 'good', text: 'The key is revoked: it opens nothing from now on.' } })
      : await page(c, front, { status: 404, notice: { tone: 'bad', text: 'There is no such key.' } })
  })
}

import type { Hono } from 'hono'
import { ApiError } from '../../../src/lib/errors.ts'
import { PATHS } from '../../../src/people/paths.ts'
import { listProviderKeys, removeProviderKey, saveProviderKey } from '../../../src/provider-keys/keys.ts'
import type { ProbedProviders } from '../../../src/provider-keys/port.ts'
import { SaveProviderKey } from '../../../src/provider-keys/schemas.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import type { Notice } from '../pages/layout.tsx'
import { ActionButton, Empty, Moment, Table } from '../pages/parts.tsx'
import { ctxOf } from './ctx.ts'

export type ProviderFront = Front & { providers: ProbedProviders }

const NAMES = { dataforseo: 'DataForSEO', ahrefs: 'Ahrefs' } as const
type Provider = keyof typeof NAMES

const isProvider = (name: string | undefined): name is Provider => name !== undefined && Object.hasOwn(NAMES, name)

const Secret = ({ name, label, hidden = true }: { name: string; label: string; hidden?: boolean }) => (
  <label>
    {label}
    <input type={hidden ? 'password' : 'text'} name={name} required maxlength={1_000} autocomplete="off" />
  </label>
)

const page = async (c: PagesContext, front: Front, notice?: Notice, status: 200 | 400 | 404 | 503 = 200) => {
  const { provider_keys: keys } = await listProviderKeys(ctxOf(c, front))
  return await show(c, front, {
    title: 'Provider keys',
    menu: true,
    status,
    notice,
    body: (
      <>
        <p>
          Your own keys of services with keyword data. A key is asked about before it is saved, which costs nothing
          there, and it is kept sealed. Where both are saved, DataForSEO is asked first.
        </p>
        {keys.length === 0 ? (
          <Empty>No key is saved.</Empty>
        ) : (
          <Table
            caption="Saved keys"
            heads={['Service', 'Key', 'State', 'Saved', '']}
            rows={keys.map((key) => [
              NAMES[key.provider],
              <code>{[key.login, key.masked].filter((part) => part !== null).join(' ')}</code>,
              key.last_error ?? 'accepted',
              <Moment at={new Date(key.saved_at)} />,
              <ActionButton
                action={`${PATHS.providerKeys}/forget`}
                label="Forget"
                name={NAMES[key.provider]}
                fields={{ provider: key.provider }}
                danger
              />,
            ])}
          />
        )}
        <h2>DataForSEO</h2>
        <form class="stack narrow" method="post" action={PATHS.providerKeys}>
          <input type="hidden" name="provider" value="dataforseo" />
          <Secret name="login" label="API login" hidden={false} />
          <Secret name="password" label="API password" />
          <button type="submit">Save DataForSEO key</button>
        </form>
        <h2>Ahrefs</h2>
        <form class="stack narrow" method="post" action={PATHS.providerKeys}>
          <input type="hidden" name="provider" value="ahrefs" />
          <Secret name="api_key" label="API key" />
          <button type="submit">Save Ahrefs key</button>
        </form>
      </>
    ),
  })
}

const TRIES = { name: 'people.provider_keys', perMinute: 10 }

/** The page of an account's own keys of keyword services, where `setup_url` leads. */
export const providerKeyPages = (app: Hono<PagesEnv>, front: ProviderFront): void => {
  const told = async (c: PagesContext, run: () => Promise<{ message: string }>) => {
    try {
      const { message } = await run()
      return await page(c, front, { tone: 'good', text: message })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const status = error.code === 'provider_unavailable' ? 503 : error.code === 'not_found' ? 404 : 400
      return await page(c, front, { tone: 'bad', text: error.message }, status)
    }
  }
  app.get(PATHS.providerKeys, signedIn(front), (c) => page(c, front))
  app.post(PATHS.providerKeys, signedIn(front), async (c) => {
    const { provider, ...fields } = await formOf(c)
    const checked = SaveProviderKey.safeParse(fields)
    if (!isProvider(provider) || !checked.success)
      return await page(c, front, { tone: 'bad', text: 'Fill in what the service takes, without blanks.' }, 400)
    const { allowed } = await front.deps.limiter.take(TRIES, String(c.get('person').accountId))
    if (!allowed) return await page(c, front, { tone: 'bad', text: 'Too many tries. Wait a minute.' }, 400)
    return await told(c, () => saveProviderKey(ctxOf(c, front), front.providers, provider, checked.data))
  })
  app.post(`${PATHS.providerKeys}/forget`, signedIn(front), async (c) => {
    const { provider } = await formOf(c)
    if (!isProvider(provider)) return await page(c, front, { tone: 'bad', text: 'There is no such service.' }, 404)
    return await told(c, () => removeProviderKey(ctxOf(c, front), provider))
  })
}

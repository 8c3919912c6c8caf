import type { Hono } from 'hono'
import { PATHS } from '../../accounts/people/paths.ts'
import { listProviderKeys, removeProviderKey, saveProviderKey } from '../../accounts/provider-keys/keys.ts'
import { SaveProviderKey } from '../../accounts/provider-keys/operations.ts'
import type { ProbedProviders } from '../../accounts/provider-keys/port.ts'
import { ApiError, type FieldError } from '../../platform/lib/errors.ts'
import { fieldErrors } from '../../platform/lib/issues.ts'
import { askToConfirm } from '../confirm.tsx'
import { ctxOf } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Empty, Field, Moment, Table, wrongWith } from '../parts.tsx'

/** Dependencies of the pages for provider keys. */
export type ProviderFront = Front & { providers: ProbedProviders }

const NAMES = { dataforseo: 'DataForSEO', ahrefs: 'Ahrefs' } as const
type Provider = keyof typeof NAMES

const isProvider = (name: string | undefined): name is Provider => name !== undefined && Object.hasOwn(NAMES, name)

/** Fields of each service’s keys. Only fields that are not secret are shown again. */
const FIELDS = {
  dataforseo: [
    { name: 'login', label: 'API login', isSecret: false },
    { name: 'password', label: 'API password', isSecret: true },
  ],
  ahrefs: [{ name: 'api_key', label: 'API key', isSecret: true }],
} as const

type Shown = {
  notice?: Notice
  status?: 200 | 400 | 404 | 429 | 503
  /** Submitted values, and their errors. */
  sent?: Record<string, string>
  errors?: readonly FieldError[]
}

const KeyForm = ({ provider, sent = {}, errors = [] }: { provider: Provider } & Shown) => {
  const isSent = sent.provider === provider
  return (
    <>
      <h2>{NAMES[provider]}</h2>
      <form class="stack narrow" method="post" action={PATHS.providerKeys}>
        <input type="hidden" name="provider" value={provider} />
        {FIELDS[provider].map(({ name, label, isSecret }) => (
          <Field
            name={name}
            label={label}
            type={isSecret ? 'password' : 'text'}
            value={isSent && !isSecret ? sent[name] : undefined}
            error={isSent ? wrongWith(errors, name) : undefined}
            required
            maxlength={1_000}
          />
        ))}
        <p class="hint">
          {NAMES[provider]} is asked whether the key works, which costs nothing. What it later finds is on its own bill.
        </p>
        <button type="submit">Save {NAMES[provider]} key</button>
      </form>
    </>
  )
}

const page = async (c: PagesContext, front: Front, shown: Shown = {}) => {
  const { notice, status = 200 } = shown
  const { provider_keys: keys } = await listProviderKeys(ctxOf(c, front))
  return await show(c, front, {
    title: 'Provider keys',
    menu: true,
    status,
    notice,
    body: (
      <>
        <p>
          Your own keys of services with keyword data. A key is checked before it is saved, which costs nothing, and it
          is kept encrypted. If both are saved, DataForSEO is asked first.
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
        <KeyForm provider="dataforseo" {...shown} />
        <KeyForm provider="ahrefs" {...shown} />
      </>
    ),
  })
}

const TRIES = { name: 'people.provider_keys', perMinute: 10 }

/** Returns a refusal to show beside the form: at the named field, or at the secret that was not accepted. */
const refused = (error: ApiError, provider: Provider | undefined): Shown => {
  const secret = provider && FIELDS[provider].findLast(({ isSecret }) => isSecret)?.name
  if (error.extras.details) return { errors: error.extras.details, status: 400 }
  if (error.code === 'byo_keys_invalid' && secret !== undefined)
    return { errors: [{ field: secret, message: error.message.replace(/\.$/, '') }], status: 400 }
  const status = error.code === 'provider_unavailable' ? 503 : error.code === 'not_found' ? 404 : 400
  return { notice: { tone: 'bad', text: error.message }, status }
}

/** Adds the page of an account's own keys of keyword services. `setup_url` of the API leads here. */
export const providerKeyPages = (app: Hono<PagesEnv>, front: ProviderFront): void => {
  const showOutcome = async (
    c: PagesContext,
    sent: Record<string, string>,
    run: () => Promise<{ message: string }>,
  ) => {
    try {
      const { message } = await run()
      return await backTo(c, front, PATHS.providerKeys, { tone: 'good', text: message })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return await page(c, front, { sent, ...refused(error, isProvider(sent.provider) ? sent.provider : undefined) })
    }
  }
  const noSuch: Notice = { tone: 'bad', text: 'There is no such service.' }
  app.get(PATHS.providerKeys, signedIn(front), (c) => page(c, front))
  app.post(PATHS.providerKeys, signedIn(front), async (c) => {
    const sent = await formOf(c)
    const { provider, ...given } = sent
    if (!isProvider(provider)) return await page(c, front, { notice: noSuch, status: 400 })
    const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
    const checked = SaveProviderKey.safeParse(fields)
    if (!checked.success)
      return await page(c, front, { sent, errors: fieldErrors(checked.error.issues, fields), status: 400 })
    const { allowed } = await front.deps.limiter.take(TRIES, String(c.get('person').accountId))
    if (!allowed)
      return await page(c, front, {
        sent,
        notice: { tone: 'bad', text: 'Too many tries. Wait a minute.' },
        status: 429,
      })
    return await showOutcome(c, sent, () => saveProviderKey(ctxOf(c, front), front.providers, provider, checked.data))
  })
  app.post(`${PATHS.providerKeys}/forget`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const { provider } = fields
    if (!isProvider(provider)) return await page(c, front, { notice: noSuch, status: 404 })
    const { provider_keys: saved } = await listProviderKeys(ctxOf(c, front))
    const isSaved = saved.some((key) => key.provider === provider)
    const asking =
      isSaved &&
      (await askToConfirm(c, front, fields, () => ({
        title: `Forget the key of ${NAMES[provider]}?`,
        body: <p>Keyword data are no longer fetched with your key. To use it again, you have to type it again.</p>,
        label: 'Forget the key',
        back: PATHS.providerKeys,
      })))
    if (asking) return asking
    return await showOutcome(c, {}, () => removeProviderKey(ctxOf(c, front), provider))
  })
}

import type { Mailer } from '../accounts/people/mail.ts'
import type { ProviderFailure } from '../accounts/provider-keys/port.ts'
import type { GivenGrant, SearchConsole } from '../insights/search/port.ts'
import { chosenModel } from '../insights/visibility/rules.ts'
import { ask, type Check, judged, ok, refusal, wrong } from '../platform/jobs/provider-ask.ts'
import type { Checked } from '../platform/jobs/provider-check.ts'
import { expiredLikeTestGrant } from '../platform/lib/consent.ts'
import type { Deps } from '../platform/runtime/ctx.ts'
import type { Outbound } from '../platform/runtime/outbound.ts'
import type {
  EngineModels,
  GoogleSettings,
  KeywordSettings,
  MailSettings,
  StripeSettings,
} from '../platform/runtime/provider-env.ts'
import { balanceOf, callDataForSeo, type DataForSeoDeps } from './data/dataforseo/api.ts'
import { modelsPath } from './data/dataforseo/engines.ts'
import { modelsIn } from './data/dataforseo/engines-transform.ts'

/** Longest wait for DataForSEO, ms. */
const TIMEOUT_MS = 20_000
const NOT_READABLE = 'The answer is not what the provider documents.'
const unreadable = (): Checked => wrong(NOT_READABLE, 'Check if there is a newer release of the service.')

/** Address for which Resend accepts mails without delivering them (https://resend.com/docs/dashboard/emails/send-test-emails). */
const RESEND_TEST = 'delivered@resend.dev'

/** Returns the recipient of test mails: Resend's test address, or at Cloudflare the sender's own. */
export const testAddress = ({ provider, from }: Pick<MailSettings, 'provider' | 'from'>): string =>
  provider === 'cloudflare' ? (/<([^<>]+)>/.exec(from)?.[1] ?? from) : RESEND_TEST

/** Sends one mail to a test address. */
export const checkMail =
  (mailer: Mailer | undefined, settings: MailSettings, newId: () => string): Check =>
  async () => {
    if (!mailer) return wrong('mail is not set up', 'Set MAIL_FROM and MAIL_API_KEY, or MAIL_PROVIDER=cloudflare.')
    const to = testAddress(settings)
    const mail = { to, subject: 'Check of providers', text: 'This is a test mail. Mails of this service are sent.' }
    const answer = await mailer.send(mail, newId())
    if (answer.kind === 'taken') return ok(`took a mail from ${settings.from} to ${to}`, '1 mail')
    return wrong(`${answer.kind}: ${answer.code}`, 'See docs/operations/runbook.md, "Mails are not accepted".')
  }

const DATAFORSEO = 'DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD'

/** Steps for an operator, by the kind of failure. */
const DATAFORSEO_FIXES: Readonly<Record<ProviderFailure['code'], string>> = {
  auth: `Check ${DATAFORSEO}: the provider refuses it.`,
  billing: 'Add money to the account.',
  rate_limited: 'The rate is used up: wait, and check again.',
  transient: 'The provider has a problem: look at its status page, and check again later.',
  invalid_input: `Check ${DATAFORSEO} and the balance.`,
  permanent: `Check ${DATAFORSEO} and the balance.`,
}

/** Reads the balance, then checks that the configured models of AI engines are listed. */
export const checkDataForSeo =
  (deps: DataForSeoDeps, { dataForSeoUrl, dataForSeo }: KeywordSettings, models: EngineModels): Check =>
  async () => {
    if (!dataForSeo) return wrong('no account is set', `Set ${DATAFORSEO}.`)
    const account = { baseUrl: dataForSeoUrl, ...dataForSeo }
    const read = async (path: string, judge: (result: readonly unknown[]) => Checked) => {
      const until = deps.now().getTime() + TIMEOUT_MS
      const answer = await callDataForSeo(deps, account, { path, until })
      return answer.kind === 'failed' ? wrong(answer.reason, DATAFORSEO_FIXES[answer.code]) : judge(answer.result)
    }
    const funds = await read('/appendix/user_data', (result) => {
      const balance = balanceOf(result)
      if (balance === undefined) return unreadable()
      return balance > 0 ? ok(`balance $${balance}`) : wrong(`balance $${balance}`, DATAFORSEO_FIXES.billing)
    })
    if (!funds.isOk) return funds
    const lists = await Promise.all(
      (Object.entries(models) as [keyof EngineModels, string][]).map(([engine, model]) =>
        read(modelsPath(engine), (result) =>
          chosenModel(engine, model, modelsIn(result)).isListed
            ? ok(model)
            : wrong(
                `${model} is not listed for ${engine}`,
                `Set VISIBILITY_${engine.toUpperCase()}_MODEL to one that is.`,
              ),
        ),
      ),
    )
    const missing = lists.find(({ isOk }) => !isOk)
    return missing ?? ok(`${funds.found}; ${lists.map(({ found }) => found).join(', ')} listed`)
  }

const CLIENT_KNOWN = 'the client is known'
const API_FIX = 'Switch on the Search Console API in the Google Cloud project, and check again.'
const TESTING_FIX = 'Publish the application (Google Auth Platform, Audience), and ask the customer to connect again.'

/** Lists the sites that a customer granted access to. This proves that the grant works and that the API is switched on. */
const checkGrant = async (
  google: Pick<SearchConsole, 'refresh' | 'properties'>,
  { refreshToken, grantedAt }: GivenGrant,
  now: Date,
): Promise<Checked> => {
  const access = await google.refresh(refreshToken)
  const sites = 'ok' in access ? await google.properties(access.ok.accessToken) : access
  if ('ok' in sites) return ok(`${CLIENT_KNOWN}; the newest customer's grant reads ${sites.ok.length} properties`)
  const { kind, message } = sites.failure
  if (kind === 'disabled') return wrong(message, API_FIX)
  if (kind !== 'revoked') return wrong(message, 'Check again later; if it stays, look at the Google Cloud project.')
  return expiredLikeTestGrant(grantedAt.toISOString(), now)
    ? wrong("the newest customer's grant ended on its seventh day", TESTING_FIX)
    : ok(`${CLIENT_KNOWN}; the newest customer withdrew access, so grants are not checked until the next one connects`)
}

/** Checks the OAuth client at Google with an invalid refresh token, then the newest grant of a customer. */
export const checkGoogle =
  (
    { outbound, now }: Pick<Deps, 'outbound' | 'now'>,
    { clientId, clientSecret, tokenUrl }: GoogleSettings,
    google: Pick<SearchConsole, 'refresh' | 'properties'>,
    newestGrant: () => Promise<GivenGrant | undefined>,
  ): Check =>
  async () => {
    const form = {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'refresh_token',
      refresh_token: 'none',
    }
    const answer = await ask(outbound, {
      url: `${tokenUrl}/token`,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
    if ('isOk' in answer) return answer
    const { error } = (answer.json ?? {}) as { error?: unknown }
    if (error !== 'invalid_grant') return refusal(answer, 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET')
    const grant = await newestGrant()
    return grant
      ? await checkGrant(google, grant, now())
      : ok(`${CLIENT_KNOWN}; grants and the API are not checked until a customer connects: check again then`)
  }

/** Checks Zernio: lists the profiles. */
export const checkZernio = (outbound: Outbound, { baseUrl, key }: { baseUrl: string; key: string }): Check => {
  const request = {
    url: `${baseUrl}/v1/profiles`,
    headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
    settings: 'SOCIAL_API_KEY',
  }
  return () =>
    judged(outbound, request, (json) => {
      const { profiles } = json as { profiles?: unknown }
      return Array.isArray(profiles) ? ok(`${profiles.length} profiles`) : unreadable()
    })
}

/** Checks Microworkers: lists the categories of campaigns. */
export const checkMicroworkers = (outbound: Outbound, { baseUrl, key }: { baseUrl: string; key: string }): Check => {
  const request = {
    url: `${baseUrl}/basic-categories`,
    headers: { MicroworkersApiKey: key, accept: 'application/json' },
    settings: 'CROWDWORK_API_KEY',
  }
  return () =>
    judged(outbound, request, (json) => {
      const { items } = json as { items?: unknown }
      return Array.isArray(items) && items.length > 0
        ? ok(`${items.length} categories; the balance is shown at microworkers.com alone`)
        : unreadable()
    })
}

/** Checks YouTube: searches once for a video. */
export const checkYouTube = (outbound: Outbound, { baseUrl, key }: { baseUrl: string; key: string }): Check => {
  const url = new URL(`${baseUrl}/youtube/v3/search`)
  url.search = new URLSearchParams({ part: 'snippet', type: 'video', q: 'publishing', maxResults: '1', key }).toString()
  return async () => {
    const checked = await judged(outbound, { url: url.href, settings: 'YOUTUBE_API_KEY' }, (json) =>
      Array.isArray((json as { items?: unknown }).items) ? ok('searches') : unreadable(),
    )
    return { ...checked, cost: '1 of 100 searches a day' }
  }
}

type PortalConfiguration = {
  features?: { subscription_update?: { enabled?: boolean; default_allowed_updates?: string[] } }
}

/** Events of subscriptions that the service needs to update plans. */
const STRIPE_EVENTS = [
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
]

/** Checks Stripe: reads the prices, the portal's configuration and the webhook endpoint. */
export const checkStripe =
  (outbound: Outbound, stripe: StripeSettings | undefined, publicUrl: string): Check =>
  async () => {
    if (!stripe)
      return wrong('no price is set', 'Set STRIPE_PRICE_AGENTIC, STRIPE_PRICE_PRO or STRIPE_PRICE_ACCELERATOR.')
    const onSale = (['month', 'year'] as const).flatMap((interval) =>
      Object.entries(stripe.prices[interval]).map(([plan, id]) => ({ plan, id, interval })),
    )
    const read = (path: string, judge: (json: unknown) => Checked) => {
      const headers = { authorization: `Bearer ${stripe.secretKey}` }
      return judged(outbound, { url: `${stripe.apiUrl}/v1${path}`, headers, settings: 'STRIPE_SECRET_KEY' }, judge)
    }
    const prices = onSale.map(({ plan, id, interval }) =>
      read(`/prices/${encodeURIComponent(id)}`, (json) => {
        const { active, recurring } = json as { active?: boolean; recurring?: { interval?: string } | null }
        const name = `the ${interval}ly price of ${plan}`
        const setting = `STRIPE_${interval === 'year' ? 'YEARLY_' : ''}PRICE_${plan.toUpperCase()}`
        if (active === false) return wrong(`${name} is archived`, `Set ${setting} to an active one.`)
        return recurring?.interval === interval
          ? ok(name)
          : wrong(`${name} is not paid by the ${interval}`, `Set ${setting} to one that is.`)
      }),
    )
    const portal = read('/billing_portal/configurations?active=true&is_default=true&limit=1', (json) => {
      const [one] = (json as { data?: PortalConfiguration[] }).data ?? []
      const update = one?.features?.subscription_update
      const where = 'https://dashboard.stripe.com/settings/billing/portal'
      if (!one) return wrong('the portal has no configuration', `Save one at ${where}.`)
      return update?.enabled && update.default_allowed_updates?.includes('quantity')
        ? ok('the portal changes quantities')
        : wrong(
            'the portal does not change quantities',
            `Switch on "Customers can switch plans" with quantities at ${where}.`,
          )
    })
    const hook = read('/webhook_endpoints?limit=100', (json) => {
      const { data = [] } = json as { data?: { url?: string; status?: string; enabled_events?: string[] }[] }
      const mine = data.find(({ url, status }) => url === `${publicUrl}/stripe/events` && status !== 'disabled')
      const where = 'https://dashboard.stripe.com/webhooks'
      if (!mine) return wrong(`no webhook leads to ${publicUrl}/stripe/events`, `Add an endpoint at ${where}.`)
      const events = mine.enabled_events ?? []
      const missing = events.includes('*') ? [] : STRIPE_EVENTS.filter((event) => !events.includes(event))
      return missing.length === 0
        ? ok('the webhook sends every event')
        : wrong(`the webhook does not send ${missing.join(', ')}`, `Add them to the endpoint at ${where}.`)
    })
    const all = await Promise.all([...prices, portal, hook])
    return all.find(({ isOk }) => !isOk) ?? ok(all.map(({ found }) => found).join('; '))
  }

import { createHash } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { startCrowdwork } from '../../local/crowdwork/server.ts'
import { startDataForSeo } from '../../local/dataforseo/server.ts'
import type { FaultRule } from '../../local/faults.ts'
import { LOCAL_GOOGLE, startGoogle } from '../../local/google/server.ts'
import { startImages } from '../../local/images/server.ts'
import { startModel } from '../../local/llm/server.ts'
import { LOCAL_MAIL, startMail } from '../../local/mail/server.ts'
import { startZernio } from '../../local/social/zernio.ts'
import { LOCAL_STRIPE, startStripe } from '../../local/stripe/server.ts'
import { startYouTube } from '../../local/youtube/server.ts'
import type { GivenGrant } from '../../src/insights/search/port.ts'
import { listedModel } from '../../src/platform/jobs/provider-ask.ts'
import type { Checked } from '../../src/platform/jobs/provider-check.ts'
import { createOutbound, userAgentOf } from '../../src/platform/runtime/outbound.ts'
import * as env from '../../src/platform/runtime/provider-env.ts'
import {
  checkDataForSeo,
  checkGoogle,
  checkMail,
  checkMicroworkers,
  checkStripe,
  checkYouTube,
  checkZernio,
} from '../../src/providers/checks.ts'
import { googleSearchConsole } from '../../src/providers/google/search-console.ts'
import { mailerOf } from '../../src/providers/mail.ts'
import { checkImages, imageMaker } from '../../src/providers/models/images/index.ts'
import { checkModel } from '../../src/providers/models/llm/index.ts'
import { modelOf } from '../../src/providers/models/llm/models.ts'

const PUBLIC_URL = 'https://galley.example'
const userAgent = userAgentOf({ serviceName: 'Galley', publicUrl: PUBLIC_URL })
const now = () => new Date()
const outbound = createOutbound({ allowLoopback: true, dnsQueryUrl: '', userAgent, log: () => {}, now })

const [mail, dataForSeo, google, zernio, stripe, crowdwork, youtube, llm] = await Promise.all([
  startMail({ port: 0, perSecond: 1_000 }),
  startDataForSeo(),
  startGoogle({}),
  startZernio({ key: 'zernio-key' }),
  startStripe(() => `${PUBLIC_URL}/stripe/events`),
  startCrowdwork({ key: 'crowd-key', clock: false }),
  startYouTube('youtube-key'),
  startModel('model-key'),
])
afterAll(() =>
  Promise.all([mail, dataForSeo, google, zernio, stripe, crowdwork, youtube, llm].map((one) => one.close())),
)
stripe.state.webhooks = [{ url: `${PUBLIC_URL}/stripe/events`, events: ['*'] }]

const byMail = (changes = {}) => {
  const settings = env.parseMailSettings({
    MAIL_API_URL: mail.url,
    MAIL_API_KEY: LOCAL_MAIL.key,
    MAIL_FROM: LOCAL_MAIL.from,
    ...changes,
  })
  return checkMail(mailerOf(settings, outbound, undefined), settings, () => crypto.randomUUID())()
}
const MODELS = env.parseEngineModels({})
const byDataForSeo = (password = 'sandbox-password', models = MODELS) =>
  checkDataForSeo(
    { outbound, now },
    env.parseKeywordSettings({
      DATAFORSEO_URL: `${dataForSeo.url}/v3`,
      DATAFORSEO_LOGIN: 'me',
      DATAFORSEO_PASSWORD: password,
    }),
    models,
  )()
const googleSettings = (secret = LOCAL_GOOGLE.clientSecret) =>
  env.parseGoogleSettings({
    GOOGLE_CLIENT_ID: LOCAL_GOOGLE.clientId,
    GOOGLE_CLIENT_SECRET: secret,
    GOOGLE_TOKEN_URL: google.url,
    SEARCH_CONSOLE_URL: google.url,
  })
const byGoogle = (secret?: string, grant?: GivenGrant) =>
  checkGoogle(
    { outbound, now },
    googleSettings(secret),
    googleSearchConsole({ outbound }, googleSettings(secret)),
    () => Promise.resolve(grant),
  )()
const byStripe = (changes = {}) =>
  checkStripe(
    outbound,
    env.parseStripeSettings({
      STRIPE_API_URL: stripe.url,
      STRIPE_SECRET_KEY: LOCAL_STRIPE.secretKey,
      STRIPE_PRICE_PRO: LOCAL_STRIPE.prices.pro,
      ...changes,
    }),
    PUBLIC_URL,
  )()
const byZernio = (key = 'zernio-key') => checkZernio(outbound, { baseUrl: zernio.url, key })()
const byMicroworkers = (key = 'crowd-key') => checkMicroworkers(outbound, { baseUrl: crowdwork.apiUrl, key })()
const byYouTube = (key = 'youtube-key') => checkYouTube(outbound, { baseUrl: youtube.url, key })()
const byModel = (apiKey = 'model-key', model = 'a-model') => {
  const settings = { provider: 'openai-compatible', baseUrl: llm.baseUrl, apiKey, model } as const
  return checkModel(settings, { model: modelOf(settings, undefined, userAgent), now, secret: apiKey }, outbound)
}

type Ask = () => Promise<Checked>

/** The check of each provider, the faults of its stand-in, and the words of a good answer. */
const PROVIDERS: [name: string, ask: Ask, faults: (rules: readonly FaultRule[]) => void, found: RegExp][] = [
  ['mail', byMail, mail.faults.set, /took a mail from .* to delivered@resend\.dev/],
  ['dataforseo', byDataForSeo, dataForSeo.faults.set, /balance \$42\.5; .* listed/],
  ['google', byGoogle, google.faults.set, /the client is known; .* not checked until a customer connects/],
  ['zernio', byZernio, zernio.faults.set, /\d+ profiles/],
  ['stripe', byStripe, stripe.faults.set, /the monthly price of pro; the portal changes quantities; the webhook/],
  ['microworkers', byMicroworkers, crowdwork.faults.set, /1 categories/],
  ['youtube', byYouTube, youtube.faults, /searches/],
  ['writer', byModel, llm.faults, /a-model writes/],
]

it.each(PROVIDERS)('%s: works, and each failure is reported with what to do', async (_, ask, faults, found) => {
  faults([])
  expect(await ask()).toMatchObject({ isOk: true, found: expect.stringMatching(found) })
  for (const fault of [
    { status: 401 },
    { status: 403 },
    { status: 429 },
    { status: 500 },
    { drop: 'before' },
  ] as const) {
    faults([fault])
    const failed = await ask()
    expect(failed, JSON.stringify(fault)).toMatchObject({ isOk: false, fix: expect.stringMatching(/.{10}/) })
    expect(failed.found).toMatch(/.{5}/)
  }
  faults([])
})

it.each<[string, Ask, RegExp, RegExp]>([
  ['a wrong key of Resend', () => byMail({ MAIL_API_KEY: 'another' }), /invalid_api_key/, /runbook/],
  ['a domain that is not verified', () => byMail({ MAIL_FROM: 'a@other.example' }), /validation_error/, /runbook/],
  ['no mail', () => byMail({ MAIL_FROM: '' }), /not set up/, /MAIL_FROM/],
  ['a wrong password of DataForSEO', () => byDataForSeo('wrong'), /401/, /DATAFORSEO_LOGIN/],
  [
    'a model that is not listed',
    () => byDataForSeo('sandbox-password', { ...MODELS, gemini: 'gemini-1' }),
    /gemini-1 is not listed for gemini/,
    /VISIBILITY_GEMINI_MODEL/,
  ],
  ['a wrong secret of Google', () => byGoogle('another'), /401/, /GOOGLE_CLIENT_SECRET/],
  ['a wrong key of Zernio', () => byZernio('another'), /401/, /SOCIAL_API_KEY/],
  ['a wrong key of Microworkers', () => byMicroworkers('another'), /401/, /CROWDWORK_API_KEY/],
  ['a wrong key of YouTube', () => byYouTube('another'), /400: API key not valid/, /YOUTUBE_API_KEY/],
  ['a wrong key of the model', () => byModel('another'), /refuses our key/, /WRITER_API_KEY/],
  ['a wrong key of Stripe', () => byStripe({ STRIPE_SECRET_KEY: 'another' }), /401/, /STRIPE_SECRET_KEY/],
  [
    'a monthly price for years',
    () => byStripe({ STRIPE_YEARLY_PRICE_PRO: LOCAL_STRIPE.prices.pro }),
    /not paid by the year/,
    /STRIPE_YEARLY_PRICE_PRO/,
  ],
  ['a price that does not exist', () => byStripe({ STRIPE_PRICE_PRO: 'price_other' }), /No such price/, /STRIPE/],
])('%s is reported', async (_, ask, found, fix) => {
  expect(await ask()).toMatchObject({
    isOk: false,
    found: expect.stringMatching(found),
    fix: expect.stringMatching(fix),
  })
})

it.each<[string, unknown, ReturnType<typeof listedModel>]>([
  ['listed', { data: [{ id: 'other' }, { id: 'a-model' }] }, { isListed: true, ends: undefined }],
  [
    'soon to end',
    { data: [{ id: 'a-model', shutdown_date: '2027-01-14T00:00:00Z' }] },
    { isListed: true, ends: '2027-01-14' },
  ],
  ['not listed', { data: [null, { id: 'other' }] }, { isListed: false, ends: undefined }],
  ['not known, without a list', { data: {} }, undefined],
])('a model is %s', (_, json, found) => expect(listedModel(json, 'a-model')).toEqual(found))

it('the newest grant of a customer is checked at Google, and its end is explained', async () => {
  const redirectUri = 'https://galley.example/connect/search-console/callback'
  const verifier = 'v'.repeat(43)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const asked = new URL(
    googleSearchConsole({ outbound }, googleSettings()).consentUrl({ redirectUri, state: 's', challenge }),
  )
  const form = new URLSearchParams({ ...Object.fromEntries(asked.searchParams), allow: 'yes', search: 'yes' })
  const page = await fetch(`${google.url}${asked.pathname}`, { method: 'POST', body: form, redirect: 'manual' })
  const code = new URL(page.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const given = await googleSearchConsole({ outbound }, googleSettings()).exchange({ code, verifier, redirectUri })
  const refreshToken = 'ok' in given ? given.ok.refreshToken : ''
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const told = async (grant: GivenGrant) => {
    const { isOk, found, fix = '' } = await byGoogle(undefined, grant)
    return `${isOk} ${found} ${fix}`
  }
  expect(await told({ refreshToken, grantedAt: daysAgo(1) })).toMatch(
    /^true the client is known; .* reads \d+ properties/,
  )
  expect(await told({ refreshToken: 'gone', grantedAt: daysAgo(30) })).toMatch(/^true .* until the next one connects/)
  expect(await told({ refreshToken: 'gone', grantedAt: daysAgo(7) })).toMatch(/^false .*seventh day Publish/)
  const off = { error: { code: 403, message: 'It is off.', errors: [{ reason: 'accessNotConfigured' }] } }
  google.faults.set([{ path: '/webmasters/v3/sites', status: 403, answer: off }])
  expect(await told({ refreshToken, grantedAt: daysAgo(1) })).toMatch(/^false It is off\. Switch on/)
  google.faults.set([])
})

it('Stripe’s portal and webhook are read, and the report names missing settings', async () => {
  const { portal, webhooks } = stripe.state
  const told = async () => (await byStripe()).found
  stripe.state.portal = undefined
  expect(await told()).toBe('the portal has no configuration')
  stripe.state.portal = { canUpdate: true, updates: ['price'] }
  expect(await told()).toBe('the portal does not change quantities')
  stripe.state.portal = portal
  stripe.state.webhooks = []
  expect(await told()).toBe('no webhook leads to https://galley.example/stripe/events')
  stripe.state.webhooks = [{ url: `${PUBLIC_URL}/stripe/events`, events: ['checkout.session.completed'] }]
  expect(await told()).toMatch(/does not send customer\.subscription\.created/)
  stripe.state.webhooks = webhooks
})

it('a picture is made only when it may cost something', async () => {
  const images = await startImages('image-key')
  try {
    const settings = env.parseImageSettings({
      IMAGES_PROVIDER: 'openai-compatible',
      IMAGES_BASE_URL: images.baseUrl,
      IMAGES_API_KEY: 'image-key',
      IMAGES_MODEL: 'gpt-image-2.6-flare',
    })
    const maker = imageMaker(settings, undefined, outbound)
    expect(await checkImages(settings, maker, { outbound, isPaid: true })).toMatchObject({
      isOk: true,
      cost: '1 picture',
    })
    expect(await checkImages(settings, maker, { outbound, isPaid: false })).toMatchObject({ isOk: false })
  } finally {
    await images.close()
  }
})

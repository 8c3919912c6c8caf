import { expect, inject, it } from 'vitest'
import { gatewayApp } from '../../functions/gateway/app.ts'
import { legalFindings } from '../../scripts/deploy/checks/legal.ts'
import { processorsOf } from '../../scripts/deploy/secrets.ts'
import type { Settings } from '../../scripts/deploy/settings.ts'
import { DataPage } from '../../src/pages/docs/data.tsx'
import { parseLegal } from '../../src/platform/runtime/legal.ts'
import { PROCESSORS } from '../../src/platform/runtime/processors.ts'

const stack = inject('stack')
const textOf = async (path: string): Promise<string> => await (await fetch(`${stack.url}${path}`)).text()
const LINKS = ['https://galley.example/privacy', 'https://galley.example/terms', 'https://status.galley.example']

it.each(['/sign-up', '/sign-in', '/docs/quickstart', '/', '/data'])(
  'the footer of %s names the operator',
  async (path) => {
    const page = await textOf(path)
    for (const link of [...LINKS, 'mailto:support@galley.example', '/data']) expect(page).toContain(`href="${link}"`)
  },
)

it('the form to sign up says what a person accepts', async () => {
  expect(await textOf('/sign-up')).toContain('With an account you accept the')
})

it('the API description names terms, support, privacy and status', async () => {
  const { info } = JSON.parse(await textOf('/openapi.json')) as { info: Record<string, unknown> }
  expect(info).toMatchObject({
    termsOfService: 'https://galley.example/terms',
    contact: { email: 'support@galley.example' },
    'x-privacy-policy': 'https://galley.example/privacy',
    'x-status-page': 'https://status.galley.example',
  })
})

it('security.txt has a contact and one expiry within a year (RFC 9116)', async () => {
  const response = await fetch(`${stack.url}/.well-known/security.txt`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; *charset=utf-8$/i)
  const text = await response.text()
  expect(text).toContain('Contact: mailto:support@galley.example\n')
  const [expires, ...more] = [...text.matchAll(/^Expires: (.+)$/gm)].map(([, at = '']) => Date.parse(at))
  expect(more).toEqual([])
  expect(expires).toBeGreaterThan(Date.now() + 86_400_000)
  expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000)
  expect(text).toMatch(/^Canonical: https?:\/\/\S+\/\.well-known\/security\.txt$/m)
  const without = await gatewayApp().request('/.well-known/security.txt', {}, { PUBLIC_URL: 'https://galley.example' })
  expect(without.status).toBe(404)
})

it('the page about stored data lists the processors of the settings, with their places', async () => {
  const page = async (processors: string) =>
    String(await DataPage({ service: 'Galley', legal: parseLegal({}), processors }))
  const settings = {
    DATABASE_URL: 'postgresql://u:p@ep-x-pooler.eu-central-1.aws.neon.tech/db',
    UPSTASH_REDIS_REST_URL: 'https://eu1-x.upstash.io',
    WRITER_PROVIDER: 'openai-compatible',
    WRITER_BASE_URL: 'https://api.openai.com/v1',
    IMAGES_PROVIDER: 'workers-ai',
    STRIPE_SECRET_KEY: 'sk',
  } as Settings
  const shown = await page(processorsOf(settings))
  expect(processorsOf(settings)).toContain('neon@aws:eu-central-1')
  for (const name of ['cloudflare', 'neon', 'upstash', 'writer', 'images', 'stripe'] as const)
    expect(shown).toContain(`<td>${PROCESSORS[name][0]}</td>`)
  expect(shown).toContain('api.openai.com')
  for (const name of ['resend', 'dataforseo', 'zernio'] as const) expect(shown).not.toContain(PROCESSORS[name][0])
  expect(await page('nonsense, constructor@x')).not.toContain('nonsense')
  expect(shown).toContain('seven days, at Cloudflare')
  // A machine of the operator's own has no host.
  expect(await page('stripe')).not.toContain('Cloudflare')
})

it.each<[string, Partial<Settings>, number]>([
  ['nothing is set', {}, 1],
  [
    'all are set',
    { PRIVACY_URL: 'https://a.b/p', TERMS_URL: 'https://a.b/t', SUPPORT_EMAIL: 'a@b.c', STATUS_URL: 'https://s.b' },
    0,
  ],
])('the plan of a deployment warns of missing addresses: %s', (_, settings, warnings) => {
  expect(legalFindings(settings as Settings).warnings).toHaveLength(warnings)
})

it.each([{ PRIVACY_URL: 'javascript:alert(1)' }, { TERMS_URL: 'a.b/terms' }, { SUPPORT_EMAIL: 'nobody' }])(
  'a deployment is refused with %j',
  (settings) => {
    expect(() => legalFindings(settings as unknown as Settings)).toThrow(Object.keys(settings)[0])
  },
)

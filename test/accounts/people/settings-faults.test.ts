import { describe, expect, inject, it } from 'vitest'
import { browserName } from '../../../src/pages/signin/sessions.tsx'
import { newOwner, type Shown } from './browser.ts'

const stack = inject('stack')

/** Returns a person in an account that has projects, with a key of the API. */
const owner = () => newOwner(stack)

const _secretOn = (page: Shown): string => /gly_live_[0-9A-Za-z]{38}/.exec(page.text)?.[0] ?? ''
const _idOn = (page: Shown, field = 'id'): string =>
  new RegExp(`name="${field}" value="([^"]+)"`).exec(page.text)?.[1] ?? ''

/** Returns the faults that a page shows, by field: the field's own words, by the element it names as its description. */
const wrongOn = ({ text }: Shown): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<(?:input|select)[^>]*aria-invalid="true"[^>]*>/g)].map(([tag]) => {
      expect(tag).toContain(' autofocus')
      const [name = '', described = ''] = [/ name="([^"]+)"/, / aria-describedby="([^"]+)"/].map(
        (one) => one.exec(tag)?.[1],
      )
      const words = new RegExp(`id="${described.split(' ').at(-1)}">([^<]+)<`).exec(text)?.[1] ?? ''
      return [name, words]
    }),
  )

describe('a form’s error is at its field, and the input stays', () => {
  it.each([
    [
      '/settings/keys',
      { name: ' ', scope: 'read', days: '1' },
      { name: /1 to 100/, days: /how long/ },
      'value="read" selected',
    ],
    ['/settings/provider-keys', { provider: 'dataforseo', login: 'me' }, { password: /required/ }, 'value="me"'],
    ['/settings/provider-keys', { provider: 'ahrefs', api_key: 'not an\tkey' }, { api_key: /./ }, 'name="api_key"'],
    [
      '/settings/provider-keys',
      { provider: 'ahrefs', api_key: 'rejected' },
      { api_key: /does not accept/ },
      'name="api_key"',
    ],
    [
      '/settings/people',
      { email: 'nobody', role: 'king' },
      { email: /not an e-mail/, role: /may do/ },
      'value="nobody"',
    ],
    ['/settings/leaving/delete', { account: '12345' }, { account: /not the name/ }, 'value="12345"'],
    [
      '/settings/billing/checkout',
      { plan: 'free', slots: '0' },
      { plan: /Choose/, slots: /1 to 100/ },
      'name="slots" value="0"',
    ],
    ['/sign-up', { email: 'nobody' }, { email: /not an e-mail/ }, 'value="nobody"'],
    ['/verify', { token: 'a-token', password: 'short' }, { password: /10 to 200/ }, 'value="a-token"'],
    ['/sign-in', { email: 'some@body.example', password: 'wrong' }, { password: /wrong/ }, 'value="some@body.example"'],
  ] as [string, Record<string, string>, Record<string, RegExp>, string][])(
    '%s %o',
    async (path, fields, wrong, kept) => {
      const { person } = await owner()
      const page = await person.post(path, fields)
      expect(page.status).toBe(400)
      expect(wrongOn(page)).toEqual(
        Object.fromEntries(Object.entries(wrong).map(([name, words]) => [name, expect.stringMatching(words)])),
      )
      expect(page.text).toContain(kept)
      for (const name of ['password', 'api_key'])
        if (fields[name]) expect(page.text).not.toContain(`value="${fields[name]}"`)
    },
  )
})

it('NUL characters, and bodies that are not forms, are refused with a message', async () => {
  const { person } = await owner()
  const statuses = async (posts: [string, Record<string, string>][]) =>
    await Promise.all(posts.map(async ([path, fields]) => (await person.post(path, fields)).status))
  expect(
    await statuses([
      ['/settings/keys', { name: 'a\0b', scope: 'read', days: '30' }],
      ['/settings/people/role', { person: '\0', role: 'member' }],
      ['/reset', { email: 'a\0@people.example' }],
      ['/reset/new', { token: '\0', password: 'a long password' }],
    ]),
  ).toEqual([200, 409, 400, 400])
  const asked = await person.get('/oauth/authorize?response_type=code&client_id=%00')
  expect(asked.status).toBe(400)
  const sent = { headers: { 'content-type': 'multipart/form-data; boundary=x' } }
  expect((await person.post('/settings/keys', { name: 'x' }, sent)).status).toBe(415)
  const token = await fetch(`${stack.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: '\0', refresh_token: 'a:\0:c' }),
  })
  expect(token.status).toBeLessThan(500)
})

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome 140 on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
    'Safari 18 on macOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge 140 on Windows',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 OPR/122.0.0.0',
    'Opera 122 on Linux',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox 143 on Linux'],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome 140 on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1',
    'Chrome 140 on iOS',
  ],
  ['Firefox/143.0', 'Firefox 143'],
  ['curl/8.5.0', 'curl/8.5.0'],
  [`Reader ${'x'.repeat(200)}`, `Reader ${'x'.repeat(73)}`],
  ['', 'unknown'],
])('the browser %j is called %j', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})

import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { ROOT } from '../../../local/root.ts'
import { OAUTH } from '../../../src/accounts/oauth/paths.ts'
import { PATHS } from '../../../src/accounts/people/paths.ts'
import { sendLarge } from '../../support/send.ts'

const stack = inject('stack')

/** Paths for programs, without a browser, and the one-click end of mails, which mail programs send (RFC 8058). */
const PROGRAMS: ReadonlySet<string> = new Set([
  OAUTH.register,
  OAUTH.token,
  PATHS.stripeEvents,
  PATHS.mailEvents,
  PATHS.unsubscribe,
])

type Made = { routes: { method: string; path: string }[] }

/** Returns every POST of the Workers that have pages, from their route tables. */
const posts = async (): Promise<string[]> => {
  const front = { deps: { settings: { publicUrl: stack.url } }, consent: { isConfigured: true } }
  // By a name that the compiler does not follow: Workers have types of their own.
  const madeBy = async (file: string, name: string): Promise<Made> => {
    const all = (await import(join(ROOT, file))) as Record<string, (...given: unknown[]) => Made | { open: Made }>
    const made = all[name]?.(front, {}) ?? expect.fail(`${file} has no ${name}`)
    return 'open' in made ? made.open : made
  }
  const made = await Promise.all([
    madeBy('functions/pages/app.tsx', 'pagesApp'),
    madeBy('functions/oauth/app.tsx', 'oauthApp'),
    madeBy('src/pages/search-connection.tsx', 'connectPages'),
  ])
  const sent = made.flatMap(({ routes }) => routes.filter(({ method }) => method === 'POST'))
  return [...new Set(sent.map(({ path }) => path.replaceAll(/:\w+/g, '1')))]
}

it('every form of every page is accepted only from our own pages', async () => {
  const forms = (await posts()).filter((path) => !PROGRAMS.has(path))
  expect(forms.length).toBeGreaterThan(40)
  const origins = ['https://attacker.example', 'null', undefined, `${stack.url}.attacker.example`, `${stack.url}0`]
  for (const path of forms)
    for (const origin of origins) {
      const headers = origin === undefined ? {} : { origin }
      const response = await fetch(stack.url + path, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ link: 'x' }),
      })
      expect([path, origin, response.status, response.headers.get('content-type')]).toEqual([
        path,
        origin,
        403,
        'text/html; charset=utf-8',
      ])
    }
})

it('what is no form of a browser, or longer than ours are, is refused before it is read', async () => {
  const send = async (type: string, body: string, path = '/sign-in') => {
    const headers = { origin: stack.url, 'content-type': type }
    return (await sendLarge(stack.url + path, { method: 'POST', headers, body })).status
  }
  const form = 'application/x-www-form-urlencoded'
  for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x', `${form}x`])
    expect([type, await send(type, 'email=kim%40people.example&password=x')]).toEqual([type, 415])
  expect(await send(form, 'x', '/settings/archives/import')).toBe(415)
  expect(await send(form, `email=${'x'.repeat(16_384)}`)).toBe(413)
  expect(await send(form, `title=${'x'.repeat(4_500_000)}`, '/p/1/articles/1')).toBe(413)
})

it('a page with a form makes browsers send its origin', async () => {
  for (const path of ['/sign-in', '/connect/search-console?link=x'])
    expect((await fetch(stack.url + path)).headers.get('referrer-policy')).toBe('same-origin')
})

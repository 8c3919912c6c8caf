import { expect, it } from 'vitest'
import { isUnsafeRedirect } from '../../../src/accounts/oauth/requests.ts'
import { createAuth } from '../../../src/accounts/people/auth.ts'
import type { AuthDeps } from '../../../src/accounts/people/better-auth.ts'
import { startSession } from '../../../src/accounts/people/session-cookie.ts'
import { frontApp } from '../../../src/pages/app.tsx'
import { parseLegal } from '../../../src/platform/runtime/legal.ts'

const settings = {
  serviceName: 'Galley',
  secret: 'a secret of a test, which is long',
  legal: parseLegal({}),
  mailLater: () => {},
}

it.each([
  ['https://galley.example', '__Host-galley.session_token', true, 'max-age=31536000'],
  ['http://127.0.0.1:8787', 'galley.session_token', false, null],
])('the cookie and the pages of %s', async (publicUrl, name, secure, transport) => {
  const auth = createAuth({ ...settings, publicUrl, db: {} } as unknown as AuthDeps)
  const { sessionToken } = (await (await auth()).$context).authCookies
  expect(sessionToken).toMatchObject({ name, attributes: { secure, path: '/', httpOnly: true, sameSite: 'lax' } })
  // A passkey starts the same session.
  const started = await startSession(publicUrl, 'token', ['a secret'])
  expect(started).toMatch(/^[\w-]+\.session_token=token\.[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000/)
  expect([started.startsWith(`${name}=`), started.endsWith('; Secure')]).toEqual([true, secure])
  expect(sessionToken.attributes).not.toHaveProperty('domain')
  const deps = { settings: { ...settings, publicUrl }, now: () => new Date(), newId: () => 'an-id', log: () => {} }
  const page = await frontApp({ deps } as unknown as Parameters<typeof frontApp>[0]).request('/nothing')
  expect(page.headers.get('strict-transport-security')).toBe(transport)
})

it.each([
  ['https://app.example/cb', true],
  ['http://127.0.0.1:9/cb', true],
  ['http://[::1]:9/cb', true],
  ['https://xn--bcher-kva.example/', true],
  ['vscode://a;b/cb', true],
  ["https://a'.example/", false],
  ['https://*.example/', false],
  ['https://a;script-src.example/', false],
  ['https://a,b.example/', false],
])('%s is allowed in a policy: %s', (uri, isPlain) => {
  expect(isUnsafeRedirect(uri)).toBe(!isPlain)
})

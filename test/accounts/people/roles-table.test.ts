import { describe, expect, it } from 'vitest'
import { oauthApp } from '../../../functions/oauth/app.tsx'
import { pagesApp } from '../../../functions/pages/app.tsx'
import { ROLES, type Role } from '../../../schema/values/people.ts'
import { mayOpen, onlyProject } from '../../../src/accounts/people/roles.ts'
import { parseLegal } from '../../../src/platform/runtime/legal.ts'
import { FOR } from './role-table.ts'

const [SITE, OTHER_SITE] = [7, 8]

/** Paths that need no signed-in person. */
const OPEN =
  /^\/(assets\/.+|favicon\.svg|(?:review|report)\/.+|sign-in.*|sign-up|sign-out|verify|reset|reset\/new|invitation|unsubscribe|stripe\/events|mail\/events|settings\/theme|p\/:site\/calendar\.ics|oauth\/(register.*|token)|\.well-known\/.+)$/

const away = (): never => {
  throw new Error('no database is asked here')
}
const deps = {
  settings: {
    publicUrl: 'https://galley.example',
    serviceName: 'Galley',
    secretsKeys: [`1:${'a'.repeat(43)}`],
    legal: parseLegal({}),
  },
  db: new Proxy({}, { get: () => away }),
  now: () => new Date(),
  newId: () => 'an-id',
  log: () => {},
  wait: async () => {},
  limiter: { take: async () => ({ allowed: true }) },
}

/** Returns the apps of every Worker that has pages, with a signed-in person. */
const appsFor = (role: Role | undefined) => {
  const user = { id: 'kim', email: 'kim@people.example', emailVerified: true }
  const place = { accountId: 1, plan: 'pro', projectSlots: 3, eraseAt: null, name: '', zone: null, mailFault: null }
  const session = role && { user, person: { ...user, ...place, role, projectId: onlyProject(role, SITE) } }
  const consent = { isConfigured: true }
  const getSession = async () => session && { user, session: {} }
  const auth = {
    $context: Promise.resolve({ authCookies: { sessionToken: { name: 's', attributes: {} } } }),
    api: { getSession },
  }
  const front = {
    deps,
    consent,
    auth,
    secrets: ['x'],
    oauth: { api: {} },
    sendsMail: true,
    sessionOf: async () => session,
  }
  return [pagesApp(front as never).open, oauthApp(front as never).open]
}

type App = ReturnType<typeof appsFor>[number]

/** Returns the pages and forms of an app, by method and pattern. */
const routesOf = ({ routes }: App): string[] => [
  ...new Set(
    routes.filter(({ method }) => method === 'GET' || method === 'POST').map(({ method, path }) => `${method} ${path}`),
  ),
]

const isOpen = (route: string): boolean => OPEN.test(route.slice(route.indexOf('/')))

/** Asks for a route, about a site, as a browser does. */
const ask = async (app: App, route: string, site: number) => {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern.replace(':site', String(site)).replaceAll(/:\w+/g, '5')
  const form = { method, body: 'person=lee', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  const request = new Request(`https://galley.example${path}`, method === 'POST' ? form : {})
  const ctx = { waitUntil: () => {}, passThroughOnException: () => {} }
  return await app.fetch(request, {}, ctx as never)
}

describe('every page and every form', () => {
  it('has its roles in the table', () => {
    const found = appsFor('owner').flatMap(routesOf)
    expect(found.filter((route) => !isOpen(route)).sort()).toEqual(Object.keys(FOR).sort())
  })

  it('asks people to sign in first', async () => {
    for (const app of appsFor(undefined))
      for (const route of routesOf(app).filter((one) => !isOpen(one))) {
        const answer = await ask(app, route, SITE)
        expect([answer.status, answer.headers.get('location')], route).toEqual([
          303,
          expect.stringMatching(/^\/sign-in\?next=/),
        ])
      }
  })

  it.each(ROLES)('is for %s what the table says, and nothing of another site is', async (role) => {
    const isOfOneSite = role === 'editor' || role === 'client'
    for (const app of appsFor(role))
      for (const route of routesOf(app).filter((one) => !isOpen(one))) {
        const answer = await ask(app, route, SITE)
        const isRefused =
          answer.status === 403 && (await answer.text()).includes('your role cannot do this. Ask an owner')
        expect(isRefused, `${role}: ${route}`).toBe(!FOR[route]?.includes(role.charAt(0)))
        if (route.includes(':site') && isOfOneSite)
          expect((await ask(app, route, OTHER_SITE)).status, `${role}, another site: ${route}`).toBe(404)
      }
  })
})

it('links lead only to pages that a role may open', () => {
  const links = ['/p/7', '/p/7/plan?day=2030-01-01', '/settings/social?project_id=7', '/settings/people', '/nowhere']
  const open = (role: Role) => links.filter((link) => mayOpen(role, link))
  expect(open('owner')).toEqual(links)
  expect(open('member')).toEqual(links.slice(0, 4))
  expect(open('editor')).toEqual(links.slice(0, 2))
  expect(open('client')).toEqual(links.slice(0, 1))
})

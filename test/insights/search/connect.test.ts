import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { anotherKey, newAccount, newProject, rowsIn, tell } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import {
  answerConsent,
  comeBack,
  connectAt,
  goToConsent,
  hiddenIn,
  newBrowser,
  newConnected,
  newOwner,
  textIn,
} from './google.ts'

const stack = inject('stack')

const linkFor = async ({ api, project }: { api: Awaited<ReturnType<typeof newAccount>>; project: number }) => {
  const { status, body, text } = await api.post(`/projects/${project}/search-console/connect`)
  expect(status, text).toBe(200)
  return body.connect_url as string
}

describe('a key that may only read', () => {
  it('gets no address that connects without signing in', async () => {
    const owner = await newOwner(stack)
    const connected = await newConnected(stack, { api: owner.api })
    const page = (project: number) => `${stack.url}/settings/integrations?project_id=${project}`
    const reader = await anotherKey(stack, owner.api, ['read'])
    for (const path of [
      `/search-console?project_id=${owner.project}`,
      `/search-console/history?project_id=${owner.project}`,
      `/projects/${owner.project}/search-console`,
    ]) {
      const { body, text } = await reader.get(path)
      expect(body.connect_url).toBe(page(owner.project))
      expect(body.instructions_for_agent).toContain(`${page(owner.project)} in a browser, sign in to this service`)
      expect(text).not.toContain('link=')
    }
    expect((await reader.get(`/projects/${connected.project}/search-console`)).body.connect_url).toBe(
      page(connected.project),
    )
    const suggestions = await reader.get(`/suggestions?project_id=${owner.project}`)
    expect(suggestions.body.instructions_for_agent).toContain(page(owner.project))
    expect(suggestions.text).not.toContain('link=')
    const { body } = await owner.api.get(`/search-console?project_id=${owner.project}`)
    expect(body.connect_url).toContain('/connect/search-console?link=')
  })
})

describe('connecting', () => {
  it('sends a person to Google and back, and chooses the domain property', async () => {
    const owner = await newOwner(stack, { settings: { business_name: '<Sheds> & Co' } })
    const { body: before } = await owner.api.get(`/search-console?project_id=${owner.project}`)
    expect(before).toMatchObject({
      connected: false,
      project_id: owner.project,
      message: expect.stringMatching(/not connected/),
    })
    expect(before.instructions_for_agent).toContain(before.connect_url)

    const browser = newBrowser()
    const { shown, consentUrl, consent } = await goToConsent(browser, before.connect_url as string)
    expect(shown.status).toBe(200)
    expect(textIn(shown.page)).toContain(`<Sheds> & Co (https://www.${owner.domain}`)
    expect(shown.page).not.toContain('<Sheds>')
    expect(shown.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(shown.headers.get('cache-control')).toBe('no-store')
    const asked = new URL(consentUrl).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      redirect_uri: `${stack.url}/connect/search-console/callback`,
      access_type: 'offline',
      prompt: 'consent',
      code_challenge_method: 'S256',
      scope: expect.stringContaining('https://www.googleapis.com/auth/webmasters.readonly'),
    })
    const back = await answerConsent(browser, consentUrl, consent.page, {
      email: owner.email,
      search: 'yes',
      allow: 'yes',
    })
    const asks = await browser.go(back)
    expect(asks.status).toBe(200)
    expect(textIn(asks.page)).toContain(`<Sheds> & Co (https://www.${owner.domain}`)
    expect((await owner.api.get(`/projects/${owner.project}/search-console`)).body.connected).toBe(false)
    const returned = await comeBack(browser, back)
    expect(returned.status).toBe(303)
    const last = await browser.go(returned.location)
    expect(textIn(last.page)).toContain(`read from https://www.${owner.domain}/`)

    const { body: standing } = await owner.api.get(`/projects/${owner.project}/search-console`)
    expect(standing).toMatchObject({
      connected: true,
      account: owner.email,
      property: `https://www.${owner.domain}/`,
      error: null,
      sandbox: true,
    })
    expect(standing.properties).toEqual([
      'https://another.example/',
      `https://www.${owner.domain}/`,
      `sc-domain:${owner.domain}`,
    ])
  })

  it('is listed among the integrations without a secret', async () => {
    const owner = await newConnected(stack)
    const { body, text } = await owner.api.get(`/integrations?project_id=${owner.project}`)
    expect(body.integrations).toMatchObject([
      {
        Platform: 'search_console',
        IntegrationName: owner.email,
        Status: 'Active',
        ProjectID: owner.project,
        Url: `https://www.${owner.domain}/`,
      },
    ])
    expect(text).not.toMatch(/1\/\/ey|ya29\.ey/)
    const [{ ID: id }] = body.integrations as [{ ID: number }]
    const one = await owner.api.get(`/integrations/${id}`)
    expect(one.body.integration).toMatchObject({ ID: id, Platform: 'search_console' })
    const refused = await owner.api.del(`/integrations/${id}`)
    expectError(refused, 'unsupported_platform')
    expect(refused.body.next_calls).toContainEqual(
      expect.objectContaining({ method: 'DELETE', path: `/projects/${owner.project}/search-console` }),
    )
    expect((await owner.api.get(`/integrations?project_id=${owner.project}`)).body.count).toBe(1)
  })

  it('a trip to Google ends only in the browser that began it', async () => {
    const owner = await newOwner(stack)
    const [victim, attacker] = [newBrowser(), newBrowser()]
    const { consentUrl, consent } = await goToConsent(attacker, await linkFor(owner))
    const back = await answerConsent(attacker, consentUrl, consent.page, {
      email: owner.email,
      search: 'yes',
      allow: 'yes',
    })
    await goToConsent(victim, await linkFor(await newOwner(stack)))
    const refused = await victim.go(back)
    expect(refused.status).toBe(400)
    expect(textIn(refused.page)).toContain('not started here')
    expect((await owner.api.get(`/search-console?project_id=${owner.project}`)).body.connected).toBe(false)
  })

  it('a code is worth one connection', async () => {
    const owner = await newOwner(stack)
    const browser = newBrowser()
    const { consentUrl, consent } = await goToConsent(browser, await linkFor(owner))
    const cookie = browser.cookie()
    const back = await answerConsent(browser, consentUrl, consent.page, {
      email: owner.email,
      search: 'yes',
      allow: 'yes',
    })
    const { page } = await browser.go(back)
    expect((await comeBack(browser, back)).status).toBe(303)
    const repeated = await fetch(back.split('?')[0] ?? '', {
      method: 'POST',
      headers: { cookie, origin: stack.url },
      body: new URLSearchParams(hiddenIn(page)),
      redirect: 'manual',
    })
    expect(repeated.status).toBe(400)
    expect(await repeated.text()).toContain('used already')
  })

  it('a changed or invalid link leads nowhere', async () => {
    const owner = await newOwner(stack)
    const link = await linkFor(owner)
    const changed = link.replace(`link=${owner.project}.`, `link=${owner.project + 1}.`)
    for (const url of [changed, `${stack.url}/connect/search-console`, `${stack.url}/connect/search-console?link=x`]) {
      const { status, page } = await newBrowser().go(url)
      expect(status).toBe(400)
      expect(textIn(page)).toContain('no longer valid')
    }
    const sent = await newBrowser().go(`${stack.url}/connect/search-console`, { link: 'x' })
    expect(sent.status).toBe(400)
    expect(sent.location).toBe('')
  })

  it.each([
    [{ allow: 'no' }, 'did not allow'],
    [{ search: 'no' }, 'was not ticked'],
  ])('is not made when the person answers %o', async (answer, says) => {
    const owner = await newOwner(stack)
    const last = await connectAt(await linkFor(owner), owner.email, answer)
    expect(last.status).toBe(400)
    expect(textIn(last.page)).toContain(says)
    expect(Object.keys(hiddenIn(last.page))).toEqual(['link'])
    expect((await owner.api.get(`/integrations?project_id=${owner.project}`)).body.count).toBe(0)
  })

  it('without a property of the site the person chooses one', async () => {
    const owner = await newOwner(stack, {
      sites: () => [
        { siteUrl: 'sc-domain:elsewhere.example', permissionLevel: 'siteOwner' },
        { siteUrl: 'https://third.example/', permissionLevel: 'siteOwner' },
      ],
    })
    const last = await connectAt(await linkFor(owner), owner.email)
    expect(textIn(last.page)).toContain('Choose the property')
    const { body } = await owner.api.get(`/search-console?project_id=${owner.project}`)
    expect(body).toMatchObject({ connected: false, message: expect.stringContaining('no property') })
    const browser = newBrowser()
    const given = { ...hiddenIn(last.page), property: 'https://third.example/' }
    const sent = await browser.go(`${stack.url}/connect/search-console/property`, given)
    expect(sent.status).toBe(303)
    const { body: standing } = await owner.api.get(`/projects/${owner.project}/search-console`)
    expect(standing.property).toBe('https://third.example/')
    const foreign = await browser.go(`${stack.url}/connect/search-console/property`, {
      ...given,
      property: 'sc-domain:x.example',
    })
    expect(foreign.status).toBe(400)
  })
})

describe('the property', () => {
  it('is changed to one the account may read, and to no other', async () => {
    const owner = await newConnected(stack)
    const path = `/projects/${owner.project}/search-console`
    const prefix = `https://www.${owner.domain}/`
    expect((await owner.api.put(path, { property: prefix })).body).toMatchObject({
      project_id: owner.project,
      property: prefix,
    })
    expect((await owner.api.get(path)).body.property).toBe(prefix)
    const refused = await owner.api.put(path, { property: `sc-domain:unverified-${owner.domain}` })
    expectError(refused, 'invalid_input')
    expect(refused.body.details).toMatchObject([{ field: 'property', allowed: expect.arrayContaining([prefix]) }])
    expect((await owner.api.get(path)).body.property).toBe(prefix)
  })

  it('added at Google meanwhile can be chosen', async () => {
    const owner = await newConnected(stack)
    const added = `https://${owner.domain}/shop/`
    const sites = [`https://www.${owner.domain}/`, added].map((siteUrl) => ({ siteUrl, permissionLevel: 'siteOwner' }))
    await tell(stack.googleUrl, '/_accounts', { email: owner.email, sites })
    const { status, body } = await owner.api.put(`/projects/${owner.project}/search-console`, { property: added })
    expect([status, body.properties]).toEqual([200, sites.map(({ siteUrl }) => siteUrl)])
  })
})

describe('disconnecting', () => {
  it('forgets the tokens and withdraws the access at Google', async () => {
    const owner = await newConnected(stack)
    const path = `/projects/${owner.project}/search-console`
    expect((await owner.api.del(path)).body).toMatchObject({ disconnected: true, revoked: true })
    expect((await owner.api.get(path)).body.connected).toBe(false)
    expect((await owner.api.get(`/integrations?project_id=${owner.project}`)).body.count).toBe(0)
    const again = await owner.api.del(path)
    expectError(again, 'not_found')
    expect(again.body.connect_url).toMatch(/\/connect\/search-console\?link=/)
  })

  it('at the same moment as other calls is saved once, and a late choice not at all', {
    tags: ['services'],
  }, async () => {
    const owner = await newConnected(stack)
    const path = `/projects/${owner.project}/search-console`
    const property = `https://www.${owner.domain}/`
    const calls = await Promise.all([
      owner.api.del(path),
      owner.api.del(path),
      ...[1, 2, 3].map(() => owner.api.put(path, { property })),
    ])
    const done = calls.map(({ status }) => status === 200)
    const entries = await rowsIn<{ action: string }>(
      stack,
      sql`select action from audit_log where subject = ${`project:${owner.project}`}::text and action in ('search.disconnect', 'search.choose_property')`,
    )
    expect(entries.filter(({ action }) => action === 'search.disconnect')).toHaveLength(1)
    expect(done.slice(0, 2).filter(Boolean)).toHaveLength(1)
    expect(entries.filter(({ action }) => action === 'search.choose_property')).toHaveLength(
      done.slice(2).filter(Boolean).length,
    )
  })

  it('leaves the access to another project of the same Google account', async () => {
    const owner = await newConnected(stack)
    const other = await newProject(owner.api, { website_url: `https://shop.${owner.domain}` })
    await connectAt(await linkFor({ api: owner.api, project: other }), owner.email)
    expect((await owner.api.del(`/projects/${owner.project}/search-console`)).body.revoked).toBe(false)
    expect((await owner.api.get(`/search-console?project_id=${other}`)).body.connected).toBe(true)
    expect((await owner.api.del(`/projects/${other}/search-console`)).body.revoked).toBe(true)
  })
})

it('another account cannot connect, read, change or disconnect a project', async () => {
  const owner = await newConnected(stack)
  const other = await newAccount(stack)
  const path = `/projects/${owner.project}/search-console`
  for (const answer of [
    await other.post(`${path}/connect`),
    await other.get(path),
    await other.put(path, { property: `https://www.${owner.domain}/` }),
    await other.del(path),
    await other.get(`/search-console?project_id=${owner.project}`),
    await other.get(`/search-console/history?project_id=${owner.project}`),
  ])
    expectError(answer, 'forbidden')
  expect((await owner.api.get(path)).body).toMatchObject({ connected: true, property: `https://www.${owner.domain}/` })
})

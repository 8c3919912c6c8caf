import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type * as z from 'zod/mini'
import { type GhostStandIn, startGhost } from '../../../local/cms/ghost.ts'
import { startReceiver } from '../../../local/receiver/server.ts'
import { PUBLISHING_PLATFORMS } from '../../../schema/values/publishing.ts'
import { platformForm } from '../../../src/pages/settings/connect/fields.ts'
import { connectionForms } from '../../../src/providers/publishing.ts'
import { connectReceiver, newProject, rowsIn, tell } from '../../support/client.ts'
import { formOn, newOwner, sure, textOf } from './browser.ts'

const stack = inject('stack')
const CONNECT = '/settings/integrations/connect'

/** Returns a person in an account with one project. */
const owner = async () => {
  const { api, person } = await newOwner(stack)
  return { api, person, project: await newProject(api) }
}

/** Returns the fields of a schema, even if it has checks around it. */
const fieldsOf = (schema: z.ZodMiniType): string[] =>
  Object.keys((schema._zod.def as unknown as { shape: object }).shape).sort()

describe.each(PUBLISHING_PLATFORMS)('the form of %s', (platform) => {
  it('has the fields of the API', () => {
    const form = connectionForms[platform]
    if (!form) throw new Error('no form')
    expect(
      platformForm(platform, true)
        ?.fields.map(({ name }) => name)
        .sort(),
    ).toEqual(fieldsOf(form.fields))
  })

  it('requires what the API requires, and says so at the field', async () => {
    const { person, project } = await owner()
    const shown = await person.get(`${CONNECT}?project_id=${project}&platform=${platform}`)
    const empty = formOn(shown, CONNECT)
    expect(empty).toMatchObject({ project_id: String(project), platform })
    const refused = await person.post(CONNECT, empty)
    expect(refused.status).toBe(400)
    const missing = [...refused.text.matchAll(/id="field-([\w.]+)-error">Is required/g)].map(([, name]) => name)
    const required = platformForm(platform, true)?.fields.filter(({ optional }) => !optional) ?? []
    const wanted = required.map(({ name }) => name)
    expect(missing).toEqual(platform === 'shopify' ? wanted : expect.arrayContaining(wanted))
    expect(refused.text).toMatch(/aria-invalid="true"/)
  })
})

describe('connecting in the settings', () => {
  let ghost: GhostStandIn
  beforeAll(async () => {
    ghost = await startGhost()
  })
  afterAll(() => ghost.close())

  it('a CMS is checked first; a refusal is shown; then it is connected, tested and disconnected', async () => {
    const { api, person, project } = await owner()
    const form = { project_id: String(project), platform: 'ghost', api_url: ghost.url }
    const wrongKey = `${'a'.repeat(24)}:${'b'.repeat(64)}`
    const refused = await person.post(CONNECT, { ...form, admin_api_key: wrongKey })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Nothing was saved: ')])
    expect(refused.text).toContain(`value="${ghost.url}"`)
    expect(refused.text).not.toContain(wrongKey)
    expect((await api.get('/integrations')).body.integrations).toEqual([])

    const made = await person.post(CONNECT, { ...form, admin_api_key: ghost.key, name: 'Our blog' })
    expect([made.status, made.text]).toEqual([200, expect.stringContaining('Ghost is connected.')])
    const { integrations } = (await api.get('/integrations')).body as { integrations: { ID: number }[] }
    expect(integrations).toMatchObject([{ Platform: 'ghost', IntegrationName: 'Our blog', ProjectID: project }])

    const id = String(integrations[0]?.ID)
    expect((await person.post('/settings/integrations/test', { id })).text).toContain('The test succeeded')
    const other = await owner()
    for (const action of ['test', 'disconnect'])
      expect((await other.person.post(`/settings/integrations/${action}`, { id })).status).toBe(404)
    expect((await sure(person, '/settings/integrations/disconnect', { id })).text).toContain('Disconnected')
  })

  it('the page says of each platform what it can do', async () => {
    const { person } = await owner()
    const { text } = await person.get('/settings/integrations')
    const rows = [...text.matchAll(/<tr>(<td.*?)<\/tr>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<td data-label="([^"]+)"><span>(.*?)<\/span>/gs)].map(([, head, cell]) => `${head}: ${cell}`),
    )
    expect(rows.find(([first]) => first === 'Platform: Strapi')).toEqual([
      'Platform: Strapi',
      'Publish: yes',
      'Update: yes',
      'Take down: with an admin token',
      'Rename: no',
      'Pictures: linked, or stored there',
      'Drafts: yes',
      'Read back: yes',
      'Adopt: no',
    ])
    expect(rows.map(([first]) => first)).toEqual(expect.arrayContaining(['Platform: Ghost', 'Platform: Webhook']))
  })

  it('a receiver that refuses the test is saved, with its reason in plain words', async () => {
    const { person, project } = await owner()
    const form = { project_id: String(project), platform: 'webhook', url: `${stack.receiverUrl}/webhook` }
    const page = await person.post(CONNECT, { ...form, access_token: 'another' })
    const said = textOf(page)
    expect(said).toContain('did not accept a test event: The site refused the saved password or token.')
    expect(said).toContain('Give it the secret with which it checks messages. Try it with its Test button.')
    expect(said).not.toContain('HTTP 401')
  })

  it('a webhook replaces the connected target, and its secret is shown once', async () => {
    const { api, person, project } = await owner()
    const form = { project_id: String(project), platform: 'webhook', url: `${stack.receiverUrl}/webhook` }
    const made = await person.post(CONNECT, { ...form, access_token: stack.receiverToken })
    expect(made.text).toMatch(/<code class="secret">whsec_/)
    expect((await person.get('/settings/integrations')).text).not.toContain('whsec_')
    const again = await person.get(`${CONNECT}?project_id=${project}&platform=ghost`)
    expect(again.text).toContain('replaces it')
    const [row] = (await api.get('/integrations')).body.integrations as { ID: number }[]
    const tested = await person.post('/settings/integrations/test', { id: String(row?.ID) })
    expect(tested.text).toContain('The test succeeded')
  })

  it('the state of a connection is that of its last use or test, and before the first it is not known', async () => {
    const { api, person, project } = await owner()
    const receiver = await startReceiver({ port: 0, token: 'a-token-of-mine' })
    const { integration_id: id } = await connectReceiver(api, project, receiver.url, 'a-token-of-mine')
    const states = async () =>
      await Promise.all(
        ['/settings/integrations', '/sites'].map(
          async (path) => /(Works|Does not work|Not tried yet)/.exec((await person.get(path)).text)?.[1],
        ),
      )
    expect(await states()).toEqual(['Works', 'Works'])
    await tell(receiver.url, '/_control', { mode: 'reject', times: 1 })
    expect((await person.post('/settings/integrations/test', { id: String(id) })).text).toContain('The test failed')
    expect(await states()).toEqual(['Does not work', 'Does not work'])
    expect((await person.get(`/p/${project}/setup`)).text).toContain('It did not accept what was sent last.')
    expect((await person.post('/settings/integrations/test', { id: String(id) })).text).toContain('The test succeeded')
    expect(await states()).toEqual(['Works', 'Works'])
    await rowsIn(stack, sql`update integrations set last_used_at = null where id = ${Number(id)}`)
    expect(await states()).toEqual(['Not tried yet', 'Not tried yet'])
    await receiver.close()
  })

  it('addresses inside the network are refused at their field', async () => {
    const { person, project } = await owner()
    const form = { project_id: String(project), platform: 'webhook', access_token: 'x', url: 'http://10.0.0.1/hook' }
    const refused = await person.post(CONNECT, form)
    expect(refused.status).toBe(400)
    expect(refused.text).toMatch(/id="field-url-error">Must be a public/)
  })

  it('projects of others, and platforms there are not, have no form', async () => {
    const [one, other] = [await owner(), await owner()]
    const theirs = `${CONNECT}?project_id=${one.project}&platform=ghost`
    expect((await other.person.get(theirs)).status).toBe(404)
    const sent = { project_id: String(one.project), platform: 'ghost', api_url: ghost.url, admin_api_key: ghost.key }
    expect((await other.person.post(CONNECT, sent)).status).toBe(404)
    expect((await one.api.get('/integrations')).body.integrations).toEqual([])
    for (const platform of ['constructor', 'joomla', ''])
      expect((await one.person.get(`${CONNECT}?project_id=${one.project}&platform=${platform}`)).url).toBe(
        `${stack.url}/settings/integrations`,
      )
  })

  it('Search Console: the page leads to Google, and a connection can be ended', async () => {
    const { person, project } = await owner()
    const page = await person.post('/settings/integrations/search-console', { project_id: String(project) })
    expect(new URL(page.url).pathname).toBe('/connect/search-console')
    expect(page.text).toContain('Go on to Google')
    const other = await owner()
    const theirs = await other.person.post('/settings/integrations/search-console', { project_id: String(project) })
    expect(theirs.status).toBe(404)
  })
})

describe('social accounts', () => {
  it('are connected at the network, which sends people back to a page', async () => {
    const { api, person, project } = await owner()
    const shown = await person.post('/settings/social', { project_id: String(project), platform: 'linkedin' })
    const [, link = ''] = /<a href="([^"]+)" rel="noreferrer"/.exec(shown.text) ?? []
    const agreed = await fetch(link.replaceAll('&amp;', '&'), { redirect: 'manual', headers: { accept: 'text/html' } })
    const back = await person.get(agreed.headers.get('location') ?? '')
    expect([back.status, back.url]).toEqual([200, `${stack.url}/settings/social?project_id=${project}`])
    expect(back.text).toContain('LinkedIn</span>')
    expect((await api.get(`/social/accounts?project_id=${project}`)).body).toMatchObject({ connected: true })
  })

  it('show what is missing, and belong to one account only', async () => {
    const { person, project } = await owner()
    const sent = { project_id: String(project), platform: 'telegram', bot_token: 'wrong', chat_id: '@channel' }
    const refused = await person.post('/settings/social', sent)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Must be a bot’s token')])
    const other = await owner()
    expect((await other.person.get(`/settings/social?project_id=${project}`)).status).toBe(404)
  })

  it.each([
    ['error=oauth_denied&platform=twitter', 'X was not connected: the permission was not given there.'],
    ['error=payment_required&platform=linkedin', 'LinkedIn was not connected: this service has reached a limit'],
    ['error=new_code&platform=linkedin&error_message=Call+0800', 'LinkedIn was not connected (new_code). Try again'],
    ['error=%3Cb%3E+Call+0800&platform=nowhere', 'The account was not connected. Try again'],
  ])('a person who comes back without an account is told why: %s', async (query, text) => {
    const { person, project } = await owner()
    const page = await person.get(`/settings/social?project_id=${project}&${query}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain(text)
    expect(page.text).not.toContain('0800')
  })
})

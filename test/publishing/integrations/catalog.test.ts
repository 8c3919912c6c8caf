import { describe, expect, inject, it } from 'vitest'
import { newOwner } from '../../accounts/people/browser.ts'
import { connectReceiver, newProject } from '../../support/client.ts'
import { manyKeys, rowsOf } from '../../support/keys.ts'

const stack = inject('stack')

const scene = async () => {
  const { api: one, person } = await newOwner(stack)
  const api = manyKeys(stack, one)
  return { api, person, project: await newProject(api) }
}

describe('GET /integrations/catalog', () => {
  it('shows connected targets, and links to an existing page for each', async () => {
    const { api, person, project } = await scene()
    const made = await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    const linked = await api.post('/social/accounts', { project_id: project, platform: 'linkedin' })
    await fetch(String(linked.body.connect_url))
    const { status, body } = await api.get(`/integrations/catalog?project_id=${project}`)
    expect([status, body.project_id]).toEqual([200, project])
    const rows = rowsOf(body, 'integrations')
    expect(rows.filter(({ connected }) => connected)).toEqual([
      {
        key: 'webhook',
        name: 'Webhook',
        category: 'developer',
        connected: true,
        accounts: [{ account_id: String(made.integration_id), account_name: expect.any(String) }],
        connect_url: `${stack.url}/settings/integrations/connect?project_id=${project}&platform=webhook`,
      },
      expect.objectContaining({
        key: 'linkedin',
        accounts: [expect.objectContaining({ account_id: expect.any(String) })],
      }),
    ])
    expect(rows.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['wordpress', 'ghost', 'x', 'googlebusiness', 'search_console', 'dataforseo', 'ahrefs']),
    )
    for (const url of new Set(rows.map(({ connect_url }) => String(connect_url))))
      expect([url, (await person.get(url)).status]).toEqual([url, 200])
  })

  it('shows one category, and an empty list for an unknown word', async () => {
    const { api, project } = await scene()
    const keys = async (category: string) =>
      rowsOf(
        (await api.get(`/integrations/catalog?project_id=${project}&category=${category}`)).body,
        'integrations',
      ).map(({ key }) => key)
    expect(await keys('Analytics')).toEqual(['search_console', 'dataforseo', 'ahrefs'])
    expect(await keys('ads')).toEqual([])
    expect(await keys('crm')).toEqual([])
  })
})

describe('GET /integrations/connect', () => {
  it('accepts the key or the name, and says what to do', async () => {
    const { api, project } = await scene()
    for (const [given, key] of [
      ['ghost', 'ghost'],
      ['Google+Search+Console', 'search_console'],
      ['TWITTER', 'x'],
      ['google-business', 'googlebusiness'],
      ['DataForSEO', 'dataforseo'],
    ]) {
      const { status, body } = await api.get(`/integrations/connect?project_id=${project}&integration=${given}`)
      expect([given, status, body.key]).toEqual([given, 200, key])
      expect(body).toMatchObject({ connected: false, accounts: [], connect_url: expect.stringContaining(stack.url) })
      expect((body.steps as string[]).length).toBeGreaterThan(1)
    }
  })

  it('lists the existing names if the name is unknown', async () => {
    const { api, project } = await scene()
    const { status, body } = await api.get(`/integrations/connect?project_id=${project}&integration=wordpres`)
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect(body.error).toMatch(/Did you mean wordpress\? Available: .*telegram/)
    const [next] = body.next_calls as { path: string }[]
    expect((await api.get(String(next?.path))).status).toBe(200)
  })
})

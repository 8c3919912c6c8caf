import { describe, expect, inject, it } from 'vitest'
import { connectReceiver, newAccount, newProject } from '../../support/client.ts'
import { rowsOf, walk } from '../../support/keys.ts'

const stack = inject('stack')
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe('GET /integrations', () => {
  it('answers an empty list if nothing is connected', async () => {
    const { status, body } = await (await newAccount(stack)).get('/integrations')
    expect(status).toBe(200)
    expect(body).toEqual({
      integrations: [],
      count: 0,
      limit: 50,
      offset: 0,
      next_offset: null,
      before_id: null,
    })
  })

  it('shows every field of a row and no secret', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api, { business_name: 'Bakery' })
    const made = await api.post(`/projects/${project}/integrations`, {
      platform: 'webhook',
      name: 'My blog',
      url: 'https://blog.example/hook',
      access_token: 'list-test-token-1',
    })
    const { body, text } = await api.get('/integrations')
    expect(body.integrations).toEqual([
      {
        ID: made.body.integration_id,
        Platform: 'webhook',
        IntegrationName: 'My blog',
        Status: 'Active',
        ProjectID: project,
        BusinessName: 'Bakery',
        Url: 'https://blog.example/hook',
        LastUsedAt: expect.stringMatching(ISO_UTC),
        LastError: expect.stringContaining('receiver'),
        CreatedAt: expect.stringMatching(ISO_UTC),
      },
    ])
    expect(text).not.toContain('list-test-token-1')
    expect(text).not.toContain(String(made.body.signing_secret))
  })

  it('filters by project and pages, newest first', async () => {
    const api = await newAccount(stack)
    const ids: unknown[] = []
    const projects: number[] = []
    for (let n = 0; n < 4; n += 1) {
      projects.push(await newProject(api))
      ids.unshift((await connectReceiver(api, projects[n] ?? 0, stack.receiverUrl, 'token-of-mine')).integration_id)
    }
    expect((await walk(api, '/integrations?limit=3', 'integrations')).map((row) => row.ID)).toEqual(ids)
    const one = await api.get(`/integrations?project_id=${projects[1]}`)
    expect(rowsOf(one.body, 'integrations').map((row) => row.ID)).toEqual([ids[2]])
  })

  it('shows the caller only their own, 403 for another project, 404 for none, 400 for no id', async () => {
    const [api, other] = await Promise.all([newAccount(stack), newAccount(stack)])
    const project = await newProject(other)
    await connectReceiver(other, project, stack.receiverUrl, 'token-of-mine')
    expect((await api.get('/integrations')).body.count).toBe(0)
    expect((await api.get(`/integrations?project_id=${project}`)).status).toBe(403)
    expect((await api.get('/integrations?project_id=2147483647')).status).toBe(404)
    expect((await api.get('/integrations?project_id=x')).status).toBe(400)
  })
})

import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { rowsOf, walk } from '../../support/keys.ts'

const stack = inject('stack')
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe('GET /projects', () => {
  it('answers an account without projects with an empty list', async () => {
    const api = await newAccount(stack)
    const { status, body } = await api.get('/projects')
    expect(status).toBe(200)
    expect(body).toEqual({
      projects: [],
      count: 0,
      limit: expect.any(Number),
      offset: 0,
      next_offset: null,
      before_id: null,
    })
  })

  it('shows every field of a row', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api, {
      website_url: 'https://bakery.example/shop',
      business_name: 'Bakery',
      business_description: 'Bread and cake.',
      language: 'French',
      publish_time: '06:45',
      timezone: 'Europe/Paris',
      publishing_status: 'Send as Drafts',
      backlinks_network: false,
    })
    const { body } = await api.get('/projects')
    expect(body.projects).toEqual([
      {
        ID: id,
        BusinessName: 'Bakery',
        WebsiteUrl: 'https://bakery.example/shop',
        BusinessDescription: 'Bread and cake.',
        Language: 'French',
        Status: 'Active',
        BacklinkCredits: 3,
        ArticlesPerDay: expect.any(Number),
        BecklinksNetworkParticipation: 'No',
        PublishingStatus: 'Send as Drafts',
        PublishTime: '06:45',
        Timezone: 'Europe/Paris',
        CreatedAt: expect.stringMatching(ISO_UTC),
      },
    ])
  })

  it('shows participation as Yes if the project takes part', async () => {
    const api = await newAccount(stack)
    await newProject(api, { backlinks_network: true })
    const { body } = await api.get('/projects')
    expect(rowsOf(body, 'projects')[0]?.BecklinksNetworkParticipation).toBe('Yes')
  })

  it('lists only active projects of the caller, newest first', async () => {
    const [api, other] = await Promise.all([newAccount(stack), newAccount(stack)])
    await newProject(other)
    const first = await newProject(api)
    const archived = await newProject(api)
    const last = await newProject(api)
    await rowsIn(stack, sql`update projects set status = 'Archived' where id = ${archived}`)
    const { body } = await api.get('/projects')
    expect(rowsOf(body, 'projects').map((p) => p.ID)).toEqual([last, first])
    expect(body.count).toBe(2)
  })

  it('pages by offset and by cursor, every row once', async () => {
    const api = await newAccount(stack)
    const ids: number[] = []
    for (let n = 0; n < 5; n += 1) ids.unshift(await newProject(api))
    const page = await api.get('/projects?limit=2&offset=2')
    expect(page.body).toMatchObject({ count: 2, limit: 2, offset: 2, next_offset: 4 })
    expect(rowsOf(page.body, 'projects').map((p) => p.ID)).toEqual(ids.slice(2, 4))
    expect((await walk(api, '/projects?limit=2', 'projects')).map((p) => p.ID)).toEqual(ids)
  })

  it.each(['limit=0', 'limit=-1', 'limit=x', 'offset=-1', 'before_id=0'])('refuses %s', async (query) => {
    const api = await newAccount(stack)
    const { status, body } = await api.get(`/projects?${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_input', details: [{ field: query.split('=')[0] }] })
  })
})

import { describe, expect, inject, it } from 'vitest'
import { newAccount, newProject } from '../../support/client.ts'

const stack = inject('stack')

describe('GET /business-context', () => {
  it('answers every field', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api, {
      website_url: 'https://www.cycle.example',
      business_name: 'Cycle',
      business_description: 'Repairs bicycles.',
      competitors: 'https://www.rival.example/about, other.example',
      ai_instructions: 'Write plainly.',
      language: 'german',
      target_audience: ['commuters', 'families'],
      internal_links_per_article: 2,
    })
    const { status, body } = await api.get(`/business-context?project_id=${id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      business_name: 'Cycle',
      website_url: 'https://www.cycle.example',
      description: 'Repairs bicycles.',
      competitors: ['rival.example', 'other.example'],
      ai_instructions: 'Write plainly.',
      language: 'German',
      target_audience: 'commuters, families',
      internal_links_per_article: 2,
    })
  })

  it('answers strings if nothing was set', async () => {
    const api = await newAccount(stack)
    const { body } = await api.get(`/business-context?project_id=${await newProject(api)}`)
    expect(body).toMatchObject({ business_name: '', description: '', ai_instructions: '', target_audience: '' })
    expect(body.competitors).toEqual([])
    expect(body.internal_links_per_article).toBeGreaterThanOrEqual(1)
  })

  it.each(['', '?project_id=', '?project_id=abc', '?project_id=0', '?project_id=2147483648'])(
    'is 400 for "%s"',
    async (query) => {
      const api = await newAccount(stack)
      const { status, body } = await api.get(`/business-context${query}`)
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'invalid_input', details: [{ field: 'project_id' }] })
    },
  )

  it('is 403 for another account and 404 if it does not exist', async () => {
    const [api, other] = await Promise.all([newAccount(stack), newAccount(stack)])
    const id = await newProject(other)
    expect((await api.get(`/business-context?project_id=${id}`)).status).toBe(403)
    expect((await api.get('/business-context?project_id=2147483647')).status).toBe(404)
  })
})

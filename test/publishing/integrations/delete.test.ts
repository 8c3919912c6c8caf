import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { connectReceiver, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'

const stack = inject('stack')

const fresh = async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const { integration_id } = await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
  return { api, project, id: Number(integration_id) }
}

describe('DELETE /integrations/:id', () => {
  it('disconnects and forgets the secrets', async () => {
    const { api, project, id } = await fresh()
    const { status, body } = await api.del(`/integrations/${id}`)
    expect(status).toBe(200)
    expect(body).toEqual({ integration_id: id, deleted: true, message: expect.any(String) })
    expect((await api.get('/integrations')).body.count).toBe(0)
    expect(await rowsIn(stack, sql`select status, sealed_secrets from integrations where id = ${id}`)).toEqual([
      { status: 'Disconnected', sealed_secrets: '' },
    ])
    expect((await api.del(`/integrations/${id}`)).status).toBe(404)
    expect((await api.post(`/integrations/${id}/test`)).status).toBe(404)
    const article = await newArticle(api, project)
    expect(await api.post(`/articles/${article}/publish`)).toMatchObject({
      status: 400,
      body: { error: 'no_cms_integration', connect_url: expect.stringMatching(`^${stack.url}/`) },
    })
  })

  it('lets the project be connected again', async () => {
    const { api, project, id } = await fresh()
    await api.del(`/integrations/${id}`)
    const again = await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    expect(again.integration_id).not.toBe(id)
    expect((await api.get('/integrations')).body).toMatchObject({
      count: 1,
      integrations: [{ ID: again.integration_id }],
    })
  })

  it('is 403 for another account, 404 if it does not exist, 400 for an invalid id', async () => {
    const [{ api }, other] = await Promise.all([fresh(), fresh()])
    expect((await api.del(`/integrations/${other.id}`)).status).toBe(403)
    expect((await other.api.get('/integrations')).body.count).toBe(1)
    expect((await api.del('/integrations/2147483647')).status).toBe(404)
    expect((await api.del('/integrations/-1')).status).toBe(400)
  })
})

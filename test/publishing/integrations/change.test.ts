import { expect, inject, it } from 'vitest'
import { fromBase64, hmacSha256 } from '../../../src/platform/lib/crypto.ts'
import { connectReceiver, newAccount, newArticle, newProject } from '../../support/client.ts'

const stack = inject('stack')

const opened = async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const connected = await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
  return { api, project, id: Number(connected.integration_id), secret: String(connected.signing_secret) }
}

it('GET /integrations/:id shows one integration and no secret', async () => {
  const { api, project, id, secret } = await opened()
  const { status, body, text } = await api.get(`/integrations/${id}`)
  expect(status).toBe(200)
  expect(body.integration).toMatchObject({ ID: id, ProjectID: project, Platform: 'webhook', Status: 'Active' })
  expect(text).not.toContain(secret)
  expect(text).not.toContain(stack.receiverToken)
})

it('PUT /integrations/:id changes the name alone', async () => {
  const { api, id } = await opened()
  const { status, body } = await api.put(`/integrations/${id}`, { name: 'The blog' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ integration_id: id, name: 'The blog' })
  expect(body).not.toHaveProperty('signing_secret')
  expect((await api.get(`/integrations/${id}`)).body.integration).toMatchObject({ IntegrationName: 'The blog' })
})

it('a new signing secret is shown once, and for a day both sign', async () => {
  const { api, project, id, secret } = await opened()
  const { body } = await api.put(`/integrations/${id}`, { rotate_signing_secret: true })
  const fresh = String(body.signing_secret)
  expect(fresh).toMatch(/^whsec_/)
  expect(fresh).not.toBe(secret)
  const article = await newArticle(api, project)
  expect((await api.post(`/articles/${article}/publish`)).body).toMatchObject({ status: 'published' })
  const log = (await (await fetch(`${stack.receiverUrl}/api/deliveries`)).json()) as { deliveries: Delivery[] }
  const sent = log.deliveries.find(({ article_ids: ids }) => ids.includes(String(article)))
  const message = `${sent?.headers['webhook-id']}.${sent?.headers['webhook-timestamp']}.${sent?.raw_body}`
  const signatures = await Promise.all(
    [fresh, secret].map(async (key) => `v1,${await hmacSha256(fromBase64(key.replace('whsec_', '')), message)}`),
  )
  expect(sent?.headers['webhook-signature']).toBe(signatures.join(' '))
})

it('a field that is for webhooks only is refused elsewhere, an empty body everywhere', async () => {
  const { api, id } = await opened()
  expect(await api.put(`/integrations/${id}`, {})).toMatchObject({ status: 400, body: { code: 'no_fields' } })
  expect(await api.put(`/integrations/${id}`, { rotate_signing_secret: false })).toMatchObject({ status: 400 })
})

type Delivery = { headers: Record<string, string>; raw_body: string; article_ids: string[] }

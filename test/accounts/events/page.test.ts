import { expect, inject, it } from 'vitest'
import { startEndpoint } from '../../support/endpoint.ts'
import { newOwner, sure } from '../people/browser.ts'

const stack = inject('stack')
const PAGE = '/settings/event-endpoints'

it('people add an endpoint, see its secret once, test it, and delete it', async () => {
  const { person, api } = await newOwner(stack)
  const endpoint = await startEndpoint()
  expect((await person.get(PAGE)).text).toContain('There is no endpoint.')
  const wrong = await person.post(PAGE, { url: 'http://receiver.example', kinds: '', project_id: '', description: '' })
  expect(wrong.status).toBe(400)
  expect(wrong.text).toMatch(/must be a public https address/i)
  const unknown = await person.post(PAGE, { url: endpoint.url, kinds: 'key', project_id: '', description: '' })
  expect([unknown.status, /must be types/i.test(unknown.text)]).toEqual([400, true])
  const added = await person.post(PAGE, {
    url: endpoint.url,
    kinds: 'article, social',
    project_id: '',
    description: 'Team',
  })
  expect(added.text).toMatch(/whsec_[A-Za-z0-9+/=]{44}/)
  expect((await person.get(PAGE)).text).not.toContain('whsec_')
  expect((await person.get(PAGE)).text).toContain('article, social. All sites')
  const { body } = await api.get('/event-endpoints')
  const [{ id } = { id: 0 }] = body.event_endpoints as { id: number }[]
  expect((await person.post(`${PAGE}/test`, { id: String(id) })).text).toContain(
    'The endpoint accepted the test event.',
  )
  expect(endpoint.got.map(({ event }) => event.type)).toEqual(['endpoint.test'])
  expect((await person.post(`${PAGE}/rotate`, { id: String(id) })).text).toMatch(/whsec_/)
  expect((await sure(person, `${PAGE}/delete`, { id: String(id) })).text).toContain('There is no endpoint.')
  expect((await person.post(`${PAGE}/test`, { id: String(id) })).status).toBe(404)
  await endpoint.close()
})

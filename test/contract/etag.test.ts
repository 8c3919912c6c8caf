import { describe, expect, inject, it } from 'vitest'
import { type Api, newAccount, newArticle, newProject } from '../support/client.ts'
import { expectError } from '../support/contract.ts'
import { manyKeys } from '../support/keys.ts'

const stack = inject('stack')

const fresh = async () => {
  const api = manyKeys(stack, await newAccount(stack))
  return { api, project: await newProject(api) }
}

const tagAt = async (api: Api, path: string): Promise<string> => {
  const tag = (await api.get(path)).headers.get('etag')
  expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/)
  return tag ?? ''
}

const when = (tag: string) => ({ headers: { 'if-match': tag } })

describe.each([
  ['article', 'title', (api: Api, project: number) => newArticle(api, project).then((id) => `/articles/${id}`)],
  ['project', 'business_name', async (_: Api, project: number) => `/projects/${project}`],
  [
    'integration',
    'name',
    async (api: Api, project: number) => {
      const target = { platform: 'webhook', url: 'https://receiver.example/hook', access_token: 'token' }
      const { status, body, text } = await api.post(`/projects/${project}/integrations`, target)
      expect(status, text).toBe(201)
      return `/integrations/${String(body.integration_id)}`
    },
  ],
] as const)('the ETag of an %s', (_, field, make) => {
  it('allows a change of the version that was read, and returns the next tag', async () => {
    const { api, project } = await fresh()
    const path = await make(api, project)
    const first = await tagAt(api, path)
    expect(await tagAt(api, path)).toBe(first)
    const saved = await api.put(path, { [field]: 'One' }, when(first))
    expect(saved.status).toBe(200)
    const second = await tagAt(api, path)
    expect(second).not.toBe(first)
    expect(saved.headers.get('etag')).toBe(second)
  })

  it('refuses a change of another version with 412, saves nothing and returns the current one', async () => {
    const { api, project } = await fresh()
    const path = await make(api, project)
    const old = await tagAt(api, path)
    await api.put(path, { [field]: 'One' })
    const refused = await api.put(path, { [field]: 'Zweiter Name' }, when(old))
    expectError(refused, 'changed_meanwhile')
    const present = await tagAt(api, path)
    expect([refused.headers.get('etag'), refused.body.etag]).toEqual([present, present])
    expect((await api.get(path)).text).not.toContain('Zweiter')
    expect((await api.put(path, { [field]: 'Three' }, when(`"x", W/${present}`))).status).toBe(200)
    expect((await api.put(path, { [field]: 'Four' }, when('*'))).status).toBe(200)
  })

  it('refuses to remove another version than the one that was read', async () => {
    const { api, project } = await fresh()
    const path = await make(api, project)
    if (path.startsWith('/projects')) return
    const old = await tagAt(api, path)
    await api.put(path, { [field]: 'One' })
    const refused = await api.call('DELETE', path, when(old))
    expectError(refused, 'changed_meanwhile')
    expect(refused.headers.get('etag')).toBe(await tagAt(api, path))
    expect((await api.call('DELETE', path, when(await tagAt(api, path)))).body.deleted).toBe(true)
    expectError(await api.get(path), 'not_found')
  })

  it.each(['abc', '"a', '"a" "b"'])('is refused as %j', async (tag) => {
    const { api, project } = await fresh()
    const path = await make(api, project)
    const { status, body } = await api.put(path, { [field]: 'One' }, when(tag))
    expect([status, body.details]).toMatchObject([400, [{ field: 'If-Match' }]])
  })

  it('allows one of many changes of the same version', { tags: ['services'] }, async () => {
    const { api, project } = await fresh()
    const path = await make(api, project)
    const tag = await tagAt(api, path)
    const names = Array.from({ length: 6 }, (_unused, n) => `Name ${n}`)
    const answers = await Promise.all(names.map((name) => api.put(path, { [field]: name }, when(tag))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412])
  })
})

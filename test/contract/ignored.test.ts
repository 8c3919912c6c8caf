import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { OPERATIONS } from '../../src/operations.ts'
import { scopesOf } from '../../src/platform/accounts/scopes.ts'
import { inputSchemas } from '../../src/platform/http/json-schemas.ts'
import { type Api, newAccount, newArticle, newProject } from '../support/client.ts'
import { bodyOf, expectError, named, newThings, pathTo, READS_OF_CMS, type Things } from '../support/contract.ts'
import { fieldsOf, manyKeys, rowsOf } from '../support/keys.ts'

const stack = inject('stack')

let api: Api
let things: Things

beforeAll(async () => {
  api = manyKeys(stack, await newAccount(stack, {}, scopesOf('admin')), scopesOf('admin'))
  things = await newThings(api, stack)
})

const reads = OPERATIONS.filter(
  (op) => op.method === 'GET' && op.produces === undefined && !READS_OF_CMS.includes(op.id),
)

it.each(named(reads))('%s names a query parameter it does not know', async (_, op) => {
  const path = pathTo(op, things)
  const { status, body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}colour=red&colour=blue`)
  expect([status, body.ignored]).toEqual([200, ['colour']])
  expect(body.notes).toEqual({ colour: expect.stringContaining('left out') })
})

describe('a body', () => {
  it('has its unknown fields named, with the one that may have been meant', async () => {
    const { status, body } = await api.post('/articles', {
      project_id: things.project,
      keyword: 'sheds',
      meta_descripton: 'Sheds.',
      Feature_Image: 'https://images.example/a.png',
      titel: 'Sheds',
      colour: 'red',
    })
    expect([status, body.ignored]).toEqual([201, ['meta_descripton', 'Feature_Image', 'titel', 'colour']])
    expect(body.notes).toEqual({
      meta_descripton: expect.stringContaining('Did you mean meta_description?'),
      Feature_Image: expect.stringContaining('Did you mean feature_image?'),
      titel: expect.stringContaining('Did you mean title?'),
      colour: expect.not.stringContaining('Did you mean'),
    })
  })

  it('lists a field __proto__ like any other, even if the operation reads fields itself', async () => {
    const url = `https://${randomBytes(6).toString('hex')}.example`
    const webhook = { platform: 'webhook', url: `${url}/hook`, access_token: 'token' }
    const calls: [method: string, path: string, body: object][] = [
      ['POST', '/articles', { project_id: things.project, keyword: 'sheds' }],
      ['POST', '/projects', { website_url: url }],
      ['PUT', `/projects/${things.project}`, { tone: 'Informative' }],
      ['POST', `/projects/${things.project}/integrations`, webhook],
    ]
    for (const [method, path, body] of calls) {
      const raw = JSON.stringify(body).replace(/}$/, ',"__proto__":{"a":1},"colour":"red"}')
      const answer = await api.call(method, path, { raw })
      expect(answer.status, answer.text).toBeLessThan(300)
      expect([...(answer.body.ignored as string[])].sort(), path).toEqual(['__proto__', 'colour'])
      expect(Object.keys(answer.body.notes as object).sort(), path).toEqual(['__proto__', 'colour'])
    }
  })

  it('is listed completely if the operation has no fields', async () => {
    const { status, body } = await api.post(`/projects/${things.project}/onboarding`, { sample: true })
    expect([status, body.ignored]).toEqual([200, ['sample']])
  })

  it('names as many as a hundred, and costs no more for longer ones', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`x${n}`.padEnd(150, 'y'), n]))
    const { status, body } = await api.put(`/articles/${things.article}`, { ...many, title: 'Sheds' })
    expect([status, (body.ignored as string[]).length]).toEqual([200, 100])
  })

  it('has unknown fields at any depth named by their path', async () => {
    const post = {
      project_id: things.project,
      content: 'x',
      platforms: [{ platform: 'x', acount_id: 'a' }],
      platform_overrides: { x: { kontent: 'y' } },
      comment_for_guide_config: { delivery_url: 'https://a.example', colour: 'red' },
      media_files: [{ type: 'image', url: 'https://a.example/a.png', colour: 'red' }],
    }
    const { body } = await api.post('/social/publish', post)
    expect(body.details).toMatchObject([{ field: 'comment_for_guide_config.trigger_keyword' }])
    expect([body.ignored, body.notes]).toMatchObject([
      [
        'platforms.0.acount_id',
        'platform_overrides.x.kontent',
        'comment_for_guide_config.colour',
        'media_files.0.colour',
      ],
      { 'platforms.0.acount_id': expect.stringContaining('Did you mean account_id?') },
    ])
    const framer = { platform: 'webhook', url: 'https://a.example/hook', access_token: 't', headers: { a: 'b' } }
    expect((await api.post(`/projects/${things.project}/integrations`, framer)).body.ignored).toEqual(['headers'])
  })

  it('lists optimization thresholds with an explanation', async () => {
    const sent = { min_impressions: 50, ctr_threshold: 0.01, colour: 'red' }
    const { status, body } = await api.post(`/suggestions/run?project_id=${things.project}`, sent)
    expect([status, body.ignored]).toEqual([200, Object.keys(sent)])
    expect(body.notes).toEqual({
      min_impressions: expect.stringContaining('applied at scan time'),
      ctr_threshold: expect.stringContaining('applied at scan time'),
      colour: expect.stringContaining('knows no such field'),
    })
  })

  it('without any known field is 400, with the known ones', async () => {
    const answer = await api.put(`/articles/${things.article}`, { titel: 'Sheds' })
    expectError(answer, 'no_fields')
    const [detail] = answer.body.details as { allowed: string[] }[]
    expect(detail?.allowed).toEqual(expect.arrayContaining(['title', 'content', 'scheduled_date']))
    const optional = OPERATIONS.find((op) => op.id === 'articles.rollback')
    if (!optional) throw new Error('no such operation')
    expectError(await api.post(pathTo(optional, things), { version: 3 }), 'no_fields')
  })
})

it('an answer has no list if nothing was ignored', async () => {
  const create = OPERATIONS.find((op) => op.id === 'articles.create')
  if (!create) throw new Error('no such operation')
  expect(Object.keys((await api.post('/articles', bodyOf(create, things.project))).body)).not.toContain('ignored')
})

it.each(['project_id', 'limit', 'q'])('a query parameter given twice is 400: %s', async (name) => {
  const answer = await api.get(`/articles?${name}=1&${name}=1`)
  expectError(answer, 'invalid_input')
  expect(fieldsOf(answer.body)).toEqual([name])
  expect(answer.body.error).toContain('give it once')
})

/** Every list parameter of the contract, with the path of its operation and two values. */
const LISTS = OPERATIONS.flatMap((op) =>
  Object.entries(inputSchemas(op).query?.properties ?? {}).flatMap(([name, schema]) => {
    const { type, items } = schema as { type?: string; items?: { enum?: string[] } }
    const [one = '', other = ''] = items?.enum ?? []
    return type === 'array' ? [[`${op.method} ${op.path}`, name, one, other, op] as const] : []
  }),
)

it.each(LISTS)('%s takes %s repeated, with commas, or both; an array form is 400', async (_, name, one, other, op) => {
  const at = pathTo(op, things)
  const path = `${at}${at.includes('?') ? '&' : '?'}`
  const both = await api.get(`${path}${name}=${one}&${name}=${other}`)
  expect(both.status, both.text).toBe(200)
  expect((await api.get(`${path}${name}=${one},${other}&${name}=${other}`)).status).toBe(200)
  const wrong = await api.get(`${path}${name}=${one}&${name}=nonsense`)
  expectError(wrong, 'invalid_input')
  const form = await api.get(`${path}${name}[]=${one}`)
  expectError(form, 'invalid_input')
  expect(fieldsOf(form.body)).toEqual([`${name}[]`])
})

it('a repeated list finds rows of each value', async () => {
  const own = await newAccount(stack)
  const project = await newProject(own)
  const ids = [await newArticle(own, project, {}), await newArticle(own, project, { status: 'Planned' })]
  const { body } = await own.get(`/articles?project_id=${project}&status=Planned&status=Draft`)
  expect(rowsOf(body, 'articles').map((row) => row.ID)).toEqual(ids.reverse())
  expect(rowsOf((await own.get('/articles?status=Planned&status=Published')).body, 'articles')).toHaveLength(1)
})

it('answers with data are not cached', async () => {
  for (const path of ['/projects', `/articles/${things.article}`])
    expect((await api.get(path)).headers.get('cache-control')).toBe('no-store')
})

it('a refusal of the input lists unknown fields beside the errors', async () => {
  const id = things.project
  const sent = { cms_url: 'https://blog.example', application_password: 'abcd' }
  const { status, body } = await api.post(`/projects/${id}/cms-site?colour=red`, sent)
  expect([status, body]).toMatchObject([
    400,
    {
      code: 'invalid_input',
      details: [{ field: 'integration_key' }],
      ignored: ['colour', 'application_password'],
      notes: { application_password: expect.stringContaining('knows no such field of the body') },
    },
  ])
  const wrong = await api.post('/articles', { project_id: id, keyword: 7, titel: 'Sheds' })
  expect(wrong.body).toMatchObject({
    ignored: ['titel'],
    notes: { titel: expect.stringContaining('Did you mean title?') },
  })
  expect((await api.post('/articles', { project_id: id, keyword: 7 })).body).not.toHaveProperty('ignored')
})

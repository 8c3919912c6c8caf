import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type DirectusStandIn, startDirectus } from '../../local/cms/directus.ts'
import { type StrapiStandIn, startStrapi } from '../../local/cms/strapi.ts'
import { newAccount, newArticle, newProject } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'

const stack = inject('stack')
let directus: DirectusStandIn
let strapi: StrapiStandIn

beforeAll(async () => {
  ;[directus, strapi] = await Promise.all([startDirectus(), startStrapi()])
})
afterAll(() => Promise.all([directus.close(), strapi.close()]))

const url_prefix = 'https://shed.example/blog'

const PLATFORMS = [
  {
    platform: 'directus',
    missing: 'collection',
    name: 'posts',
    fields: () => ({ api_url: directus.url, access_token: directus.token }),
    stored: () => directus.items().map(({ title, content, status }) => [title, content, status === 'published']),
    asStored: (html: string) => html,
  },
  {
    platform: 'strapi',
    missing: 'content_type',
    name: 'posts',
    fields: () => ({ api_url: strapi.url, api_token: strapi.token, admin_token: strapi.adminToken }),
    stored: () => strapi.entries().map(({ draft, published }) => [draft.title, draft.content, published !== undefined]),
    asStored: (html: string) => html.replace(/<\/?p>/g, ''),
  },
] as const

describe.each(PLATFORMS)('a site at $platform', ({ platform, missing, name, fields, stored, asStored }) => {
  it('proposes the use of its fields, and then gets, changes and hides an article', async () => {
    const api = manyKeys(stack, await newAccount(stack))
    const project = await newProject(api)
    const connect = (more: object) =>
      api.post(`/projects/${project}/integrations`, { platform, ...fields(), url_prefix, ...more })
    const asked = await connect({})
    expect([asked.status, asked.body.code]).toEqual([422, 'cms_rejected'])
    expect(asked.text).toContain(`${missing} is needed. These fit as they are: ${name} (title → title, slug → slug`)
    const wrong = await connect({ [missing]: name, field_mapping: { body: 'date' } })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('field_mapping.body')])

    const made = await connect({ [missing]: name })
    expect([made.status, made.text]).toEqual([201, expect.stringContaining('body → content')])
    const id = await newArticle(api, project, { title: 'A shed', content: '<p>First words.</p>' })
    const published = await api.post(`/articles/${id}/publish`)
    expect([published.status, published.body]).toMatchObject([200, { status: 'published' }])
    const { body } = await api.get(`/articles/${id}`)
    expect(body).toMatchObject({ Status: 'Published', Url: `${url_prefix}/${String(body.Slug)}` })
    expect(stored()).toEqual([['A shed', expect.stringContaining(asStored('<p>First words.</p>')), true]])

    const synced = await api.post(`/articles/${id}/sync`, { content: '<p>Second words.</p>' })
    expect(synced.status).toBe(200)
    expect(stored()).toEqual([['A shed', expect.stringContaining(asStored('<p>Second words.</p>')), true]])
    expect((await api.post(`/articles/${id}/rollback`)).status).toBe(200)
    expect(stored()).toEqual([['A shed', expect.stringContaining(asStored('<p>First words.</p>')), true]])
    expect((await api.post(`/articles/${id}/unpublish`)).status).toBe(200)
    expect(stored()).toEqual([['A shed', expect.anything(), false]])
  })
})

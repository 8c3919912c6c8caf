import { sql } from 'drizzle-orm'
import { afterEach, expect, inject, it, vi } from 'vitest'
import type { GhostStandIn } from '../../../local/cms/ghost.ts'
import { type Api, rowsIn, tell } from '../../support/client.ts'
import { runScript } from '../../support/command.ts'
import { fieldsOf, rowsOf } from '../../support/keys.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { openGhost } from './scene.ts'

const stack = inject('stack')
let ghost: GhostStandIn
afterEach(() => ghost.close())

const openSite = async (posts: number) => {
  const site = await openGhost(stack, posts)
  ghost = site.ghost
  return site
}

type Adoption = { status: string; adopted: number; known: number; refused: number; problems: unknown[] }

const ended = (api: Api, project: number, status = 'done') =>
  vi.waitFor(
    async () => {
      const { body } = await api.get(`/projects/${project}/adoption`)
      expect(body.adoption).toMatchObject({ status })
      return body.adoption as Adoption
    },
    { timeout: PATIENCE_MS, interval: 100 },
  )

const adoptedOf = async (api: Api, project: number) =>
  rowsOf((await api.get(`/articles?project_id=${project}&origin=adopted&limit=200`)).body, 'articles')

it('adopts every published post of a site, over several pages, and no draft', async () => {
  const { api, project } = await openSite(103)
  ghost.write({ title: 'A draft', html: '<p>Not yet.</p>', status: 'draft' })
  expect((await api.get(`/projects/${project}/adoption`)).body).toEqual({ adoption: null })
  const { status, body } = await api.post(`/projects/${project}/adopt`, { every_post: true })
  expect([status, body]).toMatchObject([202, { status: 'running', project_id: project }])
  expect(await ended(api, project)).toMatchObject({
    every_post: true,
    wanted: null,
    adopted: 103,
    known: 0,
    refused: 0,
  })
  expect(await adoptedOf(api, project)).toHaveLength(103)
})

it('adopts the named posts, knows those that are articles, and names those that cannot be adopted', async () => {
  const { api, project, ids } = await openSite(3)
  const draft = ghost.write({ title: 'A draft', html: '<p>Not yet.</p>', status: 'draft' }).id
  await api.post('/articles/adopt', { project_id: project, post_id: ids[0] })
  const wanted = [...ids, draft, '0'.repeat(24)]
  expect((await api.post(`/projects/${project}/adopt`, { post_ids: wanted })).status).toBe(202)
  const adoption = await ended(api, project)
  expect(adoption).toMatchObject({ wanted: 5, adopted: 2, known: 1, refused: 2 })
  expect(adoption.problems).toMatchObject([
    { post_id: draft, reason: expect.stringContaining('"draft"') },
    { post_id: '0'.repeat(24), reason: expect.stringContaining('no post') },
  ])
  expect(await adoptedOf(api, project)).toHaveLength(3)
})

it('is a command that waits for the end, and adopts one post by its address', async () => {
  const { api, project } = await openSite(3)
  const galley = (...args: string[]) =>
    runScript('docs/downloads/galley.mjs', ['adopt', ...args, '--project-id', String(project), '--json'], {
      GALLEY_URL: stack.url,
      GALLEY_API_KEY: api.key,
    })
  const one = await galley(`${ghost.url}/post-1/`)
  expect([one.code, one.json], one.err).toMatchObject([0, { status: 'adopted', title: 'Post 1' }])
  const all = await galley()
  expect([all.code, all.json], all.err).toMatchObject([0, { status: 'done', adopted: 2, known: 1, refused: 0 }])
  expect(all.err).toContain('2 adopted, 1 known, 0 refused\n')
  expect(await galley('--key', 'x', 'a', 'b')).toMatchObject({
    code: 2,
    err: expect.stringContaining('at most one post'),
  })
})

it('goes on when the site answers again, and makes no post two articles', async () => {
  const { api, project } = await openSite(4)
  await tell(ghost.url, '/_faults', { path: '/ghost/', status: 503, answer: {} })
  await api.post(`/projects/${project}/adopt`, { every_post: true })
  const refused = await api.post(`/projects/${project}/adopt`, { every_post: true })
  expect([refused.status, refused.body.code]).toEqual([409, 'adoption_running'])
  await tell(ghost.url, '/_faults')
  expect(await ended(api, project)).toMatchObject({ adopted: 4 })
  await api.post(`/projects/${project}/adopt`, { every_post: true })
  expect(await ended(api, project)).toMatchObject({ adopted: 0, known: 4 })
  expect(await adoptedOf(api, project)).toHaveLength(4)
})

it('stops at the maximum of the plan, with the reason', async () => {
  const { api, project, ids } = await openSite(3)
  const first = await api.post('/articles/adopt', { project_id: project, post_id: ids[0] })
  await rowsIn(
    stack,
    sql`with more as (insert into articles (account_id, project_id, origin, status, title, main_keyword, slug, published_at)
      select account_id, project_id, 'adopted', 'Published', 't', 't', 'filler-' || n, now() from articles, generate_series(2, 499) n
        where id = ${Number(first.body.article_id)}::int returning id, project_id)
      insert into adopted_posts (article_id, project_id, site, post_id, format, source, source_hash, fields, read_at)
      select id, project_id, 'ghost https://elsewhere.example', id::text, 'html', '', '', '{}', now() from more returning article_id`,
  )
  await api.post(`/projects/${project}/adopt`, { every_post: true })
  expect(await ended(api, project, 'stopped')).toMatchObject({
    adopted: 1,
    known: 1,
    error: expect.stringContaining('the plan allows 500'),
  })
})

it.each([
  ['nothing', {}, 'post_ids'],
  ['both', { post_ids: ['7'], every_post: true }, 'post_ids'],
  ['no post', { post_ids: [] }, 'post_ids'],
])('is 400 for %s', async (_, given, field) => {
  const { api, project } = await openSite(0)
  const { status, body } = await api.post(`/projects/${project}/adopt`, given)
  expect([status, fieldsOf(body)]).toEqual([400, [field]])
})

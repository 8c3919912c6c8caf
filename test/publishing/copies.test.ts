import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { type DirectusStandIn, startDirectus } from '../../local/cms/directus.ts'
import { type StrapiStandIn, startStrapi } from '../../local/cms/strapi.ts'
import type { Delivery } from '../../local/receiver/deliveries.ts'
import { type RunningReceiver, startReceiver } from '../../local/receiver/server.ts'
import { type Api, newArticle, newProject, rowsIn, tell } from '../support/client.ts'
import { callExecutor, tirelessAccount } from './scene.ts'
import { type Site, startSite } from './site.ts'

const stack = inject('stack')
const TOKEN = 'the-token-of-a-follower'
let home: DirectusStandIn
let strapi: StrapiStandIn
let receiver: RunningReceiver
/** What readers see at the home: the title and the text of its newest item. */
let site: Site
let api: Api
let project: number

type Copy = {
  integration_id: number
  platform: string
  state: string
  attempts: number
  error: string | null
} & Record<string, unknown>

const follow = (body: Record<string, unknown>) => api.post(`/projects/${project}/targets`, body)
const strapiFields = () => ({
  platform: 'strapi',
  api_url: strapi.url,
  api_token: strapi.token,
  admin_token: strapi.adminToken,
  content_type: 'posts',
})
const webhookFields = () => ({ platform: 'webhook', url: `${receiver.url}/webhook`, access_token: TOKEN })
const copiesOf = async (id: number): Promise<Copy[]> => (await api.get(`/articles/${id}`)).body.Copies as Copy[]
const sentTo = async (id: number): Promise<Delivery[]> =>
  ((await (await fetch(`${receiver.url}/api/deliveries?article_id=${id}`)).json()) as { deliveries: Delivery[] })
    .deliveries

/** Waits until the copies of an article have these states, by platform. */
const become = (id: number, states: Record<string, string>) =>
  expect
    .poll(async () => Object.fromEntries((await copiesOf(id)).map(({ platform, state }) => [platform, state])))
    .toEqual(states)

/** Runs an account's job as if its time had come. */
const runJob = async (key: string): Promise<void> => {
  const [row] = await rowsIn<{ id: string }>(
    stack,
    sql`update outbox set run_at = now(), payload = case when payload ? 'not_before' then jsonb_set(payload, '{not_before}', '1') else payload end
      where account_id = ${api.accountId}::int and key like ${key} and done_at is null returning id`,
  )
  if (row) await callExecutor({ ...stack }, JSON.stringify({ outbox_id: Number(row.id) }))
}

/** Publishes an article, and looks at its page at the home. */
const published = async (fields: Record<string, unknown> = {}): Promise<number> => {
  const id = await newArticle(api, project, { title: 'Tea and kettles', ...fields })
  const { status, text } = await api.post(`/articles/${id}/publish`)
  expect(status, text).toBe(200)
  return id
}

beforeEach(async () => {
  ;[home, strapi, receiver] = await Promise.all([
    startDirectus(),
    startStrapi(),
    startReceiver({ port: 0, token: TOKEN }),
  ])
  site = await startSite(() => {
    const item = home.items().at(-1)
    return {
      body: `<!doctype html><title>${String(item?.title)}</title><h1>${String(item?.title)}</h1>${String(item?.content)}`,
    }
  })
  api = await tirelessAccount(stack)
  project = await newProject(api)
  const made = await api.post(`/projects/${project}/integrations`, {
    platform: 'directus',
    api_url: home.url,
    access_token: home.token,
    collection: 'posts',
    url_prefix: `${site.url}/blog`,
  })
  expect(made.status, made.text).toBe(201)
})
afterEach(() => Promise.all([home.close(), strapi.close(), receiver.close(), site.close()]))

it('sends, updates and takes down a copy with its article, after readers see it at the home', async () => {
  expect((await follow(strapiFields())).body).toMatchObject({ status: 'following', platform: 'strapi' })
  expect((await follow(webhookFields())).body.signing_secret).toMatch(/^whsec_/)
  const { targets } = (await api.get(`/projects/${project}/targets`)).body as {
    targets: { Platform: string; Status: string }[]
  }
  expect(targets.map(({ Platform, Status }) => [Platform, Status])).toEqual([
    ['directus', 'Active'],
    ['strapi', 'Following'],
    ['webhook', 'Following'],
  ])
  expect(((await api.get(`/integrations?project_id=${project}`)).body.integrations as unknown[]).length).toBe(1)

  const id = await published({ content: '<p>First words of the kettle.</p>' })
  expect((await copiesOf(id)).map(({ state, url, attempts }) => [state, url, attempts])).toEqual([
    ['waiting', null, 0],
    ['waiting', null, 0],
  ])
  expect([strapi.entries(), await sentTo(id)]).toEqual([[], []])
  await runJob(`receipt:${id}`)
  await become(id, { strapi: 'published', webhook: 'published' })
  const { Url, PublishState } = (await api.get(`/articles/${id}`)).body
  expect([Url, PublishState]).toEqual([expect.stringContaining(`${site.url}/blog/`), 'idle'])
  expect((await copiesOf(id)).map(({ canonical }) => canonical)).toEqual([Url, Url])
  expect(await sentTo(id)).toMatchObject([{ event_type: 'publish_articles' }])
  expect(JSON.stringify(await sentTo(id))).toContain(String(Url))

  expect((await api.post(`/articles/${id}/sync`, { content: '<p>Second words of the kettle.</p>' })).status).toBe(200)
  await runJob(`receipt:${id}`)
  await expect.poll(async () => (await sentTo(id)).length).toBe(2)
  await become(id, { strapi: 'published', webhook: 'published' })
  expect(strapi.entries().map(({ draft }) => draft.content)).toEqual([expect.stringContaining('Second words')])

  expect((await api.post(`/articles/${id}/unpublish`)).status).toBe(200)
  await become(id, { strapi: 'removed', webhook: 'failed' })
  expect(strapi.entries().map((entry) => entry.published)).toEqual([undefined])
  expect((await copiesOf(id))[1]?.error).toContain('Take it down on the site itself')
  expect(await sentTo(id)).toHaveLength(2)
})

it('sends an update at a webhook once, and repeats a publication whose answer was lost without a second post', async () => {
  await follow(strapiFields())
  await follow(webhookFields())
  await tell(strapi.url, '/_faults', { path: '/api/posts', body: 'title', drop: 'after', times: 1 })
  const id = await published()
  await runJob(`receipt:${id}`)
  await become(id, { strapi: 'unknown', webhook: 'published' })
  await runJob('copy:%')
  await become(id, { strapi: 'published', webhook: 'published' })
  expect(strapi.entries()).toHaveLength(1)

  await tell(receiver.url, '/_control', { mode: 'unavailable' })
  await api.post(`/articles/${id}/sync`, { content: '<p>Other words of the kettle.</p>' })
  await runJob(`receipt:${id}`)
  await become(id, { strapi: 'published', webhook: 'failed' })
  expect(await sentTo(id)).toHaveLength(2)
  await tell(receiver.url, '/_control', { mode: 'ok' })
  expect((await api.post(`/articles/${id}/copies`)).status).toBe(200)
  await become(id, { strapi: 'published', webhook: 'published' })
  expect(await sentTo(id)).toHaveLength(3)

  // An update whose process ended may have arrived, so it is not sent again.
  await rowsIn(
    stack,
    sql`update copies set state = 'sending', lease_until = now() - interval '1 second', wish = wish + 1 where article_id = ${id}`,
  )
  await rowsIn(
    stack,
    sql`update outbox set done_at = null, run_at = now() where id in (select max(o.id) from outbox o
      join copies c on o.key = 'copy:' || c.id where c.article_id = ${id} group by o.key)`,
  )
  await runJob('copy:%')
  await runJob('copy:%')
  await become(id, { strapi: 'published', webhook: 'failed' })
  expect(await sentTo(id)).toHaveLength(3)
})

it('lets copies wait while the policy is frozen, and sends none that another attempt has', async () => {
  await follow(strapiFields())
  const id = await published()
  await rowsIn(
    stack,
    sql`insert into policies (project_id, account_id, version, frozen, changed_by, changed_at) values (${project}::int, ${api.accountId}::int, 1, true, 'person:1', now())`,
  )
  await runJob(`receipt:${id}`)
  await runJob('copy:%')
  expect([(await copiesOf(id))[0]?.state, strapi.entries()]).toEqual(['waiting', []])
  await rowsIn(stack, sql`update policies set frozen = false where project_id = ${project}`)
  await rowsIn(
    stack,
    sql`update copies set lease_until = now() + interval '1 minute', state = 'sending' where article_id = ${id}`,
  )
  await runJob('copy:%')
  expect(strapi.entries()).toEqual([])
  await rowsIn(stack, sql`update copies set lease_until = null, state = 'waiting' where article_id = ${id}`)
  await runJob('copy:%')
  await become(id, { strapi: 'published' })
})

it('adds no second target at one place and no pull requests, and ends a follower', async () => {
  const again = await follow({ platform: 'directus', api_url: home.url, access_token: home.token, collection: 'posts' })
  expect([again.status, again.text]).toEqual([400, expect.stringContaining('is connected to this project already')])
  const made = await follow(webhookFields())
  const path = `/projects/${project}/targets/${String(made.body.integration_id)}`
  const other = await newProject(api)
  expect((await api.del(`/projects/${other}/targets/${String(made.body.integration_id)}`)).status).toBe(404)
  expect((await api.del(path)).body).toMatchObject({ deleted: true })
  expect([(await api.del(path)).status, (await api.get(`/articles?project_id=${project}`)).status]).toEqual([404, 200])
  await follow(webhookFields())
  await api.post(`/projects/${project}/integrations`, webhookFields())
  const { targets } = (await api.get(`/projects/${project}/targets`)).body as {
    targets: { Platform: string; Status: string }[]
  }
  expect(targets.map(({ Platform, Status }) => [Platform, Status])).toEqual([['webhook', 'Active']])
})

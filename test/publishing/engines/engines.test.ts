import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { startWordpress } from '../../../local/cms/wordpress.ts'
import { startReceiver } from '../../../local/receiver/server.ts'
import { signInAsOwner, textOf } from '../../accounts/people/browser.ts'
import { newArticle, newProject } from '../../support/client.ts'
import { ownFaults } from '../../support/faults.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { callExecutor, openScene, type Scene, tirelessAccount, write } from '../scene.ts'

const stack = inject('stack')
const faults = ownFaults(stack.indexNowUrl)
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await faults.clear()
  await Promise.all(closing.splice(0).map((close) => close()))
})

type Report = { host: string; key: string; urlList: string[] }
type State = {
  key: string
  hosts: { origin: string; state: string; problem: string | null; verified_at: string | null; key_url: string }[]
  waiting: number
  reports: { url: string; article_id: number | null; removed: boolean; answer: number }[]
}

/** Opens a scene whose project tells search engines. */
const openTelling = async (): Promise<Scene> => {
  const scene = await openScene(stack, { tell_search_engines: true })
  closing.push(() => scene.receiver.close())
  return scene
}

const stateOf = async ({ api, projectId }: Pick<Scene, 'api' | 'projectId'>) =>
  (await api.get(`/projects/${projectId}/search-engines`)).body as unknown as State

/** Returns the addresses that the stand-in of IndexNow took under a key. */
const takenUnder = async (key: string): Promise<string[]> => {
  const reports = (await (await fetch(`${stack.indexNowUrl}/_posts`)).json()) as Report[]
  return reports.filter((report) => report.key === key).flatMap(({ urlList }) => urlList)
}

const placeKey = async (scene: Scene): Promise<void> => {
  const { key } = await stateOf(scene)
  await scene.mood({ text_file: { name: `${key}.txt`, content: key } })
}

type Keyed = Pick<Scene, 'projectId' | 'rows'>

/** Runs the job of a project as if its time had come, until a check holds. The queue may run it at the same moment. */
const toldUntil = ({ projectId, rows }: Keyed, check: () => Promise<void>): Promise<void> =>
  vi.waitFor(
    async () => {
      const [row] = await rows<{ id: number }>(
        sql`update outbox set run_at = now() where key = ${`tell_engines:${projectId}`} and done_at is null and dead_at is null returning id`,
      )
      if (row) await callExecutor(stack, JSON.stringify({ outbox_id: Number(row.id) }))
      await check()
    },
    { timeout: PATIENCE_MS, interval: 200 },
  )

/** Queues the job of a project again, and waits until it has run. */
const toldAgain = async (scene: Scene): Promise<void> => {
  const key = `tell_engines:${scene.projectId}`
  const isQueued = sql`key = ${key} and done_at is null and dead_at is null`
  const [{ runs } = { runs: 0 }] = await scene.rows<{ runs: number }>(
    sql`with moved as (update outbox set attempts = 0 where ${isQueued} returning id), made as (
      insert into outbox (account_id, job, key, payload, run_at) select ${scene.api.accountId}::int, 'publishing.tell_engines', ${key},
        ${JSON.stringify({ project_id: scene.projectId })}::jsonb, now() where not exists (select 1 from moved) returning id)
      select count(*)::int as runs from moved`,
  )
  expect(runs).toBeLessThan(2)
  await toldUntil(scene, async () => {
    const [row] = await scene.rows<{ late: boolean }>(sql`select run_at > now() as late from outbox where ${isQueued}`)
    expect(row?.late ?? true).toBe(true)
  })
}

/** Publishes an article, and waits until its page was seen and its address is to be reported. */
const published = async (scene: Scene, fields: Record<string, unknown> = {}): Promise<{ id: number; url: string }> => {
  const id = await write(scene, fields)
  const { body, text } = await scene.publish(id)
  expect(body.status, text).toBe('published')
  const url = await vi.waitFor(
    async () => {
      await scene.rows(
        sql`update outbox set run_at = now() where key = ${`receipt:${id}`} and done_at is null and run_at > now() returning id`,
      )
      const [row] = await scene.rows<{ url: string }>(
        sql`select url from engine_reports where article_id = ${id}::int and wanted_at is not null`,
      )
      if (!row) throw new Error('the page was not seen yet')
      return row.url
    },
    { timeout: PATIENCE_MS, interval: 200 },
  )
  return { id, url }
}

describe('a published article', () => {
  it('is reported once its key file is there, and says when', { timeout: 60_000 }, async () => {
    const scene = await openTelling()
    const { id, url } = await published(scene)
    await toldUntil(scene, async () => expect((await stateOf(scene)).hosts[0]?.problem).toContain('404'))
    const before = await stateOf(scene)
    expect(before).toMatchObject({ waiting: 1, reports: [], hosts: [{ state: 'not_placed', verified_at: null }] })
    expect(await takenUnder(before.key)).toEqual([])

    await placeKey(scene)
    const verified = await scene.api.post(`/projects/${scene.projectId}/search-engines/verify`)
    expect(verified.status, verified.text).toBe(200)
    expect(verified.body).toMatchObject({ hosts: [{ state: 'verified', problem: null }] })
    await toldUntil(scene, async () =>
      expect(await stateOf(scene)).toMatchObject({
        waiting: 0,
        reports: [{ url, article_id: id, removed: false, answer: 200 }],
      }),
    )
    expect(await takenUnder(before.key)).toEqual([url])
    const { Receipt: receipt } = await scene.article(id)
    expect(receipt).toMatchObject({ engines_told: { answer: 200, at: expect.any(String) } })
  })

  it('is not reported twice in a short time, and never for a site that does not want it', {
    timeout: 60_000,
  }, async () => {
    const scene = await openTelling()
    await placeKey(scene)
    const { id, url } = await published(scene)
    await toldUntil(scene, async () => expect((await stateOf(scene)).reports).toHaveLength(1))
    const { key } = await stateOf(scene)
    expect(await takenUnder(key)).toEqual([url])

    const change = (toldAt: string) =>
      scene.rows(
        sql`update engine_reports set wanted_at = now(), told_at = now() - ${toldAt}::interval where article_id = ${id}::int returning 1`,
      )
    await change('0 seconds')
    await toldAgain(scene)
    expect(await takenUnder(key)).toEqual([url])
    expect((await stateOf(scene)).waiting).toBe(1)
    await change('1 hour')
    await scene.api.put(`/projects/${scene.projectId}`, { tell_search_engines: false })
    await toldAgain(scene)
    expect(await takenUnder(key)).toEqual([url])
  })
})

it('an address of a host without the key file is never reported', { timeout: 60_000 }, async () => {
  const scene = await openTelling()
  await placeKey(scene)
  const foreign = await startReceiver({ port: 0, token: 'another-token' })
  closing.push(() => foreign.close())
  const { url } = await published(scene)
  await scene.rows(sql`insert into engine_reports (project_id, url, is_gone, wanted_at, updated_at)
    values (${scene.projectId}::int, ${`${foreign.url}/posts/x`}, false, now(), now()) returning 1`)
  await toldUntil(scene, async () => expect((await stateOf(scene)).reports).toHaveLength(1))
  await toldAgain(scene)
  const state = await stateOf(scene)
  expect(await takenUnder(state.key)).toEqual([url])
  expect(state.waiting).toBe(1)
})

it('a key that the engines refuse three times is not sent again until a person looks', {
  timeout: 60_000,
}, async () => {
  const scene = await openTelling()
  await placeKey(scene)
  await published(scene)
  const { key } = await stateOf(scene)
  const goOn = () =>
    scene.rows(sql`update engine_hosts set paused_until = null where project_id = ${scene.projectId}::int returning 1`)
  await faults.set({ body: key, status: 429, headers: { 'retry-after': '600' }, times: 1 }, { body: key, status: 403 })
  await toldUntil(scene, async () => expect(await faults.used()).toEqual([1, 0]))
  // It waits as long as it was told, whatever else happens.
  await toldAgain(scene)
  expect(await faults.used()).toEqual([1, 0])
  await toldUntil(scene, async () => {
    await goOn()
    expect(await stateOf(scene)).toMatchObject({ waiting: 1, hosts: [{ state: 'refused' }] })
  })
  await goOn()
  await toldAgain(scene)
  expect(await faults.used()).toEqual([1, 3])

  await faults.clear()
  const renewed = await scene.api.post(`/projects/${scene.projectId}/search-engines/verify`, { new_key: true })
  expect(renewed.body).toMatchObject({ hosts: [{ state: 'not_placed' }] })
  expect(renewed.body.key).not.toBe(key)
})

it('a refused address is not sent again', { timeout: 60_000 }, async () => {
  const scene = await openTelling()
  await placeKey(scene)
  const { id, url } = await published(scene)
  const { key } = await stateOf(scene)
  await faults.set({ body: key, status: 422 })
  await toldUntil(scene, async () =>
    expect(await stateOf(scene)).toMatchObject({ waiting: 0, reports: [{ url, answer: 422 }] }),
  )
  const { person } = await signInAsOwner(stack, scene.api)
  expect(textOf(await person.get(`/p/${scene.projectId}/articles/${id}`))).toContain('refused the report')
})

it('the WordPress plugin serves the key, and a page that is gone is reported when it no longer answers', {
  timeout: 60_000,
}, async () => {
  const wordpress = await startWordpress()
  closing.push(() => wordpress.close())
  const api = await tirelessAccount(stack)
  const projectId = await newProject(api, { tell_search_engines: true, website_url: wordpress.url })
  const connected = await api.post(`/projects/${projectId}/integrations`, {
    platform: 'wordpress',
    cms_url: wordpress.url,
    integration_key: wordpress.pluginKey,
  })
  expect(connected.status, connected.text).toBe(201)
  const id = await newArticle(api, projectId)
  const { body } = await api.post(`/articles/${id}/publish`)
  expect(body.status).toBe('published')
  const { person } = await signInAsOwner(stack, api)
  const path = `/p/${projectId}/search-engines`
  expect(textOf(await person.post(`${path}/verify`, {}))).toContain('The key file is there.')

  const down = await api.post(`/articles/${id}/unpublish`)
  expect(down.status, down.text).toBe(200)
  const scene = { api, projectId, rows: (await openTelling()).rows }
  const { key } = await stateOf(scene)
  await toldUntil(scene, async () => expect((await stateOf(scene)).reports).toHaveLength(1))
  expect(await takenUnder(key)).toEqual([String(body.url)])
  expect(textOf(await person.get(path))).toContain('Removed, taken')
  expect(textOf(await person.post(path, { on: 'no' }))).toContain('Nothing is reported any more')
  expect(await stateOf(scene)).toMatchObject({ tell_search_engines: false })
})

it('another account sees and changes nothing', async () => {
  const scene = await openTelling()
  const other = await tirelessAccount(stack)
  const path = `/projects/${scene.projectId}/search-engines`
  expect((await other.get(path)).status).toBe(403)
  expect((await other.post(`${path}/verify`, { new_key: true })).status).toBe(403)
})

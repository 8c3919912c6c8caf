/** @module-tag services */
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RunningReceiver, startReceiver } from '../../local/receiver/server.ts'
import { ROOT } from '../../local/root.ts'
import { type Api, connectReceiver, newArticle, newProject } from '../support/client.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type Machine, newMachine } from './machine.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

describe('a service on one’s own machine', () => {
  let machine: Machine
  let receiver: RunningReceiver
  let api: Api
  let project: number

  beforeAll(async () => {
    receiver = await startReceiver({ port: 0, token: 'receiver-token' })
    machine = await newMachine()
    await machine.start()
    api = await machine.owner()
    project = await newProject(api)
    await connectReceiver(api, project, receiver.url, 'receiver-token')
  })

  afterAll(async () => {
    await machine.remove()
    await receiver.close()
  })

  it('publishes an article once, and a job reads the live page', async () => {
    const article = await newArticle(api, project)
    const published = await api.post(`/articles/${article}/publish`)
    expect(published.body).toMatchObject({ status: 'published', article_id: article })
    expect((await api.post(`/articles/${article}/publish`)).body).toMatchObject({ status: 'published' })
    const posts = (await (await fetch(`${receiver.url}/api/posts`)).json()) as { posts: unknown[] }
    expect(posts.posts).toHaveLength(1)
    await vi.waitFor(
      async () =>
        expect((await api.get(`/articles/${article}`)).body).toMatchObject({ Receipt: { title_found: true } }),
      { timeout: PATIENCE_MS, interval: 500 },
    )
  })

  it('keeps pictures in its folder', async () => {
    const picture = readFileSync(join(ROOT, 'docs/pictures/overview.png'))
    const made = await api.post('/images', { image_base64: picture.toString('base64') })
    const url = String(made.body.url)
    expect(url).toMatch(/^https:\/\/galley\.example\//)
    const stored = await fetch(machine.url() + new URL(url).pathname)
    expect(Buffer.from(await stored.arrayBuffer()).equals(picture)).toBe(true)
  })

  it('lets no customer call its own parts', async () => {
    for (const url of ['http://database.galley.internal/sql', 'http://queue.galley.internal/v2/batch']) {
      const { status, body } = await api.post(`/projects/${project}/integrations`, {
        platform: 'webhook',
        url,
        access_token: 'x',
      })
      expect({ status, field: body.details }).toMatchObject({ status: 400, field: [{ field: 'url' }] })
    }
    const unsigned = await fetch(`${machine.url()}/jobs/run`, { method: 'POST', body: '{"outbox_id":1}' })
    expect(unsigned.status).toBe(401)
  })

  it('tells the doctor how each part is', async () => {
    const { out } = await machine.run('doctor', '--json')
    const states = new Map(
      (JSON.parse(out) as { name: string; isWell: boolean; remedy?: string }[]).map((one) => [one.name, one]),
    )
    for (const name of ['settings', 'redis', 'disk', 'service', 'work'])
      expect(states.get(name)?.isWell, out).toBe(true)
    // The address of the test has no DNS entry, and mail is not set up.
    for (const name of ['address', 'mail'])
      expect(states.get(name), out).toMatchObject({ isWell: false, remedy: expect.any(String) })
  })

  it('prints its metrics and the end of its log', async () => {
    const { out } = await machine.run('metrics')
    expect(out).toMatch(/^galley_requests_total\{status="2xx"\} [1-9]/m)
    expect(out).toMatch(/^galley_database_up 1$/m)
    expect(out).toMatch(/^galley_work_dead 0$/m)
    const { out: log } = await machine.run('logs', '--lines', '200')
    const events = log
      .trim()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line).event] : []))
    expect(events).toContain('request')
    expect(log).not.toContain(api.key)
  })

  it('prints a link for the owner, who has no mail yet', async () => {
    const { out } = await machine.run('owner')
    const [, path] = /https:\/\/galley\.example(\/verify\?token=\S+)/.exec(out) ?? []
    const page = await (await fetch(`${machine.url()}${path}`)).text()
    expect(page).toContain('jo@example.com')
    expect(page).toContain('type="password"')
  })

  it('has one service in a folder, and no settings that others can read', async () => {
    expect(await machine.run('start')).toMatchObject({ code: 1, err: expect.stringContaining('already runs') })
    const file = join(machine.data, 'galley.env')
    chmodSync(file, 0o644)
    expect(await machine.run('doctor')).toMatchObject({ code: 1, err: expect.stringContaining(`chmod 600 ${file}`) })
    chmodSync(file, 0o600)
  })

  it('runs again after its Workers crashed', async () => {
    const { out } = await machine.run('doctor')
    process.kill(Number(/Workers (\d+)/.exec(out)?.[1]), 'SIGKILL')
    await vi.waitFor(async () => expect((await api.get('/projects')).status).toBe(200), { timeout: PATIENCE_MS })
  })

  it('stops with running requests answered, and starts with what it had', async () => {
    const faults = (method: string, body?: string) => fetch(`${receiver.url}/_faults`, { method, body: body ?? null })
    await faults('POST', JSON.stringify({ path: '/webhook', hold: true }))
    const publishing = api.post(`/articles/${await newArticle(api, project)}/publish`)
    await expect
      .poll(
        async () =>
          ((await (await fetch(`${receiver.url}/api/deliveries`)).json()) as { deliveries: unknown[] }).deliveries,
      )
      .toHaveLength(2)
    const stopping = machine.stop()
    await faults('DELETE')
    expect((await publishing).body).toMatchObject({ status: 'published' })
    expect(await stopping).toBe(0)
    await machine.start()
    const again = await fetch(`${machine.url()}/api/v1/projects`, { headers: { authorization: `Bearer ${api.key}` } })
    expect(await again.json()).toMatchObject({ projects: [{ ID: project }] })
  })
})

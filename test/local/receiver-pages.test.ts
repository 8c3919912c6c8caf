import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startReceiver } from '../../local/receiver/server.ts'
import {
  article,
  bodyOf,
  cleanups,
  closeAll,
  control,
  deliver,
  deliveries,
  posts,
  start,
  TOKEN,
} from './receiver-scene.ts'

afterEach(closeAll)

describe('pages', () => {
  it('shows the article with what a search engine reads', async () => {
    const receiver = await start()
    const headline = 'Brakes & <bells>'
    await deliver(receiver, bodyOf([article({ title: headline })]))
    const answer = await fetch(`${receiver.url}/posts/commuter-bike-service`)
    const page = await answer.text()
    expect(answer.status).toBe(200)
    expect(page).toContain('<title>Brakes &amp; &lt;bells&gt; · The sample blog</title>')
    expect(page).toContain('<h1>Brakes &amp; &lt;bells&gt;</h1>')
    expect(page).toContain('<meta name="description" content="What to check, and when.">')
    expect(page).toContain(`<link rel="canonical" href="${receiver.url}/posts/commuter-bike-service">`)
    expect(page).toContain('<img src="https://media.example/bike.webp" alt="A bicycle &quot;at rest&quot;">')
    expect(page).toContain('<h2 id="why">Why</h2><p>Rain &amp; salt.</p>')
    expect(page).not.toContain('noindex')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page).not.toMatch(/<(?:script|link)[^>]+(?:src|href)="https?:\/\/(?!127\.0\.0\.1)/)
  })

  it('keeps a draft out of the index', async () => {
    const receiver = await start()
    await deliver(receiver, bodyOf([article({ status: 'Draft', published_at: undefined })]))
    const page = await (await fetch(`${receiver.url}/posts/commuter-bike-service`)).text()
    expect(page).toContain('<meta name="robots" content="noindex">')
    expect(page).toContain('>Draft</span>')
  })

  it('lists the posts, and every delivery with its attempt and its answer', async () => {
    const receiver = await start()
    await control(receiver, { mode: 'down', times: 1 })
    const headers = { 'idempotency-key': 'shown-key' }
    await deliver(receiver, bodyOf([article()]), headers)
    await deliver(receiver, bodyOf([article()]), headers)
    const page = await (await fetch(receiver.url)).text()
    expect(page).toContain('<a href="/posts/commuter-bike-service">Commuter bike service</a>')
    expect(page).toContain('Deliveries (2)')
    expect(page.indexOf('attempt 2')).toBeLessThan(page.indexOf('attempt 1'))
    expect(page.match(/<code>shown-key<\/code>/g)).toHaveLength(2)
    expect(page).toContain('<span class="badge bad">500</span>')
    expect(page).toContain('<span class="badge good">200</span>')
  })

  it('changes its version with every delivery', async () => {
    const receiver = await start()
    const version = async () =>
      ((await (await fetch(`${receiver.url}/api/version`)).json()) as { version: string }).version
    const before = await version()
    expect(await version()).toBe(before)
    await deliver(receiver, bodyOf([article()]))
    expect(await version()).not.toBe(before)
  })
})

describe('persistence', () => {
  const directory = async (): Promise<string> => {
    const dir = await mkdtemp(join(tmpdir(), 'receiver-'))
    cleanups.push(() => rm(dir, { recursive: true }))
    return dir
  }

  it('keeps posts, deliveries and keys over a restart', async () => {
    const dir = await directory()
    const first = await startReceiver({ port: 0, token: TOKEN, dir })
    const headers = { 'idempotency-key': 'kept' }
    await Promise.all([
      deliver(first, bodyOf([article()]), headers),
      deliver(first, bodyOf([article({ id: '42', slug: 'second' })])),
    ])
    await first.close()
    const second = await start({ dir })
    expect((await posts(second)).map((post) => post.slug).sort()).toEqual(['commuter-bike-service', 'second'])
    const again = await deliver(second, bodyOf([article()]), headers)
    expect(await again.json()).toMatchObject({
      action: 'unchanged',
      published_url: `${second.url}/posts/commuter-bike-service`,
    })
    const log = await deliveries(second)
    expect(log.map((row) => row.number)).toEqual([1, 2, 3])
    expect(log[2]).toMatchObject({ idempotency_key: 'kept', attempt: 2 })
  })

  it('does not start on an unreadable file, and names it', async () => {
    const dir = await directory()
    await writeFile(join(dir, 'receiver.json'), '{"posts": [')
    await expect(start({ dir })).rejects.toThrow(`${join(dir, 'receiver.json')} is damaged`)
    expect(await readdir(dir)).toEqual(['receiver.json'])
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cmsTarget } from '../../../src/providers/cms/posts.ts'
import { cmsOf, describeGhost } from '../../providers/cms/ghost/behaviour.ts'
import { describeAdopted, type EditedSite } from '../../providers/cms/ghost/behaviour-adopted.ts'
import { ownArticle, postOf, requestOf, valueIn } from '../../providers/drive.ts'
import { realClock, servePicture } from '../picture.ts'
import { askGhost, realGhost } from './site.ts'

let picture: Awaited<ReturnType<typeof servePicture>>
let site: EditedSite

beforeAll(async () => {
  picture = await servePicture()
  site = {
    ...realGhost(),
    image: picture.image,
    now: realClock,
    makePage: (slug, title) => askGhost('pages', '', 'POST', { slug, title, status: 'published' }),
    writePost: async (title, lexical) => {
      const [made] = await askGhost<{ id: string }>('posts', '', 'POST', { title, lexical, status: 'published' })
      return made?.id ?? ''
    },
    saveText: async (id, lexical) => {
      const [now] = await askGhost<{ updated_at: string }>('posts', `${id}/`)
      return await askGhost('posts', `${id}/`, 'PUT', { lexical, updated_at: now?.updated_at })
    },
  }
})
afterAll(() => picture?.close())

describe('a real Ghost', () => {
  describeGhost(() => site)
  describeAdopted(() => site)

  const page = async (path: string) => await (await fetch(`${site.url}${path}`)).text()

  it('shows readers the text, the description and the date, and not our mark', async () => {
    await cmsOf(site).create(ownArticle('reader', { publishedAt: '2023-02-03T04:05:06.000Z', tags: ['Tools'] }))
    const html = await page('/reader/')
    expect(html).toContain('A shed keeps tools dry.')
    expect(html).toContain('<meta name="description" content="Sheds, step by step.">')
    expect(html).toContain('2023-02-03')
    expect(html.replace(/class="[^"]*"/g, '')).not.toContain('00c0ffee')
  })

  it('keeps the date through a change', async () => {
    const { remoteId } = postOf(
      await cmsOf(site).create(ownArticle('dated', { publishedAt: '2022-02-03T04:05:06.000Z' })),
    )
    await cmsOf(site).update(
      remoteId,
      ownArticle('dated', { title: 'Changed', publishedAt: '2026-01-01T00:00:00.000Z' }),
    )
    const html = await page('/dated/')
    expect(html).toContain('Changed')
    expect(html).toContain('2022-02-03')
  })

  it('ends as one post when the connection breaks at each call of a publication in turn', async () => {
    for (let broken = 1; broken <= 8; broken += 1) {
      let calls = 0
      const proxy = createServer(async (req, res) => {
        const chunks: Buffer[] = []
        for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
        calls += 1
        const answer = await fetch(`${site.url}${req.url}`, {
          method: req.method ?? 'GET',
          headers: req.headers as Record<string, string>,
          redirect: 'manual',
          ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
        })
        const body = Buffer.from(await answer.arrayBuffer())
        // The work is done, but the answer never arrives.
        if (calls === broken) return res.destroy()
        res.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body)
      })
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
      const { port } = proxy.address() as AddressInfo
      const target = cmsTarget(cmsOf({ ...site, url: `http://127.0.0.1:${port}` }), 'Galley')
      const slug = `broken-${broken}`
      const request = requestOf(realClock, { id: slug, slug, tags: ['Tools'] })
      let outcome = await target.deliver(request)
      for (let n = 0; n < 5 && outcome.kind !== 'accepted'; n += 1) {
        if (outcome.kind === 'unknown') await target.find?.(request)
        outcome = await target.deliver(request)
      }
      proxy.closeAllConnections()
      proxy.close()
      expect(outcome).toMatchObject({ kind: 'accepted', url: `${site.url}/${slug}/` })
      expect(valueIn(await cmsOf(site).find({ marker: '', slug: `${slug}-2`, title: '' }))).toBe(null)
      expect(await page(`/${slug}/`)).toContain('A shed keeps tools dry.')
    }
  })
})

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cmsApp } from '../../functions/cms/app.ts'
import { type GhostStandIn, startGhost } from '../../local/cms/ghost.ts'
import { startWordpress, type WordpressStandIn } from '../../local/cms/wordpress.ts'
import { cmsRunner } from '../../src/providers/cms/adapter.ts'
import { cmsClient } from '../../src/providers/cms/client.ts'
import { ghostConnection } from '../../src/providers/cms/ghost/connect.ts'
import type { CallWatch } from '../../src/providers/cms/http.ts'
import { cmsTarget } from '../../src/providers/cms/posts.ts'
import { CMS_ADAPTERS } from '../../src/providers/platforms.ts'
import { PLATFORMS } from '../../src/providers/publishing.ts'
import type { Cms, CmsMethod } from '../../src/publishing/target/cms-adapter.ts'
import type { Connection, Keeping, PublishOutcome } from '../../src/publishing/target/publish-target.ts'
import { type Between, startProxy } from './cms/wordpress/proxy.ts'
import { clockAt, meansAt, requestOf } from './drive.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC',
  'base64',
)

let wordpress: WordpressStandIn
let ghost: GhostStandIn
let proxy: Between
let pictures: Server
let at: string
/** Requests for pictures: path, User-Agent and Accept. */
let asked: { path: string; agent: string; accept: string }[] = []

/** Redirects of the picture server; any other path is a picture. */
const REDIRECTS: Record<string, [number, string]> = {
  '/found': [302, '/a.png'],
  '/moved': [307, `PLACE/a.png`],
  '/kept': [308, '//HOST/a.png'],
  '/words': [303, '/größe.png'],
  '/hop1': [301, '/found'],
  '/loop': [302, '/loop'],
  '/inside': [302, 'http://10.0.0.1/x.png'],
  '/choices': [300, '/a.png'],
}

beforeAll(async () => {
  pictures = createServer((req, res) => {
    asked.push({ path: req.url ?? '', agent: req.headers['user-agent'] ?? '', accept: req.headers.accept ?? '' })
    const redirect = REDIRECTS[req.url ?? '']
    if (!redirect) return res.writeHead(200, { 'content-type': 'application/octet-stream' }).end(PNG)
    const location = redirect[1].replace('PLACE', at).replace('HOST', at.replace('http://', ''))
    // As many servers do, the bytes of UTF-8 as they are.
    res.writeHead(redirect[0], { location: Buffer.from(location).toString('latin1') }).end()
  })
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve))
  at = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`
  ;[wordpress, ghost] = await Promise.all([startWordpress({ now: clock.now }), startGhost({ now: clock.now })])
  proxy = await startProxy(wordpress.url)
})
afterAll(async () => {
  await Promise.all([proxy.close(), wordpress.close(), ghost.close()])
  pictures.close()
})
beforeEach(() => {
  asked = []
  proxy.misbehave()
})

/** Returns the port through the Worker that has the adapters. */
const through = (connection: Connection, adapterOf: (one: Connection, watch: CallWatch) => Cms | undefined): Cms => {
  const app = cmsApp(cmsRunner(adapterOf, () => {}))
  const binding = { fetch: async (...given: Parameters<typeof fetch>) => app.request(given[0] as string, given[1]) }
  return cmsClient(binding, connection, [
    ...(PLATFORMS[connection.platform]?.can ?? []),
    'read',
    'restore',
    'unpublish',
  ])
}
const real = (connection: Connection) =>
  through(connection, (one, watch) => CMS_ADAPTERS[one.platform]?.(one, { ...meansAt(clock), watch }))
const atWordpress = () =>
  real({
    id: 1,
    platform: 'wordpress',
    url: proxy.url,
    secrets: { cms_username: 'admin', integration_key: wordpress.passwordOf('admin') },
  })
const atGhost = () => {
  const { url, secrets } = ghostConnection.connection({ api_url: ghost.url, admin_api_key: ghost.key })
  return real({ id: 1, platform: 'ghost', url, secrets })
}

let count = 0
const fresh = (more: Parameters<typeof requestOf>[1] = {}) => {
  count += 1
  return requestOf(clock, { id: `t${count}`, slug: `trouble-${count}`, title: `Trouble ${count}`, ...more })
}
const posts = (slug: string) => wordpress.posts().filter((post) => post.slug === slug)

/** Publishes in rounds, as deliveries do, at most so many. */
const inRounds = async (target: ReturnType<typeof cmsTarget>, request: ReturnType<typeof fresh>, most: number) => {
  const outcomes: PublishOutcome[] = []
  for (let round = 0; round < most; round += 1) {
    const known = round > 0 ? await target.find?.(request) : undefined
    if (known?.kind === 'found') return outcomes.map(({ kind }) => kind).concat('accepted')
    outcomes.push(await target.deliver(request))
    if (outcomes.at(-1)?.kind !== 'unknown') break
  }
  return outcomes.map(({ kind }) => kind)
}

describe('an adapter that throws', () => {
  const connection = { id: 1, platform: 'wordpress', url: 'https://x.example', secrets: { key: 'a-secret-key' } }
  const broken = (afterWrite: boolean) => {
    const call = (watch: CallWatch) => async (): Promise<never> => {
      watch.hasWritten = afterWrite
      throw new URIError('URI malformed in <b>a-secret-key</b>')
    }
    return through(connection, (_, watch) => {
      const one = call(watch)
      return {
        probe: one,
        find: one,
        create: one,
        update: one,
        read: one,
        restore: one,
        unpublish: one,
        hostImage: one,
      }
    })
  }
  const CALLS: [CmsMethod, unknown[]][] = [
    ['create', [{}]],
    ['update', ['1', {}]],
    ['unpublish', ['1', {}]],
    ['restore', ['1', {}]],
    ['hostImage', [{ url: 'https://x.example/a.png', alt: '' }]],
    ['probe', []],
    ['find', [{}]],
    ['read', ['1']],
  ]

  it.each(CALLS)('is refused for good before the first writing request, in %s', async (method, args) => {
    const call = broken(false)[method] as (...given: unknown[]) => Promise<unknown>
    expect(await call(...args)).toEqual({
      kind: 'refused',
      code: 'validation',
      reason: 'The request to wordpress could not be made (URI malformed in [hidden]). Nothing was changed there.',
      retryable: false,
    })
  })

  it('has an unknown outcome after it', async () => {
    expect(await broken(true).create({} as never)).toMatchObject({ kind: 'unknown' })
  })

  it('notes the first writing request of a real adapter, not earlier reads', async () => {
    const watches: CallWatch[] = []
    const cms = through(
      {
        id: 1,
        platform: 'wordpress',
        url: proxy.url,
        secrets: { cms_username: 'admin', integration_key: wordpress.passwordOf('admin') },
      },
      (one, watch) => {
        watches.push(watch)
        return CMS_ADAPTERS[one.platform]?.(one, { ...meansAt(clock), watch })
      },
    )
    await cmsTarget(cms, 'Galley').deliver(fresh())
    expect(watches.map(({ hasWritten }) => hasWritten)).toEqual([false, true])
  })
})

// foundryvtt/foundryvtt#9857
describe('pictures', () => {
  // frappe/frappe#36947, RocketChat/Rocket.Chat#3485
  it.each(['100%-wool.png', '%E0%A4%A.png', '%ff%fe.png', 'caf%e9.png', '%2F%2e%2e%2F.png', '%00.png'])(
    'are accepted with any address: %s',
    async (name) => {
      const request = fresh({
        image_url: `${at}/${name}`,
        content_html: `<p>Wool</p><img src="${at}/${name}" alt="Wool">`,
      })
      const kept: Keeping = {
        version: async () => {},
        dropVersion: async () => {},
        sentBefore: async () => [],
        hostedImages: async () => new Map(),
        hosted: async () => {},
        hasTime: () => true,
      }
      const outcome = await cmsTarget(atWordpress(), 'Galley').deliver({ ...request, hostImages: true }, kept)
      expect(outcome).toMatchObject({ kind: 'accepted' })
      expect(outcome).not.toHaveProperty('notes')
      const [post] = posts(request.article.slug)
      expect([post?.status, post?.featuredMedia === 0]).toEqual(['publish', false])
      expect(post?.content).toContain(`${wordpress.url}/wp-content/uploads/`)
    },
  )

  // jublo/codebird-php#124, SDWebImage#710
  it.each(['/found', '/moved', '/kept', '/words', '/hop1'])('are fetched after the redirect %s', async (path) => {
    const hosted = await atWordpress().hostImage?.({ url: `${at}${path}`, alt: '' })
    expect(hosted).toMatchObject({ kind: 'done' })
    if (path === '/words') expect(asked.at(-1)?.path).toBe('/gr%C3%B6%C3%9Fe.png')
  })

  it.each([
    ['/loop', 'redirects too many times'],
    ['/inside', 'leads to one that is not public'],
    ['/choices', 'status 300'],
  ])('are a note if %s is not an image, and the post is live', async (path, why) => {
    const outcome = await cmsTarget(atWordpress(), 'Galley').deliver(fresh({ image_url: `${at}${path}` }))
    expect(outcome).toMatchObject({ kind: 'accepted', notes: [expect.stringContaining(why)] })
  })

  // IsraelHikingMap/Site#1573, d2lang/d2#2661
  it.each([
    ['WordPress', atWordpress],
    ['Ghost', atGhost],
  ] as const)('are requested with User-Agent and Accept, for %s', async (_, cms) => {
    await cms().hostImage?.({ url: `${at}/named-${_}.png`, alt: '' })
    expect(asked).toEqual([
      { path: `/named-${_}.png`, agent: 'GalleyBot/1.0 (+https://galley.example)', accept: 'image/*' },
    ])
  })
})

describe('text that a site prints around its answers', () => {
  const NOTICE =
    '<br />\n<b>Notice</b>: Undefined index: [color] in <b>/srv/wp-content/plugins/seo {pro}/seo.php</b> on line <b>12</b><br />\n'

  // WordPress/gutenberg#4935, #20365, #18887
  it('does not hide the answer, and is a note', async () => {
    proxy.misbehave({ printed: NOTICE })
    const request = fresh()
    expect(await cmsTarget(atWordpress(), 'Galley').deliver(request)).toMatchObject({
      kind: 'accepted',
      notes: [expect.stringMatching(/printed something around its answer: Notice : Undefined index/)],
    })
    expect(posts(request.article.slug)).toMatchObject([{ status: 'publish' }])
  })

  it('reaches the user where a question was spoiled', async () => {
    proxy.misbehave({
      path: 'GET',
      after: { status: 200, body: '<style>b{}</style><p>Site is in <b>maintenance</b></p>' },
    })
    expect(await cmsTarget(atWordpress(), 'Galley').deliver(fresh())).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('It says: Site is in maintenance.'),
    })
  })

  it('does not stop a publication: a save that failed after its effect continues with the next step', async () => {
    proxy.misbehave({ path: 'POST', after: { status: 500, body: '<p>There has been a critical error.</p>' } })
    const request = fresh()
    expect(await inRounds(cmsTarget(atWordpress(), 'Galley'), request, 4)).toEqual(['unknown', 'unknown', 'accepted'])
    expect(posts(request.article.slug)).toMatchObject([{ status: 'publish' }])
  })
})

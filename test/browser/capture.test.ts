import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BrowserServer, startBrowser } from '../../local/browser/server.ts'
import { ROOT } from '../../local/root.ts'
import type { Browser } from '../../src/insights/screenshots/port.ts'
import { browserClient } from '../../src/providers/browser-client/index.ts'
import { type InnerWorker, startInnerWorker } from '../support/inner-worker.ts'
import { listen, startInnerService, startTestSite, type TestSite } from './site.ts'

/** Folder of the pictures, to be looked at. */
const OUTPUT = join(ROOT, '.galley/screenshots')
const NAME = 'Pedal & Spoke Ltd'

/** Tests the deployed Worker on workerd, with a real Chromium behind the protocol of Browser Run. */
describe('a capture in a real browser', () => {
  let browser: BrowserServer
  let worker: InnerWorker
  let site: TestSite
  let client: Browser
  beforeAll(async () => {
    mkdirSync(OUTPUT, { recursive: true })
    browser = await startBrowser()
    expect(browser.isReal, 'a Chromium is installed').toBe(true)
    worker = await startInnerWorker('browser', {
      vars: { ALLOW_PRIVATE_HOSTS: 'true', DNS_QUERY_URL: '' },
      services: { BROWSER: browser.url },
    })
    site = await startTestSite()
    client = browserClient({
      fetch: ((input: string, init: RequestInit) => fetch(input.replace('http://browser', worker.url), init)) as never,
    })
  }, 180_000)
  afterAll(async () => {
    await worker.close()
    await browser.close()
    await site.close()
  })

  const capture = async (path: string, name = NAME) => await client.capture({ url: `${site.url}${path}`, name })

  it.each([
    '/clean',
    '/refusable',
    '/german',
    '/known-tool',
    '/late-banner',
    '/strict',
    '/about-cookies',
    '/oat-cookies',
    '/privacy-menu',
    '/finnish',
    '/hungarian',
    '/closed-refusable',
    '/frame-refusable',
    '/frame-in-text',
    '/late-content',
    '/dialogs',
    '/calls-private',
  ])('%s: is a picture of the page', async (path) => {
    const result = await capture(path)
    if (result.kind !== 'captured') return expect.fail(JSON.stringify(result))
    writeFileSync(join(OUTPUT, `${path.slice(1)}.png`), result.image)
    const view = Buffer.from(result.image)
    expect([view.readUInt32BE(16), view.readUInt32BE(20)]).toEqual([1280, 800])
    expect(result.placeholder).toBe(false)
  })

  it.each([
    ['/wall-of-cookies', 'cookie_banner'],
    ['/shadow-banner', 'cookie_banner'],
    ['/finnish-wall', 'cookie_banner'],
    ['/closed-banner', 'cookie_banner'],
    ['/declared-banner', 'cookie_banner'],
    ['/frame-banner', 'cookie_banner'],
    ['/own-frame-banner', 'cookie_banner'],
    ['/blank', 'blank_page'],
    ['/dark-blank', 'blank_page'],
    ['/missing', 'http_error'],
    ['/empty-500', 'http_error'],
    ['/other-brand', 'wrong_brand'],
    ['/wall', 'blocked'],
    ['/challenge', 'blocked'],
    ['/silent', 'timeout'],
    ['/to-private', 'unreachable'],
    ['/download', 'unreachable'],
  ])('%s: is %s', async (path, reason) => {
    const result = await capture(path)
    expect(result).toMatchObject({ kind: 'unclean', reason })
  })

  it('reports an address without a server, or an unknown host, as unreachable', async () => {
    for (const url of ['http://127.0.0.1:9/', 'http://nobody.invalid/'])
      expect(await client.capture({ url, name: NAME })).toMatchObject({ kind: 'unclean', reason: 'unreachable' })
  })

  it('shows a banner that was refused no more: the picture is that of the page without one', async () => {
    const clean = await capture('/clean')
    for (const path of ['/refusable', '/closed-refusable', '/frame-refusable']) {
      const refused = await capture(path)
      if (clean.kind !== 'captured' || refused.kind !== 'captured') return expect.fail(`no picture of ${path}`)
      expect(Buffer.from(refused.image).equals(Buffer.from(clean.image)), path).toBe(true)
    }
  })

  it('blocks requests of a page to private addresses, and connections other than HTTP', async () => {
    expect(site.calls().filter((call) => call.includes('private='))).toEqual([])
    expect(site.calls()).toContain('/told?metadata=TypeError')
    expect(site.calls()).toContain('/told?socket=ReferenceError')
    const { url } = site
    const closed = await startInnerWorker('browser', {
      vars: { DNS_QUERY_URL: '' },
      services: { BROWSER: browser.url },
    })
    try {
      const before = site.calls().length
      const asked = await fetch(`${closed.url}/capture`, {
        method: 'POST',
        body: JSON.stringify({ url: `${url}/clean`, name: NAME }),
      })
      expect(asked.status).toBe(422)
      expect(await asked.json()).toMatchObject({ reason: 'unreachable' })
      expect(site.calls().length).toBe(before)
    } finally {
      await closed.close()
    }
  })

  it('blocks connections other than HTTP in every frame, whatever the interface is called', async () => {
    const port = await listen()
    try {
      expect(await capture(`/connects?port=${port.port}`)).toMatchObject({ kind: 'captured' })
      const tried = site.calls().filter((call) => call.startsWith('/told?tried='))
      const frames = ['page', 'other-site', 'within', 'srcdoc', 'blank', 'written', 'made']
      expect(tried.sort()).toEqual(frames.map((where) => `/told?tried=${where}&found=`).sort())
      expect(port.came()).toBe(0)
    } finally {
      await port.close()
    }
  })

  it('runs no worker and no window of a page, and sends no report to an address that is not public', async () => {
    expect(await capture('/goes-beyond')).toMatchObject({ kind: 'captured' })
    expect(site.calls().filter((call) => /private=|worker=|tried=prerendered/.test(call))).toEqual([])
  })

  it.each(['html', 'reference', 'script', 'attribute', 'clone', 'header', 'payment', 'identity', 'link', 'none'])(
    'never pictures an inner address that the browser itself would fetch (%s), and does not ask it',
    async (by) => {
      const inner = await startInnerService()
      try {
        const result = await capture(`/speculates?by=${by}&inner=${encodeURIComponent(inner.url)}`, 'Inner service')
        expect(result).toMatchObject({ kind: 'unclean' })
        expect(inner.calls()).toEqual([])
      } finally {
        await inner.close()
      }
    },
  )

  it('reports that no browser is free, and closes the browser after each capture', async () => {
    browser.refuseNext(1)
    expect(await capture('/clean')).toMatchObject({ kind: 'away' })
    expect(await capture('/clean')).toMatchObject({ kind: 'captured' })
  })
})

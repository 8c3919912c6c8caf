import { describe, expect, it } from 'vitest'
import { startDirectus } from '../../local/cms/directus.ts'
import { createFramer } from '../../local/cms/framer.ts'
import { startGhost } from '../../local/cms/ghost.ts'
import { startGohighlevel } from '../../local/cms/gohighlevel.ts'
import { startNotion } from '../../local/cms/notion.ts'
import { startShopify } from '../../local/cms/shopify.ts'
import { STRAPI_ATTRIBUTES, startStrapi } from '../../local/cms/strapi.ts'
import { startWebflow } from '../../local/cms/webflow.ts'
import { startWix, type WixOptions } from '../../local/cms/wix.ts'
import { walkCms } from '../../scripts/cms/walk.ts'
import { framerCms } from '../../src/providers/cms/framer/index.ts'
import { CMS_ADAPTERS } from '../../src/providers/platforms.ts'
import { connectionForms } from '../../src/providers/publishing.ts'
import type { Cms } from '../../src/publishing/target/cms-adapter.ts'
import { clockAt, meansAt } from './drive.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
const now = clock.now

type Opened = { cms: Cms; close: () => Promise<void>; left: () => number }

const open = (platform: string, fields: Record<string, unknown>): Cms => {
  const opened = connectionForms[platform]?.connection(fields)
  const adapter = CMS_ADAPTERS[platform]
  if (!opened || !adapter) throw new Error(platform)
  return adapter({ id: 1, platform, url: opened.url, secrets: opened.secrets }, meansAt(clock))
}

const openWix = async (options: WixOptions = {}): Promise<Opened> => {
  const wix = await startWix({
    now,
    members: [{ id: '00000000-0000-4000-8000-000000000800', profile: { nickname: 'O' } }],
    ...options,
  })
  const cms = open('wix', { api_key: wix.key, site_id: wix.siteId, api_url: wix.url })
  return { cms, close: wix.close, left: () => wix.drafts().filter((draft) => draft.status !== 'DELETED').length }
}

const PLATFORMS: Record<string, () => Promise<Opened>> = {
  ghost: async () => {
    const ghost = await startGhost({ now })
    const cms = open('ghost', { api_url: ghost.url, admin_api_key: ghost.key })
    return { cms, close: ghost.close, left: () => ghost.posts().length }
  },
  directus: async () => {
    const directus = await startDirectus({ now })
    const fields = { api_url: directus.url, access_token: directus.token, collection: 'posts' }
    return { cms: open('directus', fields), close: directus.close, left: () => directus.items().length }
  },
  strapi: async () => {
    // A field for the image's address: its bytes are not to be had here.
    const attributes = { ...STRAPI_ATTRIBUTES, cover: { type: 'string' } }
    const strapi = await startStrapi({ now, attributes })
    const { url, token, adminToken } = strapi
    const fields = { api_url: url, api_token: token, admin_token: adminToken, content_type: 'posts' }
    return { cms: open('strapi', fields), close: strapi.close, left: () => strapi.entries().length }
  },
  wix: openWix,
  webflow: async () => {
    const webflow = await startWebflow({ now })
    const { token, siteId, collectionId, url } = webflow
    const cms = open('webflow', { api_token: token, site_id: siteId, collection_id: collectionId, api_url: url })
    return { cms, close: webflow.close, left: () => webflow.collection(collectionId).length }
  },
  shopify: async () => {
    const shop = await startShopify({ now })
    const cms = open('shopify', { shop: 'shed', access_token: shop.token, api_url: shop.url })
    return { cms, close: shop.close, left: () => shop.articles().length }
  },
  notion: async () => {
    const notion = await startNotion({ now })
    const { token, databaseId, url } = notion
    const cms = open('notion', { integration_token: token, database_id: databaseId, api_url: url })
    return { cms, close: notion.close, left: () => notion.pages().filter((page) => !page.in_trash).length }
  },
  framer: async () => {
    const framer = createFramer({ now })
    const secrets = { api_key: framer.apiKey, collection: 'Blog', publish_site: 'true' }
    const connection = { id: 1, platform: 'framer', url: 'https://framer.com/projects/abcdefghij0123456789', secrets }
    return {
      cms: framerCms(connection, meansAt(clock), framer.port),
      close: async () => {},
      left: () => framer.items().length,
    }
  },
}

const walk = (cms: Cms, knowsSlugs = true, said: string[] = []) =>
  walkCms(cms, {
    id: 'abc',
    now: now(),
    knowsSlugs,
    image: { url: 'https://i.example/a.png', alt: '' },
    pageShows: async () => true,
    tell: ({ name, held, said: words }) => said.push(`${held} ${name}: ${words}`),
  })

describe('the check of a connection', () => {
  it.each(Object.keys(PLATFORMS))('%s: every step holds, and nothing is left', async (name) => {
    const opened = await PLATFORMS[name]?.()
    if (!opened) throw new Error(name)
    try {
      const cms = { ...opened.cms }
      // Bytes of an image on the open web are not to be had here.
      if (/ghost|webflow|directus|strapi/.test(name)) delete cms.hostImage
      const steps = await walk(cms, name !== 'notion')
      expect(steps.filter(({ held }) => !held)).toEqual([])
      expect(steps.map((step) => step.name)).toEqual(
        expect.arrayContaining([
          'probe',
          'a draft',
          'published in place',
          'changed in place',
          'taken down',
          'cleaned up',
        ]),
      )
      expect(opened.left()).toBe(0)
    } finally {
      await opened.close()
    }
  })

  it('reports what failed, and what must be deleted manually', async () => {
    const image = 'https://i.example/a.png'
    const ghl = await startGohighlevel({ now, blindCheck: true })
    const fields = {
      private_token: ghl.token,
      location_id: ghl.locationId,
      blog_url: ghl.url,
      default_image_url: image,
    }
    const steps = await walk(open('gohighlevel', { ...fields, api_url: ghl.url }))
    await ghl.close()
    const failed = steps.filter(({ held }) => !held).map(({ name }) => name)
    expect(failed).toContain('cleaned up')
    expect(steps.at(-1)?.said).toContain('by hand')
  })

  it('ends if a connection does not open', async () => {
    const wix = await openWix({ noBlog: true })
    const said: string[] = []
    expect(await walk(wix.cms, true, said)).toHaveLength(1)
    expect(said[0]).toMatch(/^false probe: .*Blog app/)
    await wix.close()
  })
})

import { describe, expect, it } from 'vitest'
import type { CmsDeps } from '../../../src/providers/cms/http.ts'
import { CMS_ADAPTERS } from '../../../src/providers/platforms.ts'
import { article, query } from '../drive.ts'

const SECRETS = {
  // WordPress core, then the other platforms.
  cms_username: 'editor',
  integration_key: 'abcd efgh ijkl mnop qrst uvwx',
  admin_api_key: `${'0'.repeat(24)}:${'0'.repeat(64)}`,
  access_token: 'shpat_0',
  api_token: 'token',
  api_key: 'key',
  integration_token: 'ntn_0',
  private_token: 'pit-0',
  site_id: 'site',
  collection_id: 'collection',
  blog_id: 'gid://shopify/Blog/1',
  database_id: '0'.repeat(32),
  location_id: 'location',
  author_id: 'author',
  category_id: 'category',
  blog_url: 'https://blog.example/blog',
}

/** Platforms over HTTP. Framer's is a session of its own package. */
const PLATFORMS = Object.keys(CMS_ADAPTERS).filter((platform) => platform !== 'framer')

/** Returns an adapter all of whose requests get this answer. */
const behind = (platform: string, status: number, body: string) => {
  const deps: CmsDeps = {
    outbound: async () => ({
      kind: 'answered',
      status,
      headers: new Headers({ 'content-type': 'application/json' }),
      body,
      bytes: new TextEncoder().encode(body),
      truncated: false,
      incomplete: false,
    }),
    now: () => new Date('2026-11-28T10:00:00Z'),
    sleep: async () => {},
    serviceName: 'Galley',
    publicUrl: 'https://galley.example',
  }
  const connection = { id: 1, platform, url: 'https://cms.example', secrets: SECRETS }
  return CMS_ADAPTERS[platform]?.(connection, deps) ?? expect.unreachable()
}

const WALL = '<!doctype html><title>Just a moment...</title><p>Checking your browser.</p>'
const ANSWERS: [name: string, status: number, body: string][] = [
  ['a bot wall with 200', 200, WALL],
  ['a bot wall with 403', 403, WALL],
  ['a firewall’s JSON', 403, '{"message":"Access denied by Imunify360 bot-protection."}'],
  ['a proxy’s JSON', 404, '{"error":"no such upstream"}'],
  ['a gateway’s JSON', 400, '{"status":"blocked","request_id":"9f"}'],
  ['another API', 200, '{"status":"ok"}'],
  ['another API’s list', 200, '[]'],
  ['another API’s empty object', 200, '{}'],
]

describe.each(PLATFORMS)('%s', (platform) => {
  // An empty list is an answer of WordPress's own.
  const foreign = ANSWERS.filter(([, , body]) => platform !== 'wordpress' || body !== '[]')
  const id = platform === 'ghost' ? '0'.repeat(24) : '1'

  it.each(foreign)('takes no answer of %s for one of the CMS, and tries again', async (_, status, body) => {
    const cms = behind(platform, status, body)
    expect(await cms.find({ ...query, remoteId: id })).toMatchObject({ kind: 'refused', retryable: true })
    expect(await cms.find(query)).toMatchObject({ kind: 'refused', retryable: true })
    expect((await cms.create(article())).kind).not.toBe('done')
    expect((await cms.update(id, article())).kind).not.toBe('done')
  })
})

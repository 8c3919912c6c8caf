import { describe, expect, it } from 'vitest'
import { PUBLISHING_PLATFORMS } from '../../schema/values/publishing.ts'
import { ABILITIES } from '../../src/providers/abilities.ts'
import { CALL_TIMEOUT_MS } from '../../src/providers/cms/client.ts'
import type { CmsDeps } from '../../src/providers/cms/http.ts'
import { CMS_ADAPTERS } from '../../src/providers/platforms.ts'
import { connectionForms, PLATFORMS } from '../../src/providers/publishing.ts'
import { SPARE_MS } from '../../src/publishing/remote.ts'
import { leaseMs } from '../../src/publishing/send/rules.ts'

const deps: CmsDeps = {
  outbound: async () => ({ kind: 'no_answer', reason: 'connection' }),
  now: () => new Date(),
  sleep: async () => {},
  serviceName: 'Galley',
  publicUrl: 'https://galley.example',
}

describe('platforms', () => {
  it('of the contract can all be connected', () => {
    expect(Object.keys(connectionForms).sort()).toEqual([...PUBLISHING_PLATFORMS].sort())
    expect(Object.keys(CMS_ADAPTERS).sort()).toEqual(Object.keys(PLATFORMS).sort())
  })

  it.each(Object.entries(PLATFORMS))('%s can do what is said of it', (name, { can }) => {
    const secrets = { cms_username: 'u', integration_key: 'k', admin_api_key: `${'0'.repeat(24)}:${'0'.repeat(64)}` }
    const adapter = CMS_ADAPTERS[name]?.({ id: 1, platform: name, url: 'https://cms.example', secrets }, deps)
    const all = ['read', 'restore', 'unpublish', 'hostImage', 'importsImages', 'linksCover'] as const
    expect(all.filter((ability) => adapter?.[ability])).toEqual(all.filter((ability) => can.includes(ability)))
    expect([adapter?.listPosts, adapter?.readPost].map(Boolean)).toEqual(Array(2).fill(can.includes('posts')))
  })

  it('have a row each in the table that people read, which says what the adapter has', () => {
    const rows = Object.fromEntries(ABILITIES.map(({ platform, does }) => [platform, does]))
    expect(Object.keys(rows)).toEqual([...PUBLISHING_PLATFORMS])
    expect(rows.ghost).toEqual({
      publish: 'yes',
      update: 'yes',
      takeDown: 'yes',
      rename: 'no',
      pictures: 'linked, or stored there',
      drafts: 'yes',
      readBack: 'yes',
      adopt: 'yes',
    })
    expect(rows.strapi).toMatchObject({ takeDown: 'with an admin token', adopt: 'no' })
    expect(rows.gohighlevel).toMatchObject({ readBack: 'no' })
    expect(rows.webhook).toMatchObject({
      update: 'your receiver',
      takeDown: 'no',
      pictures: 'linked',
      adopt: 'by the address',
    })
  })

  it.each(Object.entries(PLATFORMS))(
    '%s: an attempt ends within the hold on its article, however slow every call is',
    (name, { timeouts = CALL_TIMEOUT_MS }) => {
      const { asking, image, writing } = timeouts
      // Framer returns the present content with the post. The others need requests for it.
      const reading = Math.max(name === 'framer' ? 0 : 2 * asking, SPARE_MS + image)
      expect(asking + reading + writing).toBeLessThan(leaseMs(name))
    },
  )
})

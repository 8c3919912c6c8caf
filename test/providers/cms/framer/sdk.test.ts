import { afterEach, describe, expect, it } from 'vitest'
import { type FramerWire, type FramerWireOptions, startFramerWire } from '../../../../local/cms/framer-wire.ts'
import { framerConnection } from '../../../../src/providers/cms/framer/connect.ts'
import { framerCms } from '../../../../src/providers/cms/framer/index.ts'
import { framerSdk } from '../../../../src/providers/cms/framer/sdk.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import { article, clockAt, meansAt, requestOf } from '../../drive.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
let wire: FramerWire

const start = async (options: FramerWireOptions = {}) => {
  wire = await startFramerWire({ now: clock.now, ...options })
}
const cms = (more: Record<string, unknown> = {}) => {
  const given = {
    project_url: 'https://framer.com/projects/Shed--abcdefghij0123456789',
    ...{ api_key: wire.apiKey, collection: 'Blog', publish_site: true, ...more },
  }
  const { url, secrets } = framerConnection.connection(given)
  const port = framerSdk({ serverUrl: wire.serverUrl, pollMs: 5 })
  return framerCms({ id: 1, platform: 'framer', url, secrets }, meansAt(clock), port)
}

afterEach(() => wire.close())

describe("Framer's own package on a stand-in of its protocol", () => {
  it('opens, finds, adds, changes, publishes, takes down', async () => {
    await start({ openMs: 200, deploymentPolls: 3, titleFieldId: 'f-title' })
    expect(await cms().probe()).toMatchObject({ value: { name: 'The Shed', url: 'https://shed.framer.website' } })
    const image = { url: 'https://i.example/a.png', alt: 'A shed' }
    const made = await cms().create(article({ image }))
    expect(made).toMatchObject({
      value: { status: 'published', url: 'https://shed.framer.website/blog/how-to-build-a-shed' },
    })
    expect(wire.live()).toMatchObject([
      {
        slug: 'how-to-build-a-shed',
        fields: {
          'f-title': { value: 'How to build a shed' },
          'f-content': { type: 'formattedText', value: '<h2>Why</h2><p>A shed keeps tools dry.</p>' },
          'f-image': { value: 'https://framerusercontent.com/images/a.png', alt: 'A shed' },
        },
      },
    ])
    // The deployment was pending three times: the end was waited for.
    expect(wire.methods.filter((method) => method === 'getDeployment')).toHaveLength(4)
    const remoteId = made.kind === 'done' ? made.value.remoteId : ''
    const query = { marker: 'galley-00c0ffee-7', slug: 'x', title: 'x', remoteId, withVersion: true }
    expect(await cms().find(query)).toMatchObject({
      value: { remoteId, version: { fields: { 'f-image': { value: 'https://framerusercontent.com/images/a.png' } } } },
    })
    expect(await cms().update(remoteId, article({ html: '<p>Next.</p>' }))).toMatchObject({
      value: { status: 'published' },
    })
    expect(wire.live()[0]?.fields['f-content']).toMatchObject({ value: '<p>Next.</p>' })
    expect(await cms().unpublish?.(remoteId, article())).toMatchObject({ value: { status: 'draft' } })
    expect(wire.live()).toEqual([])
  })

  it('reads the collections once in a session, and the items only as often as needed', async () => {
    await start()
    const made = await cms({ publish_site: false }).create(article())
    wire.methods.length = 0
    await cms({ publish_site: false }).update(made.kind === 'done' ? made.value.remoteId : '', article())
    const asked = (name: string) => wire.methods.filter((method) => method === name).length
    expect([asked('getCollections'), asked('getCollection'), asked('getCollectionItems3')]).toEqual([1, 0, 1])
  })

  it('a slow deployment is checked by the next attempt, which does not publish again', async () => {
    await start({ deploymentPolls: 1_000 })
    clock.pass(60_000)
    const target = cmsTarget(cms(), 'Galley')
    const request = requestOf(clock)
    const reason = expect.stringContaining('still publishing the site (deployment d1)')
    expect(await target.deliver(request)).toMatchObject({ kind: 'unknown', reason })
    clock.pass(60_000)
    expect(await target.find?.(request)).toMatchObject({ kind: 'unsure', reason })
    expect(await target.deliver(request)).toMatchObject({ kind: 'refused', retryable: true, reason })
    wire.endDeployment()
    expect(await target.find?.(request)).toMatchObject({ kind: 'found' })
    expect(wire.methods.filter((method) => method === 'publish')).toHaveLength(1)
    expect(wire.items()).toHaveLength(1)
  })

  it('a deployment that failed is no publication', async () => {
    await start({ deploymentFails: true })
    expect(await cms().create(article())).toMatchObject({
      kind: 'refused',
      retryable: true,
      reason: expect.stringContaining('failed at the stage optimization'),
    })
  })

  it('returns the project’s answer to a call, and ends its session', async () => {
    await start()
    expect(await cms({ api_key: 'fr_wrong' }).probe()).toMatchObject({ kind: 'refused' })
    expect(await cms().update('gone', article())).toEqual({ kind: 'done', value: null })
    await expect.poll(() => wire.open()).toBe(0)
  })
})

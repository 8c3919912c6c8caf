import { expect, it } from 'vitest'
import { cmsApp } from '../../functions/cms/app.ts'
import { startGhost } from '../../local/cms/ghost.ts'
import { cmsRunner } from '../../src/providers/cms/adapter.ts'
import { cmsClient } from '../../src/providers/cms/client.ts'
import { ghostConnection } from '../../src/providers/cms/ghost/connect.ts'
import { cmsTarget } from '../../src/providers/cms/posts.ts'
import { CMS_ADAPTERS } from '../../src/providers/platforms.ts'
import { PLATFORMS } from '../../src/providers/publishing.ts'
import { clockAt, meansAt, requestOf } from './drive.ts'

const clock = clockAt('2026-11-21T10:00:00Z')

it('a post is unpublished through the Worker with the adapters; nothing can be deleted through it', async () => {
  const ghost = await startGhost({ now: clock.now })
  const { url, secrets } = ghostConnection.connection({ api_url: ghost.url, admin_api_key: ghost.key })
  const connection = { id: 1, platform: 'ghost', url, secrets }
  const app = cmsApp(
    cmsRunner(
      (one) => CMS_ADAPTERS[one.platform]?.(one, meansAt(clock)),
      () => {},
    ),
  )
  const binding = { fetch: async (...given: Parameters<typeof fetch>) => app.request(given[0] as string, given[1]) }
  const target = cmsTarget(cmsClient(binding, connection, PLATFORMS.ghost?.can ?? []), 'Galley')
  const request = requestOf(clock, { seo_title: 'Sheds | Guide', canonical_url: 'https://first.example/shed' })
  const made = await target.deliver(request)
  const remoteId = made.kind === 'accepted' ? made.remoteId : ''
  expect(ghost.posts()).toMatchObject([
    { status: 'published', meta_title: 'Sheds | Guide', canonical_url: 'https://first.example/shed' },
  ])
  expect(await target.unpublish?.(request)).toEqual({ kind: 'taken_down', remoteId })
  expect(ghost.posts()).toMatchObject([{ status: 'draft' }])
  expect(await target.unpublish?.(request)).toEqual({ kind: 'taken_down', remoteId })
  const deletion = await app.request('/call', {
    method: 'POST',
    body: JSON.stringify({ connection, method: 'discard', args: [remoteId] }),
  })
  expect([deletion.status, ghost.posts().length]).toEqual([400, 1])
  await ghost.close()
  expect(await target.unpublish?.(request)).toMatchObject({ kind: 'refused', retryable: true })
})

import { afterEach, expect, test } from 'vitest'
import { startWordpress, type WordpressStandIn } from '../../../../local/cms/wordpress.ts'
import { cmsTarget } from '../../../../src/providers/cms/target.ts'
import { wordpressConnection } from '../../../../src/providers/cms/wordpress/connect.ts'
import { wordpressCms } from '../../../../src/providers/cms/wordpress/index.ts'
import { clockAt, meansAt, PROOF_TIMEOUT_MS, proveFaults, seeded, troubleFrom } from '../../drive.ts'

let standIn: WordpressStandIn
afterEach(() => standIn.close())

test.each(['core', 'plugin'])(
  'through %s: loses nothing and creates nothing twice, whatever fails',
  { timeout: PROOF_TIMEOUT_MS },
  async (way) => {
    const clock = clockAt('2026-11-21T10:00:00Z')
    standIn = await startWordpress({ now: clock.now, trouble: troubleFrom(seeded(way === 'core' ? 1 : 2)) })
    const { url, secrets } = wordpressConnection.connection({
      cms_url: standIn.url,
      ...(way === 'core'
        ? { cms_username: 'admin', integration_key: standIn.passwordOf('admin') }
        : { integration_key: standIn.pluginKey }),
    })
    const cms = wordpressCms({ id: 1, platform: 'wordpress', url, secrets }, meansAt(clock))
    await proveFaults(
      cmsTarget(cms, 'Galley'),
      clock,
      () =>
        standIn.posts().map((post) => ({
          remoteId: String(post.id),
          slug: post.slug,
          title: post.title,
          content: post.content,
          isLive: post.status === 'publish',
        })),
      (slug) => `${standIn.url}/${slug}/`,
    )
    expect(standIn.calls.length).toBeGreaterThan(100)
  },
)

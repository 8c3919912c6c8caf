import { afterEach, expect, test } from 'vitest'
import { startWordpress, type WordpressStandIn } from '../../../../local/cms/wordpress.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import { wordpressConnection } from '../../../../src/providers/cms/wordpress/connect.ts'
import { wordpressCms } from '../../../../src/providers/cms/wordpress/index.ts'
import {
  type Clock,
  clockAt,
  meansAt,
  oneFault,
  PROOF_TIMEOUT_MS,
  proveCachedHost,
  proveFaults,
  proveRepeats,
  proveWordsNamed,
  seeded,
  troubleFrom,
} from '../../drive.ts'

let standIn: WordpressStandIn
afterEach(() => standIn.close())

/** Returns the adapter for the stand-in. */
const cmsBy = (way: string, clock: Clock) => {
  const { url, secrets } = wordpressConnection.connection({
    cms_url: standIn.url,
    ...(way === 'core'
      ? { cms_username: 'admin', integration_key: standIn.passwordOf('admin') }
      : { integration_key: standIn.pluginKey }),
  })
  return wordpressCms({ id: 1, platform: 'wordpress', url, secrets }, meansAt(clock))
}

/** Returns the posts as readers and editors see them. */
const shownPosts = () =>
  standIn.posts().map((post) => ({
    remoteId: String(post.id),
    slug: post.slug,
    title: post.title,
    content: post.content,
    isLive: post.status === 'publish',
  }))

test.each([
  ['core', true],
  ['core', false],
  ['plugin', true],
  ['plugin', false],
])('through %s: keeps an editor’s words behind a host that caches reads, if it says so: %s', async (way, says) => {
  const clock = clockAt('2026-11-21T10:00:00Z')
  standIn = await startWordpress({ now: clock.now })
  standIn.cacheReads({ now: clock.now, ms: 600_000, says })
  await proveWordsNamed(cmsBy(way, clock), clock)
})

test.each(['core', 'plugin'])('through %s: claims nothing that a cache in front of the site answered', async (way) => {
  const clock = clockAt('2026-11-21T10:00:00Z')
  standIn = await startWordpress({ now: clock.now })
  await proveCachedHost(cmsTarget(cmsBy(way, clock), 'Galley'), clock, standIn, shownPosts, { isFresh: true })
})

test.each(['core', 'plugin'])(
  'through %s: ends a repeated call as one undisturbed call, wherever the first one failed',
  { timeout: PROOF_TIMEOUT_MS },
  async (way) => {
    const clock = clockAt('2026-11-21T10:00:00Z')
    const fault = oneFault()
    standIn = await startWordpress({ now: clock.now, trouble: fault.trouble })
    await proveRepeats(cmsTarget(cmsBy(way, clock), 'Galley'), clock, fault, shownPosts)
  },
)

test.each(['core', 'plugin'])(
  'through %s: loses nothing and creates nothing twice, whatever fails',
  { timeout: PROOF_TIMEOUT_MS },
  async (way) => {
    const clock = clockAt('2026-11-21T10:00:00Z')
    standIn = await startWordpress({ now: clock.now, trouble: troubleFrom(seeded(way === 'core' ? 1 : 2)) })
    const cms = cmsBy(way, clock)
    await proveFaults(cmsTarget(cms, 'Galley'), clock, shownPosts, (slug) => `${standIn.url}/${slug}/`)
    expect(standIn.calls.length).toBeGreaterThan(100)
  },
)

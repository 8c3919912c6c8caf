import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GhostStandIn, startGhost } from '../../../local/cms/ghost.ts'
import { startWordpress, type WordpressStandIn } from '../../../local/cms/wordpress.ts'
import { setPolicy } from '../../accounts/policy/set.ts'
import { steppedStack } from '../../faults/stepped-stack.ts'
import { type Api, newProject } from '../../support/client.ts'
import { cron, flush, openScene, passTimeAtRest, type Scene } from '../scene.ts'
import { whenMade } from '../waits.ts'

const { steps, stack, access } = steppedStack(100)
let wordpress: WordpressStandIn
let ghost: GhostStandIn
/** Ids of Ghost’s posts, one for each change of a post. */
const written: string[] = []

beforeAll(async () => {
  ;[wordpress, ghost] = await Promise.all([
    startWordpress(),
    startGhost({ beforeChange: ({ id }) => written.push(id) }),
  ])
})
afterAll(() => Promise.all([wordpress.close(), ghost.close()]))

/** Post of a site: its id, all that the site has of it without the times of its changes, and the number of its changes. */
type Post = { id: string; whole: () => string; changes: () => number }

const BLOCKS =
  '<!-- wp:paragraph {"dropCap":true} -->\n<p class="wide">A shed costs 40 euros.</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:acme/map {"zoom":2.0} /-->'

const NODES = [
  {
    type: 'paragraph',
    version: 1,
    children: [{ type: 'extended-text', text: 'A shed costs 40 euros.', format: 0, style: 'x' }],
  },
  { type: 'signup', version: 1, header: 'Join', labels: ['a'] },
]

const inWordpress = async (title: string): Promise<Post> => {
  const response = await fetch(`${wordpress.url}/wp-json/wp/v2/posts`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${wordpress.passwordOf('admin')}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ status: 'publish', title, content: BLOCKS, excerpt: 'As found.' }),
  })
  const { id } = (await response.json()) as { id: number }
  const row = () => wordpress.posts().find((post) => post.id === id)
  return {
    id: String(id),
    whole: () => {
      const { modifiedGmt: _, revisions: __, ...rest } = (row() ?? {}) as Record<string, unknown>
      return JSON.stringify(rest)
    },
    // The first revision is the text as it was found.
    changes: () => Math.max(0, (row()?.revisions.length ?? 0) - 1),
  }
}

const inGhost = async (title: string): Promise<Post> => {
  const lexical = JSON.stringify({ root: { type: 'root', children: NODES } })
  const { id } = ghost.write({ title, lexical, meta_description: 'As found.' })
  const row = () => ghost.posts().find((post) => post.id === id)
  return {
    id,
    whole: () => {
      const { updated_at: _, ...rest } = (row() ?? {}) as Record<string, unknown>
      return JSON.stringify(rest)
    },
    changes: () => written.filter((one) => one === id).length,
  }
}

const SITES = {
  wordpress: {
    write: inWordpress,
    fields: () => ({
      cms_url: wordpress.url,
      cms_username: 'admin',
      integration_key: wordpress.passwordOf('admin'),
    }),
  },
  ghost: { write: inGhost, fields: () => ({ api_url: ghost.url, admin_api_key: ghost.key }) },
}

type Open = { scene: Scene; api: Api; set: number; posts: Post[]; articles: number[] }

/** Returns a site with two adopted posts, and a set that changes text and title of each. */
const openSet = async (platform: keyof typeof SITES): Promise<Open> => {
  const scene = await openScene(access)
  const { api } = scene
  await whenMade(scene)
  const project = await newProject(api)
  await setPolicy(access, project, { approve_adopted: false })
  const { write, fields } = SITES[platform]
  const connected = await api.post(`/projects/${project}/integrations`, { platform, ...fields() })
  expect(connected.status, connected.text).toBe(201)
  const posts = [await write('Shed one'), await write('Shed two')]
  const articles: number[] = []
  const changes: object[] = []
  for (const { id } of posts) {
    const adopted = await api.post('/articles/adopt', { project_id: project, post_id: id })
    const article = adopted.body.article_id as number
    const content = String((await api.get(`/articles/${article}`)).body.Content).replace('40', '45')
    articles.push(article)
    changes.push({ article_id: article, content, title: `A newer shed ${id}` })
  }
  const made = await api.post('/changes', { project_id: project, name: 'The new price', changes })
  expect(made.status, made.text).toBe(201)
  return { scene, api, set: made.body.change_set_id as number, posts, articles }
}

const shownOf = async ({ api, set }: Open): Promise<{ status: string; error: string | null }> =>
  (await api.get(`/changes/${set}`)).body.change_set as { status: string; error: string | null }

/** Kills the Workers when the work on a set comes to a step, and starts them again. */
const killAt = async (open: Open, what: 'release' | 'revert', step: string): Promise<void> => {
  const reached = steps.stopAt(step)
  const begun = open.api.post(`/changes/${open.set}/${what}`).catch(() => undefined)
  await reached
  await stack.crash()
  await begun
  steps.letGo()
  await stack.restart()
}

const ROUNDS = 12

/** Lets time pass, with cron and queue, until nobody works on the set. Checks of live pages wait for longer. */
const rest = async (open: Open): Promise<string> => {
  for (let n = 0; n < ROUNDS; n += 1) {
    await passTimeAtRest(open.scene)
    await cron(open.scene.access)
    await flush(open.scene.access, true)
    const { status } = await shownOf(open)
    if (status !== 'releasing' && status !== 'reverting') return status
  }
  throw new Error('the work on the set does not end')
}

/** Lets the work on a set end, by the same call if it stopped. */
const finish = async (open: Open, what: 'release' | 'revert', end: string): Promise<void> => {
  if ((await rest(open)) !== end) {
    const again = await open.api.post(`/changes/${open.set}/${what}`)
    expect(again.status, again.text).toBe(202)
    await rest(open)
  }
  expect(await shownOf(open)).toMatchObject({ status: end, error: null })
}

describe.each(['wordpress', 'ghost'] as const)('a change set at %s', (platform) => {
  test.each(['leased', 'marked', 'claimed', 'answered', 'synced'])(
    'killed at the step %s of its release and of its revert: each post has the text and fields that it had',
    async (step) => {
      const open = await openSet(platform)
      const found = open.posts.map(({ whole }) => whole())
      await killAt(open, 'release', step)
      await finish(open, 'release', 'released')
      const sent = open.posts.map(({ whole }) => whole())
      for (const one of sent) expect(one).toMatch(/costs 45 euros.*newer shed|newer shed.*costs 45 euros/s)
      await killAt(open, 'revert', step)
      await finish(open, 'revert', 'reverted')
      expect(open.posts.map(({ whole }) => whole())).toEqual(found)
      expect(open.posts.map(({ changes }) => changes())).toEqual([2, 2])
      const unfinished = await open.scene.rows(
        sql`select id from deliveries where article_id in (select article_id from changes where set_id = ${open.set}::int) and status in ('sending', 'unknown', 'retrying')`,
      )
      expect(unfinished).toEqual([])
    },
  )

  test.each(['claimed', 'answered'])(
    'killed at the step %s of its release, and reverted without an end of it',
    async (step) => {
      const open = await openSet(platform)
      const found = open.posts.map(({ whole }) => whole())
      await killAt(open, 'release', step)
      await rest(open)
      const asked = await open.api.post(`/changes/${open.set}/revert`)
      expect(asked.status, asked.text).toBe(202)
      await finish(open, 'revert', 'reverted')
      expect(open.posts.map(({ whole }) => whole())).toEqual(found)
    },
  )
})

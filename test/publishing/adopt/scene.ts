import { expect } from 'vitest'
import { type GhostStandIn, startGhost } from '../../../local/cms/ghost.ts'
import { startWordpress } from '../../../local/cms/wordpress.ts'
import { type Api, newAccount, newProject } from '../../support/client.ts'
import type { SharedStack } from '../../support/global.ts'
import { manyKeys } from '../../support/keys.ts'

/** Text of a post in the form of WordPress's editor: a sentence, and a gallery. */
export const BLOCKS =
  '<!-- wp:paragraph -->\n<p>The <a href="https://shed.example/">old shed</a> stood for thirty years.</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:gallery {"ids":[1,2]} -->\n<figure class="wp-block-gallery"></figure>\n<!-- /wp:gallery -->'

/** Returns the slug that WordPress makes of a title. */
const slugOf = (title: unknown): string =>
  String(title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')

/** Returns an account with a project that is connected to a Ghost. */
const connectGhost = async (stack: SharedStack, ghost: GhostStandIn) => {
  const account = await newAccount(stack, { plan: 'agentic' })
  const api = manyKeys(stack, account)
  const project = await newProject(api)
  const fields = { platform: 'ghost', api_url: ghost.url, admin_api_key: ghost.key }
  const { status, text } = await api.post(`/projects/${project}/integrations`, fields)
  expect(status, text).toBe(201)
  return { account, api, project }
}

/** Returns a connected Ghost with published posts, by the ids that it gave them. */
export const openGhost = async (stack: SharedStack, posts: number) => {
  const ghost = await startGhost()
  const ids = Array.from(
    { length: posts },
    (_, n) => ghost.write({ title: `Post ${n}`, html: `<p>Words ${n}.</p>` }).id,
  )
  return { ghost, ids, ...(await connectGhost(stack, ghost)) }
}

/** Starts a WordPress and a Ghost, which hold posts that people wrote. */
export const startSites = async (stack: SharedStack) => {
  const [ghost, wordpress] = await Promise.all([startGhost(), startWordpress()])

  /** Writes a post at the site as its administrator. */
  const write = async (fields: Record<string, unknown>): Promise<{ id: number; link: string; slug: string }> => {
    const response = await fetch(`${wordpress.url}/wp-json/wp/v2/posts`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`admin:${wordpress.passwordOf('admin')}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        status: 'publish',
        content: BLOCKS,
        excerpt: 'How it began.',
        slug: slugOf(fields.title),
        ...fields,
      }),
    })
    return (await response.json()) as never
  }

  const stored = (id: number) => wordpress.posts().find((post) => post.id === id)

  /** Connects a project to one of the sites. */
  const openSite = async (platform: 'wordpress' | 'ghost' = 'wordpress', user = 'admin') => {
    if (platform === 'ghost') return await connectGhost(stack, ghost)
    const account = await newAccount(stack, { plan: 'agentic' })
    const api = manyKeys(stack, account)
    const project = await newProject(api)
    const fields = { cms_url: wordpress.url, cms_username: user, integration_key: wordpress.passwordOf(user) }
    const { status, text } = await api.post(`/projects/${project}/integrations`, { platform, ...fields })
    expect(status, text).toBe(201)
    return { account, api, project }
  }

  return { ghost, wordpress, write, stored, openSite, close: () => Promise.all([ghost.close(), wordpress.close()]) }
}

/** Adopts a post by its id. */
export const adopt = async (api: Api, project: number, post_id: unknown) => {
  const { status, body, text } = await api.post('/articles/adopt', { project_id: project, post_id: String(post_id) })
  expect([200, 201], text).toContain(status)
  return { status, body, id: body.article_id as number }
}

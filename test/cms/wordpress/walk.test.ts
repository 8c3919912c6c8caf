import { describe } from 'vitest'
import { type EditedPost, type EditedSite, type EditorAct, walkOn } from '../walk.ts'
import { realSite } from './site.ts'

type Told = {
  id: number
  status: string
  link: string
  password: string
  title: { raw: string }
  content: { raw: string }
  excerpt: { raw: string }
  _embedded?: { 'wp:term'?: { taxonomy: string; name: string }[][] }
}

const STATES: Record<string, EditedPost['state']> = { publish: 'public', trash: 'gone' }

/** Returns a real WordPress with an administrator as its editor. */
const editedWordpress = async (credentials: Record<string, unknown>): Promise<EditedSite> => {
  const { url, passwords } = realSite()
  const authorization = `Basic ${Buffer.from(`admin:${passwords.admin}`).toString('base64')}`
  const ask = async (path: string, init: { method?: string; json?: unknown } = {}): Promise<unknown> => {
    const response = await fetch(`${url}/wp-json/wp/v2/${path}`, {
      method: init.method ?? 'GET',
      headers: { authorization, 'content-type': 'application/json' },
      ...(init.json === undefined ? {} : { body: JSON.stringify(init.json) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  let last = 0
  const told = async (): Promise<Told[]> =>
    (await ask(
      'posts?status=publish,future,draft,pending,private,archived,trash&context=edit&_embed=wp:term&per_page=20&orderby=id&order=desc',
    )) as Told[]
  const namesIn = ({ _embedded }: Told, wanted: string): string[] =>
    (_embedded?.['wp:term'] ?? []).flat().flatMap(({ taxonomy, name }) => (taxonomy === wanted ? [name] : []))
  const post = (row: Told): EditedPost => {
    const { id, status, link, password, title, content, excerpt } = row
    return {
      id: String(id),
      state: STATES[status] ?? 'hidden',
      url: link,
      title: title.raw,
      text: content.raw.replace(/<[^>]*>/g, ' '),
      description: excerpt.raw,
      tags: namesIn(row, 'post_tag'),
      categories: namesIn(row, 'category'),
      isLocked: password !== '',
    }
  }
  const change = (id: string, json: object) => ask(`posts/${id}`, { method: 'POST', json })
  const tag = async (id: string, name: string) => {
    const { id: made } = (await ask('tags', { method: 'POST', json: { name } })) as { id: number }
    const { tags } = (await ask(`posts/${id}?context=edit`)) as { tags: number[] }
    await change(id, { tags: [...tags, made] })
  }
  const acts: Record<EditorAct['kind'], (id: string, words: string) => Promise<unknown>> = {
    draft: (id) => change(id, { status: 'draft' }),
    archive: (id) => change(id, { status: 'archived' }),
    // A private post takes no password.
    lock: (id) => change(id, { password: 'tea' }).catch(() => undefined),
    private: (id) => change(id, { status: 'private' }),
    schedule: (id) => change(id, { status: 'future', date_gmt: '2094-03-05T06:07:08' }),
    show: (id) => change(id, { status: 'publish', date_gmt: '2024-03-05T06:07:08' }),
    trash: (id) => ask(`posts/${id}`, { method: 'DELETE' }).catch(() => undefined),
    restore: async (id) => {
      const { status } = (await ask(`posts/${id}?context=edit`)) as Told
      if (status === 'trash') await change(id, { status: 'draft' })
    },
    remove: (id) => ask(`posts/${id}?force=true`, { method: 'DELETE' }),
    rename: (id, title) => change(id, { title }),
    move: (id, words) => change(id, { slug: words.toLowerCase().replace(/\W+/g, '-') }),
    correct: (id, words) => change(id, { content: `<!-- wp:paragraph --><p>${words}.</p><!-- /wp:paragraph -->` }),
    describe: (id, excerpt) => change(id, { excerpt }),
    tag,
    categorize: async (id, name) => {
      const { id: made } = (await ask('categories', { method: 'POST', json: { name } })) as { id: number }
      await change(id, { categories: [made] })
    },
  }
  return {
    connection: { platform: 'wordpress', cms_url: url, ...credentials },
    begin: async () => {
      last = Math.max(0, ...(await told()).map(({ id }) => id))
    },
    posts: async () => (await told()).filter(({ id }) => id > last).map(post),
    hasCategories: true,
    acts: Object.keys(acts) as EditorAct['kind'][],
    act: async (id, act) => {
      await acts[act.kind](id, 'words' in act ? act.words : '')
    },
  }
}

describe('a post at a real WordPress, between its editors and a caller', () => {
  walkOn({
    core: () => editedWordpress({ cms_username: 'admin', integration_key: realSite().passwords.admin }),
    plugin: () => editedWordpress({ integration_key: realSite().pluginKey }),
  })
})

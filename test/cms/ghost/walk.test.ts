import { describe } from 'vitest'
import { type EditedPost, type EditedSite, type EditorAct, walkOn } from '../walk.ts'
import { askGhost, realGhost } from './site.ts'

type Told = {
  id: string
  status: string
  visibility: string
  url: string
  title: string
  html: string | null
  meta_description: string | null
  updated_at: string
  tags: { name: string }[]
}

/** Returns a real Ghost with its editors. It has no trash and no private posts. */
const editedGhost = async (): Promise<EditedSite> => {
  const ask = (path: string, method?: string, post?: object) => askGhost<Told>('posts', path, method, post)
  let earlier = new Set<string>()
  const told = () => ask('?formats=html&include=tags&order=created_at%20desc,id%20desc&limit=20')
  const change = async (id: string, fields: (post: Told) => object) => {
    const [post] = await ask(`${id}/?include=tags`)
    if (post) await ask(`${id}/?source=html`, 'PUT', { ...fields(post), updated_at: post.updated_at })
  }
  const post = ({ id, status, visibility, title, html, meta_description, tags, url: at }: Told): EditedPost => ({
    id,
    state: status === 'published' ? 'public' : 'hidden',
    url: at,
    title,
    text: (html ?? '').replace(/<[^>]*>/g, ' '),
    description: meta_description ?? '',
    tags: tags.map(({ name }) => name).filter((name) => !name.startsWith('#')),
    categories: [],
    isLocked: visibility !== 'public',
  })
  const acts: Partial<Record<EditorAct['kind'], (id: string, words: string) => Promise<unknown>>> = {
    draft: (id) => change(id, () => ({ status: 'draft' })),
    schedule: async (id) => {
      await change(id, () => ({ status: 'draft' }))
      await change(id, () => ({ status: 'scheduled', published_at: '2094-03-05T06:07:08.000Z' }))
    },
    show: async (id) => {
      await change(id, ({ status }) => (status === 'scheduled' ? { status: 'draft' } : {}))
      await change(id, () => ({ status: 'published', published_at: '2024-03-05T06:07:08.000Z' }))
    },
    lock: (id) => change(id, () => ({ visibility: 'members' })),
    remove: (id) => ask(`${id}/`, 'DELETE'),
    rename: (id, title) => change(id, () => ({ title })),
    move: (id, words) => change(id, () => ({ slug: words.toLowerCase().replace(/\W+/g, '-') })),
    correct: (id, words) => change(id, () => ({ html: `<p>${words}.</p>` })),
    describe: (id, meta_description) => change(id, () => ({ meta_description })),
    tag: (id, name) => change(id, ({ tags }) => ({ tags: [...tags.map((one) => ({ name: one.name })), { name }] })),
  }
  return {
    connection: { platform: 'ghost', api_url: realGhost().url, admin_api_key: realGhost().key },
    begin: async () => {
      earlier = new Set((await told()).map(({ id }) => id))
    },
    posts: async () => (await told()).filter(({ id }) => !earlier.has(id)).map(post),
    hasCategories: false,
    acts: Object.keys(acts) as EditorAct['kind'][],
    act: async (id, act) => {
      await acts[act.kind]?.(id, 'words' in act ? act.words : '')
    },
  }
}

describe('a post at a real Ghost, between its editors and a caller', () => {
  walkOn({ ghost: editedGhost })
})

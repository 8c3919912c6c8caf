import { createHmac } from 'node:crypto'
import { describe } from 'vitest'
import { type EditedPost, type EditedSite, type EditorAct, walkOn } from '../walk.ts'

type Told = {
  id: string
  status: string
  url: string
  title: string
  html: string | null
  meta_description: string | null
  updated_at: string
  tags: { name: string }[]
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token as Ghost takes it from an editor's tool. */
const tokenOf = (key: string): string => {
  const [kid = '', secret = ''] = key.split(':')
  const iat = Math.floor(Date.now() / 1_000)
  const signed = `${base64({ alg: 'HS256', typ: 'JWT', kid })}.${base64({ iat, exp: iat + 240, aud: '/admin/' })}`
  return `${signed}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64url')}`
}

/** A real Ghost with its editors. It has no trash and no private posts. */
const editedGhost = async (): Promise<EditedSite> => {
  const { GHOST_URL: url = '', GHOST_ADMIN_API_KEY: key = '' } = process.env
  const ask = async (path: string, method = 'GET', post?: object): Promise<Told[]> => {
    const response = await fetch(`${url}/ghost/api/admin/posts/${path}`, {
      method,
      headers: { authorization: `Ghost ${tokenOf(key)}`, 'content-type': 'application/json', 'accept-version': 'v5.0' },
      ...(post ? { body: JSON.stringify({ posts: [post] }) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return text === '' ? [] : (JSON.parse(text) as { posts: Told[] }).posts
  }
  let earlier = new Set<string>()
  const told = () => ask('?formats=html&include=tags&order=created_at%20desc,id%20desc&limit=20')
  const change = async (id: string, fields: (post: Told) => object) => {
    const [post] = await ask(`${id}/?include=tags`)
    if (post) await ask(`${id}/?source=html`, 'PUT', { ...fields(post), updated_at: post.updated_at })
  }
  const post = ({ id, status, title, html, meta_description, tags, url: at }: Told): EditedPost => ({
    id,
    state: status === 'published' ? 'public' : 'hidden',
    url: at,
    title,
    text: (html ?? '').replace(/<[^>]*>/g, ' '),
    description: meta_description ?? '',
    tags: tags.map(({ name }) => name).filter((name) => !name.startsWith('#')),
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
    remove: (id) => ask(`${id}/`, 'DELETE'),
    rename: (id, title) => change(id, () => ({ title })),
    move: (id, words) => change(id, () => ({ slug: words.toLowerCase().replace(/\W+/g, '-') })),
    correct: (id, words) => change(id, () => ({ html: `<p>${words}.</p>` })),
    describe: (id, meta_description) => change(id, () => ({ meta_description })),
    tag: (id, name) => change(id, ({ tags }) => ({ tags: [...tags.map((one) => ({ name: one.name })), { name }] })),
  }
  return {
    connection: { platform: 'ghost', api_url: url, admin_api_key: key },
    begin: async () => {
      earlier = new Set((await told()).map(({ id }) => id))
    },
    posts: async () => (await told()).filter(({ id }) => !earlier.has(id)).map(post),
    acts: Object.keys(acts) as EditorAct['kind'][],
    act: async (id, act) => {
      await acts[act.kind]?.(id, 'words' in act ? act.words : '')
    },
  }
}

describe('a post at a real Ghost, between its editors and a caller', () => {
  walkOn({ ghost: editedGhost })
})

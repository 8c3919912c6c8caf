import { randomBytes } from 'node:crypto'
import { expect, inject, it } from 'vitest'
import { connectReceiver, newArticle } from '../../support/client.ts'
import { openSocial, type SocialScene, until } from './scene.ts'

const stack = inject('stack')

type Row = {
  post_id: number
  platform: string
  article_id: number
  content: string
  link: string
  status: string
  media_files: unknown[]
}

const postsOf = async ({ api, projectId }: SocialScene): Promise<Row[]> =>
  (await api.get(`/social/posts?project_id=${projectId}`)).body.posts as Row[]

const publishArticle = async (scene: SocialScene, fields: Record<string, unknown> = {}) => {
  await connectReceiver(scene.api, scene.projectId, stack.receiverUrl, stack.receiverToken)
  const id = await newArticle(scene.api, scene.projectId, {
    title: `Sheds on level ground ${randomBytes(4).toString('hex')}`,
    meta_description: 'How to make a level base.',
    ...fields,
  })
  const { status, body, text } = await scene.api.post(`/articles/${id}/publish`)
  if (status !== 200) throw new Error(text)
  return { id, url: body.url as string }
}

it('publishing an article drafts one post for each account, once', async () => {
  const scene = await openSocial(stack)
  await scene.api.put(`/projects/${scene.projectId}`, {
    social_media_ai_instructions: 'Friendly. Always add #gardensheds and #diy.',
  })
  await scene.connect('twitter')
  await scene.connect('linkedin')
  const instagram = await scene.connect('instagram')
  const { id, url } = await publishArticle(scene)
  const posts = await until(async () => {
    const found = await postsOf(scene)
    return found.length >= 2 ? found : undefined
  })
  expect(posts.map(({ platform }) => platform).sort()).toEqual(['linkedin', 'x'])
  for (const post of posts) {
    expect(post).toMatchObject({ article_id: id, link: url, status: 'draft', media_files: [] })
    expect(post.content).toContain('Sheds on level ground')
    expect(post.content).toMatch(/How to make a level base\.\n\n#gardensheds #diy$/)
  }
  await scene.api.post(`/articles/${id}/publish`)
  expect(await postsOf(scene)).toHaveLength(2)
  expect(await scene.provided(instagram)).toEqual([])
  const { post_id: draft } = posts[0] as Row
  await scene.api.post(`/social/posts/${draft}/publish`)
  expect(await scene.ended(draft)).toMatchObject({ status: 'published' })
})

it('they are published automatically if the project wants it, with the picture if the network needs one', async () => {
  const scene = await openSocial(stack)
  await scene.api.put(`/projects/${scene.projectId}`, { social_media_publishing_status: 'Publish Immediately' })
  const instagram = await scene.connect('instagram')
  await publishArticle(scene, { feature_image: 'https://images.example/shed.png', alt_text: 'A shed' })
  const [post] = await until(async () => {
    const found = await postsOf(scene)
    return found.length > 0 ? found : undefined
  })
  expect(await scene.ended(post?.post_id ?? 0)).toMatchObject({
    status: 'published',
    media_files: [{ type: 'image', url: 'https://images.example/shed.png', alt_text: 'A shed' }],
  })
  expect(await scene.provided(instagram)).toHaveLength(1)
})

it('a project without accounts gets no posts and no work', async () => {
  const scene = await openSocial(stack)
  await publishArticle(scene)
  expect(await postsOf(scene)).toEqual([])
})

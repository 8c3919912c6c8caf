import { describe, expect, inject, it } from 'vitest'
import { openSocial } from '../../reach/social/scene.ts'
import { formOn, inviteTo, signInAsOwner, textOf, type Visitor } from '../people/browser.ts'
import { setPolicy } from '../policy/set.ts'

const stack = inject('stack')

const PICTURE = { type: 'image', url: 'https://sheds.example/a%20shed.png', alt_text: 'A shed (new)' }

/** Returns a site with posts that wait for approval, by their texts, and its owner. */
const waitingPosts = async (...texts: string[]) => {
  const scene = await openSocial(stack)
  const [{ person }, x] = [await signInAsOwner(stack, scene.api), await scene.connect('twitter')]
  await setPolicy(stack, scene.projectId, { needs_approval: 'every' })
  const post = async (content: string) => {
    const body = { project_id: scene.projectId, content, platforms: ['x'], draft: true, media_files: [PICTURE] }
    const made = (await scene.api.post('/social/publish', body)).body.posts as { post_id: number }[]
    const id = made[0]?.post_id ?? 0
    return { id, approval: await ask(id) }
  }
  const ask = async (id: number, changes = {}): Promise<number> =>
    Number((await scene.api.post(`/social/posts/${id}/publish`, changes)).body.approval_id)
  const posts: { id: number; approval: number }[] = []
  for (const text of texts) posts.push(await post(text))
  return { scene, person, x, posts, ask, at: `/p/${scene.projectId}` }
}

const boxes = (posts: readonly { approval: number }[]) =>
  Object.fromEntries(posts.map(({ approval }) => [`a${approval}`, 'yes']))

/** Sends a form of a list; the page that asks, and the form on it. */
const asked = async (person: Visitor, path: string, fields: Record<string, string>) => {
  const page = await person.post(path, fields)
  return { said: textOf(page), form: page.text.includes('name="confirm"') ? formOn(page, path) : {} }
}

describe('several approvals', () => {
  it('are given at once after a page with their texts; a post that was changed since is left out and named', async () => {
    const { scene, person, posts, ask, at, x } = await waitingPosts('Roofs', 'Doors', 'Windows')
    const path = `${at}/approvals/decide`
    const list = await person.get(`${at}/social?all=yes`)
    expect(textOf(list)).toContain('3 posts wait for approval.')
    const fields = { ...formOn(list, path), decision: 'approve' }
    expect(fields).toMatchObject({ ...boxes(posts), back: 'social' })
    const { said, form } = await asked(person, path, fields)
    for (const text of ['Approve these?', 'Roofs', 'Doors', 'Windows', 'Approve 3']) expect(said).toContain(text)
    const asking = await person.post(path, fields)
    const picture = `<img class="thumb" src="${PICTURE.url}" alt="${PICTURE.alt_text}"`
    expect(asking.text.split(picture)).toHaveLength(4)
    expect(asking.headers.get('content-security-policy')).toContain("img-src 'self' https:")
    const changed = await ask(posts[1]?.id ?? 0, { content: 'Doors that open' })
    const done = await person.post(path, form)
    expect(done.url).toContain(`${at}/social`)
    expect(textOf(done)).toContain(
      '2 are approved. What has a later date goes out then, the rest goes out now. 1 was left alone:',
    )
    expect(textOf(done)).toContain('Doors : It was changed since you opened the list.')
    expect(await scene.ended(posts[0]?.id ?? 0)).toMatchObject({ status: 'published', content: 'Roofs' })
    expect(await scene.ended(posts[2]?.id ?? 0)).toMatchObject({ status: 'published', content: 'Windows' })
    expect(await scene.post(posts[1]?.id ?? 0)).toMatchObject({ status: 'draft', content: 'Doors' })
    expect((await scene.api.get(`/approvals/${changed}`)).body.approval).toMatchObject({ status: 'awaiting' })
    // Sent again, it sends nothing again.
    expect((await asked(person, path, fields)).said).toMatch(/3 were left alone:.*Roofs : It was approved before/)
    expect((await scene.provided(x)).map(({ content }) => content).sort()).toEqual(['Roofs', 'Windows'])
  })

  it('are sent back with one comment, which is needed', async () => {
    const { scene, person, posts, at } = await waitingPosts('Roofs', 'Doors')
    const path = `${at}/approvals/decide`
    const list = await person.get(`${at}/approvals?all=yes`)
    const fields = { ...formOn(list, path), decision: 'return' }
    expect((await asked(person, path, fields)).said).toContain('Say in the comment what to change.')
    const { said, form } = await asked(person, path, { ...fields, comment: 'No jokes' })
    expect(said).toContain('Your comment: No jokes')
    expect(textOf(await person.post(path, form))).toContain('2 are sent back.')
    for (const { approval } of posts)
      expect((await scene.api.get(`/approvals/${approval}`)).body.approval).toMatchObject({
        status: 'returned',
        comment: 'No jokes',
      })
    expect((await asked(person, path, { decision: 'approve' })).said).toContain('Tick the approvals first.')
  })

  it('are for people who may decide, on their own site', async () => {
    const { scene, person, posts, at } = await waitingPosts('Roofs')
    const theirs = await waitingPosts('Doors')
    const path = `${at}/approvals/decide`
    const { person: editor } = await inviteTo(stack, person, 'editor', scene.projectId)
    const { person: client } = await inviteTo(stack, person, 'client', scene.projectId)
    for (const page of ['social', 'approvals']) {
      expect((await editor.get(`${at}/${page}`)).text).not.toContain(`action="${path}"`)
      expect((await client.get(`${at}/${page}`)).text).toContain(`action="${path}"`)
    }
    const fields = { ...boxes([...posts, ...theirs.posts]), decision: 'approve' }
    expect((await editor.post(path, fields)).status).toBe(403)
    expect((await theirs.person.post(path, fields)).status).toBe(404)
    const { said, form } = await asked(client, path, fields)
    expect([said.includes('Roofs'), said.includes('Doors')]).toEqual([true, false])
    expect(textOf(await client.post(path, form))).toMatch(
      /1 is approved\. .*1 was left alone:.*It is not here any more/,
    )
    const [post] = theirs.posts
    expect(await theirs.scene.post(post?.id ?? 0)).toMatchObject({ status: 'draft' })
    expect((await theirs.scene.api.get(`/approvals/${post?.approval}`)).body.approval).toMatchObject({
      status: 'awaiting',
    })
  })
})

import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { formOn, inviteTo, signInAsOwner, sure, textOf, type Visitor } from '../../accounts/people/browser.ts'
import { setPolicy } from '../../accounts/policy/set.ts'
import { pngOf, pngOfBytes } from '../../content/media/pictures.ts'
import { newProject } from '../../support/client.ts'
import { ownFaults } from '../../support/faults.ts'
import { readStreamed } from '../../support/streamed-page.ts'
import { madeBy, openSocial, type SocialScene } from './scene.ts'

const stack = inject('stack')
const faults = ownFaults(stack.zernioUrl)

let scene: SocialScene
let person: Visitor
let x: string
let list: string

beforeAll(async () => {
  scene = await openSocial(stack)
  ;({ person } = await signInAsOwner(stack, scene.api))
  x = await scene.connect('twitter')
  await scene.api.put(`/projects/${scene.projectId}`, { timezone: 'Asia/Tokyo' })
  list = `/p/${scene.projectId}/social`
})
afterEach(() => faults.clear())

/** Saves a draft; its id. */
const draft = async (content: string): Promise<number> => {
  const { body } = await scene.api.post('/social/publish', {
    project_id: scene.projectId,
    content,
    platforms: ['x'],
    draft: true,
  })
  return madeBy(body)[0]?.post_id ?? 0
}

const outWith = async (content: string) => (await scene.provided(x)).filter((post) => post.content === content).length

describe('posts of a site', () => {
  it('without accounts, the page links to connecting them', async () => {
    const empty = await newProject(scene.api)
    const page = await person.get(`/p/${empty}/social`)
    expect(textOf(page)).toContain('No account of a network is connected.')
    expect(page.text).toContain(`<a class="button" href="/settings/social?project_id=${empty}">`)
    expect((await person.get(`/p/${empty}`)).text).toContain(`href="/p/${empty}/social"`)
  })

  it('are written on a page that shows each network’s preview and count, and keeps what was typed', async () => {
    const at = `${list}/new`
    expect((await person.get(list)).text).toContain(`<a class="button" href="${at}">`)
    const fields = {
      content: 'Level ground\r\nfirst',
      link: 'https://sheds.example/base',
      addresses: '',
      [`to-${x}`]: 'yes',
    }
    const seen = await person.post(at, { ...fields, how: 'preview' })
    expect(textOf(seen)).toContain(`${'Level ground first'.length + 2 + 23} of 280 characters`)
    expect(textOf(seen)).toContain('Fits')
    const long = await person.post(at, { ...fields, content: 'a'.repeat(300), how: 'draft' })
    expect([long.status, textOf(long)]).toEqual([
      400,
      expect.stringContaining('is too long for X with its link: 325 of 280'),
    ])
    expect(long.text).toContain('a'.repeat(300))
    expect((await person.post(at, { ...fields, addresses: 'https:// https://[', how: 'preview' })).status).toBe(200)
    for (const wrong of [
      { ...fields, link: 'nowhere' },
      { ...fields, addresses: 'file:///etc/passwd' },
      { ...fields, file: 'shed.png' },
      { ...fields, [`to-${x}`]: '' },
    ])
      expect((await person.post(at, { ...wrong, how: 'draft' })).status).toBe(400)
    const saved = await person.post(at, { ...fields, how: 'draft' })
    expect(textOf(saved)).toContain('The draft is saved.')
    const id = Number(new URL(saved.url).pathname.split('/').at(-1))
    expect((await scene.api.get(`/social/posts/${id}`)).body.post).toMatchObject({ status: 'draft' })
    expect((await scene.api.del(`/social/posts/${id}`)).status).toBe(200)
    expect(await outWith('Level ground\nfirst')).toBe(0)
  })

  it('get pictures from files, each with words for people who do not see it', async () => {
    const at = `${list}/new`
    const send = (body: FormData | Blob, to = at, by = person) =>
      fetch(`${stack.url}${to}/pictures`, {
        method: 'POST',
        headers: { origin: stack.url, cookie: [...by.cookies].map((pair) => pair.join('=')).join('; ') },
        body,
      })
    const png = (bytes: Buffer) => new Blob([new Uint8Array(bytes)], { type: 'image/png' })
    const formWith = (...files: Blob[]) => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ content: 'A shed', [`to-${x}`]: 'yes', link: '', addresses: '' }))
        form.set(name, value)
      for (const file of files) form.append('file', file, 'shed.png')
      return form
    }
    const one = pngOf(3, 2)
    const added = { status: 200, url: at, headers: new Headers(), text: await (await send(formWith(png(one)))).text() }
    // It is in the preview and in the form, which asks what it shows and keeps the text.
    expect(added.text.match(/<img class="thumb"/g)).toHaveLength(2)
    expect(added.text).toMatch(/<input name="alt0"[^>]* autofocus/)
    const { picture0: url = '' } = formOn(added, at)
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(one)).toBe(true)
    expect(added.text).toContain('A shed</textarea>')
    // What the page's script sends is answered with the address alone, and so are refusals.
    expect(await (await send(png(one))).json()).toEqual({ url })
    const large = png(pngOfBytes(12 * 1024 * 1024 + 1))
    for (const [body, wanted] of [
      [large, 413],
      [formWith(large), 413],
      [formWith(new Blob(['text'], { type: 'image/png' })), 415],
    ] as const) {
      const refused = await send(body)
      const text = await refused.text()
      expect([refused.status, text]).toEqual([wanted, expect.stringMatching(/not taken/)])
      if (body instanceof FormData) expect(text).toContain('A shed</textarea>')
    }
    const other = await openSocial(stack)
    expect((await send(png(one), `/p/${other.projectId}/social/new`)).status).toBe(404)
    const fields = {
      content: 'A shed',
      [`to-${x}`]: 'yes',
      picture0: url,
      alt0: ' A shed on level ground ',
      picture1: 'https://sheds.example/other.png',
      drop1: 'yes',
    }
    const saved = await person.post(at, { ...fields, how: 'draft' })
    const id = Number(new URL(saved.url).pathname.split('/').at(-1))
    expect(await scene.post(id)).toMatchObject({
      media_files: [{ type: 'image', url, alt_text: 'A shed on level ground' }],
    })
    expect(saved.text).toContain('alt="A shed on level ground"')
    expect((await scene.api.del(`/social/posts/${id}`)).status).toBe(200)
  })

  it('may have as much text as the network with the longest posts accepts, in any script', async () => {
    const content = '地'.repeat(2_900)
    const seen = await person.post(`${list}/new`, { content, [`to-${x}`]: 'yes', how: 'preview' })
    expect([seen.status, textOf(seen)]).toEqual([200, expect.stringContaining('5,800 of 280 characters')])
  })

  it('are sent with a person’s changed text, once, even if the form is sent twice', async () => {
    const id = await draft('A base for sheds')
    const at = `${list}/${id}`
    const before = await person.get(list)
    expect(textOf(before)).toMatch(/Draft A base for sheds X, made today/)
    const sent = await person.post(at, { content: 'A level base\r\nfor sheds', at: '', how: 'now' })
    expect([sent.status, new URL(sent.url).pathname, textOf(sent)]).toEqual([
      200,
      at,
      expect.stringContaining('It is on its way.'),
    ])
    expect(await scene.ended(id)).toMatchObject({ status: 'published', content: 'A level base\nfor sheds' })
    const again = await person.post(at, { content: 'A level base\r\nfor sheds', at: '', how: 'now' })
    expect(again.status).toBe(409)
    expect(await outWith('A level base\nfor sheds')).toBe(1)
    const shown = await person.get(`${list}?status=published`)
    expect(textOf(shown)).toMatch(/Published A level base for sheds X, out since today/)
    expect((await person.get(at)).text).not.toContain('name="how"')
    expect(textOf(await person.get(`${list}?status=draft`))).toContain('No post is in this state.')
  })

  it('have dates in the site’s time zone; a past time or too long a text changes nothing', async () => {
    const id = await draft('Roofs for sheds')
    const at = `${list}/${id}`
    const passed = await person.post(at, { content: 'Roofs', at: '2020-01-01T09:00', how: 'date' })
    expect([passed.status, textOf(passed)]).toEqual([400, expect.stringContaining('That time has passed')])
    expect(passed.text).toMatch(/<textarea[^>]*>\nRoofs<\/textarea>/)
    const none = await person.post(at, { content: 'Roofs', at: '', how: 'date' })
    expect(textOf(none)).toContain('Choose a day and a time')
    const long = await person.post(at, { content: 'x'.repeat(281), at: '', how: 'now' })
    expect([long.status, textOf(long)]).toEqual([
      400,
      expect.stringContaining('The text is too long for X: 281 of 280 characters.'),
    ])
    expect(await scene.post(id)).toMatchObject({ status: 'draft', content: 'Roofs for sheds' })
    const dated = await person.post(at, { content: 'Roofs', at: '2031-05-01T09:00', how: 'date' })
    expect(textOf(dated)).toContain('It goes out at that time.')
    expect(await scene.post(id)).toMatchObject({
      status: 'scheduled',
      content: 'Roofs',
      scheduled_for: '2031-05-01T00:00:00.000Z',
    })
    expect(dated.text).toContain('value="2031-05-01T09:00"')
    expect(textOf(await person.get(list))).toMatch(/Scheduled Roofs X, goes out Thu 1 May 2031, 09:00 \(Tokyo\)/)
  })

  it('are deleted after a confirmation', async () => {
    const id = await draft('Doors for sheds')
    const asked = await person.post(`${list}/${id}/delete`, {})
    expect(textOf(asked)).toContain('Delete the post?')
    expect((await scene.post(id)).status).toBe('draft')
    expect(textOf(await sure(person, `${list}/${id}/delete`, {}))).toContain('The post is deleted.')
    expect((await scene.api.get(`/social/posts/${id}`)).status).toBe(404)
  })

  it('that failed have the reason, and can be sent with another text', async () => {
    const id = await draft('[fails] Windows for sheds')
    const at = `${list}/${id}`
    await person.post(at, { content: '[fails] Windows for sheds', at: '', how: 'now' })
    expect(await scene.ended(id)).toMatchObject({ status: 'failed' })
    expect(textOf(await person.get(`${list}?status=failed`))).toMatch(
      /Failed \[fails\] Windows for sheds X, tried today .*The network does not accept this text\./,
    )
    expect(textOf(await person.get(`/p/${scene.projectId}`))).toMatch(
      /Post failed \[fails\] Windows for sheds .*The network does not accept this text/,
    )
    const page = await person.get(at)
    expect(textOf(page)).toMatch(/The network does not accept this text\..*Try again now/)
    await person.post(at, { content: 'Windows for sheds', at: '', how: 'now' })
    expect(await scene.ended(id)).toMatchObject({ status: 'published', content: 'Windows for sheds' })
  })

  it('of another site of the account, and of another account, do not exist here', async () => {
    const id = await draft('Locks for sheds')
    const other = await newProject(scene.api)
    const theirs = await openSocial(stack)
    const outsider = await signInAsOwner(stack, theirs.api)
    for (const [who, path] of [
      [person, `/p/${other}/social/${id}`],
      [outsider.person, `${list}/${id}`],
      [outsider.person, `/p/${theirs.projectId}/social/${id}`],
      [outsider.person, list],
    ] as const) {
      const page = await who.get(path)
      expect([path, page.status, page.text.includes('Locks')]).toEqual([path, 404, false])
    }
    expect((await outsider.person.post(`${list}/${id}`, { how: 'now' })).status).toBe(404)
    expect((await person.post(`/p/${other}/social/${id}`, { how: 'now' })).status).toBe(404)
    expect((await scene.post(id)).status).toBe('draft')
  })
})

describe('the accounts', () => {
  it('that were cut off are to be connected again', async () => {
    const own = await openSocial(stack)
    const { person: owner } = await signInAsOwner(stack, own.api)
    await fetch(`${stack.zernioUrl}/_lapse?account=${await own.connect('linkedin')}`)
    const page = await owner.get(`/p/${own.projectId}/social`)
    expect(textOf(page)).toMatch(/LinkedIn, .*Not connected Connect again/)
    expect(page.text).toContain(`<a href="/settings/social?project_id=${own.projectId}" aria-label="Connect again`)
  })

  const settings = () => `/settings/social?project_id=${scene.projectId}`
  it.each([
    ['the posts', () => list, 'Paint for sheds', () => `${list}?status=draft`],
    ['the form that connects one', settings, 'Connect Bluesky', settings],
  ])('are read after %s was sent; if that fails, the page says so', async (_, at, first, again) => {
    await draft('Paint for sheds')
    const profile = `profileId=${await scene.profileOf(x)}`
    await faults.set({ path: profile, hold: true })
    const streamed = await readStreamed(stack.url + at(), person.cookies)
    const seen = await streamed.until('Asking the networks')
    expect(seen).toContain(first)
    expect(seen).not.toMatch(/Works|cannot be asked/)
    await faults.set({ path: profile, status: 500 })
    expect(await streamed.rest()).toContain('</html>')
    const other = again()
    const page = await person.get(other)
    expect(textOf(page)).toMatch(new RegExp(`${first}.*The networks cannot be asked now\\..*Try again`))
    expect(page.text).toContain(`href="${other}">Try again`)
  })
})

describe('roles', () => {
  it('an editor’s post waits for approval if the policy requires it, and is then sent', async () => {
    const { person: editor } = await inviteTo(stack, person, 'editor', scene.projectId)
    const { person: client } = await inviteTo(stack, person, 'client', scene.projectId)
    const id = await draft('Gutters for sheds')
    const at = `${list}/${id}`
    const read = await client.get(at)
    expect([read.status, read.text.includes('Gutters'), read.text.includes('name="how"')]).toEqual([200, true, false])
    expect((await editor.get(at)).text).not.toContain('Delete the post')
    await setPolicy(stack, scene.projectId, { needs_approval: 'every' })
    const sent = await editor.post(at, { content: 'Gutters', at: '', how: 'now' })
    expect(textOf(sent)).toContain('It waits for the approval of another person')
    expect(await scene.post(id)).toMatchObject({ status: 'draft', content: 'Gutters for sheds' })
    expect(textOf(await person.get(list))).toMatch(/1 post waits for approval\..*To approve Gutters for sheds/)
    const approval = /href="([^"]+\/approvals\/\d+)">Look at what is asked/.exec((await client.get(at)).text)?.[1]
    await client.post(`${approval}/decide`, { decision: 'approve' })
    expect(await scene.ended(id)).toMatchObject({ status: 'published', content: 'Gutters' })
    await setPolicy(stack, scene.projectId)
  })
})

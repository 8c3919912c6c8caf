import { sql } from 'drizzle-orm'
import { beforeAll, expect, inject, it } from 'vitest'
import { startReceiver } from '../../../local/receiver/server.ts'
import { type Api, connectReceiver, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { manyKeys } from '../../support/keys.ts'
import { publishedArticle } from '../../support/story.ts'
import { picture } from '../media/pictures.ts'

const stack = inject('stack')

let api: Api
let project: number
beforeAll(async () => {
  api = manyKeys(stack, await newAccount(stack))
  project = await newProject(api)
})

const dataUrl = (bytes: Buffer, type = 'png'): string => `data:image/${type};base64,${bytes.toString('base64')}`
const png = (width: number, height = 10): Promise<Buffer> => picture({ width, height, format: 'png' })
const save = (content: string) => api.post('/articles', { project_id: project, keyword: `k ${Math.random()}`, content })
const contentOf = async (id: unknown): Promise<string> => {
  const { body } = await api.get(`/articles/${String(id)}`)
  return String(((body.article ?? body) as Record<string, unknown>).Content)
}
const held = async (accountId: number): Promise<number> => {
  const [row] = await rowsIn<{ n: number }>(
    stack,
    sql`select count(*)::int as n from hosted_images where account_id = ${accountId}::int`,
  )
  return row?.n ?? 0
}

it('the placeholder of a picture that loads late is not hosted', async () => {
  const { body } = await save(`<p>a</p><img src="${dataUrl(await png(1))}" data-src="https://a.example/b.jpg" alt="B">`)
  expect(body).toMatchObject({ removed: ['data-src of <img> (made src)'] })
  expect(body.hosted_images).toBeUndefined()
  expect(await contentOf(body.article_id)).toBe('<p>a</p><img src="https://a.example/b.jpg" alt="B">')
})

it('an image sent as data is hosted, and all else stays byte for byte', async () => {
  const bytes = await png(21)
  const { status, body } = await save(`<p>a</p><img  alt='x' src="${dataUrl(bytes)}" width=3><p>b &amp; c</p>`)
  expect(status).toBe(201)
  const [url] = body.hosted_images as string[]
  expect(body.removed).toBeUndefined()
  expect(await contentOf(body.article_id)).toBe(`<p>a</p><img  alt='x' src="${url}" width=3><p>b &amp; c</p>`)
  const served = await fetch(url ?? '')
  expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true)
  // The same bytes sent by themselves have the same address.
  expect((await api.post('/images', { image_base64: bytes.toString('base64') })).body.url).toBe(url)
})

it('an image that appears twice is hosted once, and belongs to the account', async () => {
  const mine = await newAccount(stack)
  const id = await newProject(mine)
  const image = `<img src="${dataUrl(await png(22))}" alt="">`
  const answer = await mine.post('/articles', { project_id: id, keyword: 'k', content: `${image}<p>a</p>${image}` })
  expect(answer.body.hosted_images).toHaveLength(1)
  expect(await held(mine.accountId)).toBe(1)
})

it('images of every format are hosted, in every spelling that programs use', async () => {
  const jpg = await picture({ width: 5, height: 6, format: 'jpg' })
  const webp = await picture({ width: 7, height: 6, format: 'webp' })
  const gif = await picture({ width: 8, height: 6, format: 'gif' })
  const wrapped = jpg.toString('base64').replace(/.{76}/g, '$&\r\n')
  const { body } = await save(
    `<img src="data:image/jpeg;base64,${wrapped}"><img src='data:image/webp;charset=x;base64,${webp.toString('base64')}'>` +
      `<img src=${dataUrl(gif, 'gif').replaceAll('=', '%3D')}><img src="${dataUrl(gif, 'jpeg')}">`,
  )
  expect(body.removed).toBeUndefined()
  expect((body.hosted_images as string[]).map((url) => url.split('.').at(-1))).toEqual(['jpg', 'webp', 'gif'])
})

it('data that is not an image is removed with a note, and the good images stay', async () => {
  const good = dataUrl(await png(23))
  const svg = `data:image/svg+xml;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`
  const cut = dataUrl((await png(24)).subarray(0, 40))
  const { body } = await save(
    `<p>a</p><img src="${svg}"><img src="${cut}"><img src="data:image/png,plain"><img src="${good}">`,
  )
  expect(body.removed).toEqual(['<img> with a data: URL'])
  expect(body.removed_note).toContain('POST /images')
  expect(body.hosted_images).toHaveLength(1)
  expect(await contentOf(body.article_id)).toBe(`<p>a</p><img src="${(body.hosted_images as string[])[0]}">`)
})

it('twenty are taken, the others are left out', async () => {
  const images = await Promise.all(
    Array.from({ length: 22 }, async (_, n) => `<img src="${dataUrl(await png(30 + n))}">`),
  )
  const { body } = await save(`<p>a</p>${images.join('')}`)
  expect(body.hosted_images).toHaveLength(20)
  expect(body.removed).toEqual(['<img> with a data: URL'])
  expect((await contentOf(body.article_id)).match(/<img/g)).toHaveLength(20)
})

it('an image inside a removed element is not hosted', async () => {
  const mine = await newAccount(stack)
  const id = await newProject(mine)
  const content = `<p>a</p><form><img src="${dataUrl(await png(25))}"></form><script><img src="${dataUrl(await png(26))}"></script>`
  const { body } = await mine.post('/articles', { project_id: id, keyword: 'k', content })
  expect(await held(mine.accountId)).toBe(((body.hosted_images ?? []) as string[]).length)
  expect(JSON.stringify(body)).not.toContain('data:image')
})

it('a PUT hosts them too, and so does a sync, which sends the address', async () => {
  const id = await newArticle(api, project)
  const put = await api.put(`/articles/${id}`, { content: `<p>a</p><img src="${dataUrl(await png(27))}">` })
  const [url] = put.body.hosted_images as string[]
  expect(await contentOf(id)).toContain(`src="${url}"`)

  const receiver = await startReceiver({ port: 0, token: 'token' })
  const other = await newProject(api)
  await connectReceiver(api, other, receiver.url, 'token')
  const live = await publishedArticle(api, other, { title: 'First title' })
  const sync = await api.post(`/articles/${live}/sync`, { content: `<p>new</p><img src="${dataUrl(await png(28))}">` })
  expect(sync.status).toBe(200)
  const [sent] = sync.body.hosted_images as string[]
  const answer = await (await fetch(`${receiver.url}/api/deliveries?article_id=${live}`)).text()
  expect(answer).toContain(sent)
  expect(answer).not.toContain('data:image')
  await receiver.close()
})

it('nothing is hosted for an article that is refused', async () => {
  const mine = await newAccount(stack)
  const content = `<p>a</p><img src="${dataUrl(await png(29))}">`
  expectError(await mine.post('/articles', { project_id: project, keyword: 'k', content }), 'forbidden')
  expect(await held(mine.accountId)).toBe(0)
})

import { beforeAll, expect, inject, it } from 'vitest'
import { type Api, newAccount, newProject } from '../../support/client.ts'
import { fieldsOf, manyKeys } from '../../support/keys.ts'

const stack = inject('stack')
let api: Api
let project: number

beforeAll(async () => {
  api = manyKeys(stack, await newAccount(stack))
  project = await newProject(api)
})

/** Saves content. Returns the answer, and the stored content. */
const save = async (content: string) => {
  const { status, body } = await api.post('/articles', { project_id: project, keyword: 'k', content })
  const { body: article } = await api.get(`/articles/${String(body.article_id)}`)
  return { status, body, stored: article.Content }
}

it('unsafe parts are removed from the stored content and named, on PUT too', async () => {
  const content = '<p onclick=x>a</p><script>alert(1)</script><img src=x onerror=alert(1)>'
  const left = '<p>a</p><img src=x>'
  const removed = expect.arrayContaining(['onclick attribute', '<script>', 'onerror attribute'])
  const made = await save(content)
  expect(made).toMatchObject({ status: 201, stored: left, body: { removed } })
  const path = `/articles/${String(made.body.article_id)}`
  expect((await api.put(path, { content: `${content}<p>b</p>` })).body).toMatchObject({ removed })
  expect((await api.get(path)).body.Content).toBe(`${left}<p>b</p>`)
  const again = await save(left)
  expect(again.stored).toBe(left)
  expect(again.body).not.toHaveProperty('removed')
})

it('content that ends inside a tag or comment is refused', async () => {
  const body = { project_id: project, keyword: 'k', content: '<p>a</p><!-- b' }
  const refused = await api.post('/articles', body)
  expect([refused.status, refused.body.code, fieldsOf(refused.body)]).toEqual([400, 'invalid_input', ['content']])
})

it('stores content that opens and closes the same elements, and says what was done', async () => {
  const { stored, body } = await save('<p>One <a href="/x">two</p></main><div><p>three <b>bold</p>')
  expect(stored).toBe('<p>One <a href="/x">two</a></p><div><p>three <b>bold</b></p></div>')
  expect(body.removed).toEqual([
    '<a> left open (closed)',
    '</main> (it ended nothing)',
    '<b> left open (closed)',
    '<div> left open (closed)',
  ])
})

it('says what to do about data: images', async () => {
  const { body } = await save('<img src="data:image/gif;base64,R0==">')
  expect(body.removed_note).toMatch(/public URL/)
})

it.each([
  ['nothing', ''],
  ['text', 'Just text, 1 < 2 && 3 > 2, "quotes" and \'more\''],
  ['references', '<p>&amp; &lt;script&gt; &nbsp;&copy &#8212; &#x2014; &unknown; & alone</p>'],
  ['blanks and line ends', ' \t\r\n<p\n  class="a"\t id = b >\r\n\r\na </p >\n\n'],
  ['other languages', '<p lang="ar" dir="rtl">مرحبا</p><p>日本語 🚲 e\u0301 \u2028 \ufeff</p>'],
])('safe content is stored byte for byte: %s', async (_, content) => {
  const { status, body, stored } = await save(content)
  expect([status, stored]).toEqual([201, content])
  expect(body).not.toHaveProperty('removed')
})

import { beforeAll, describe, expect, inject, it } from 'vitest'
import { startSite } from '../../publishing/site.ts'
import { type Api, connectReceiver, newAccount, newProject } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'

const stack = inject('stack')
let api: Api
let project: number

beforeAll(async () => {
  api = manyKeys(stack, await newAccount(stack))
  project = await newProject(api)
})

const MARKDOWN = '## Day *one*\n\n- flour\n- water\n\n[Bread](https://bread.example)<script>alert(1)</script>'
const HTML =
  '<h2>Day <em>one</em></h2>\n<ul>\n<li>flour</li>\n<li>water</li>\n</ul>\n<p><a href="https://bread.example">Bread</a></p>'

const save = (fields: Record<string, unknown>) =>
  api.post('/articles', { project_id: project, keyword: `k ${Math.random()}`, ...fields })

const contentOf = async (id: unknown) => (await api.get(`/articles/${String(id)}`)).body.Content

describe('content_format "markdown"', () => {
  it('is made HTML and safe by POST and PUT; without it content is HTML', async () => {
    const { status, body } = await save({ content: MARKDOWN, content_format: 'Markdown' })
    expect({ status, removed: body.removed }).toEqual({ status: 201, removed: ['<script>'] })
    expect(await contentOf(body.article_id)).toBe(HTML)
    const id = String(body.article_id)
    const changed = await api.put(`/articles/${id}`, { content: '**Bold**', content_format: 'markdown' })
    expect(changed.body.updated_fields).toEqual(['content'])
    expect(await contentOf(id)).toBe('<p><strong>Bold</strong></p>')
    await api.put(`/articles/${id}`, { content: '**Bold**' })
    expect(await contentOf(id)).toBe('**Bold**')
  })

  it('loses a model’s wrapping and front matter, and so does HTML', async () => {
    const sent = await save({ content: `\ufeff---\ntitle: Bread\n---\n\n## Day`, content_format: 'markdown' })
    expect(sent.body.removed).toEqual(['byte order mark', 'front matter'])
    expect(await contentOf(sent.body.article_id)).toBe('<h2>Day</h2>')
    const html = await save({ content: '```html\n<h2>Day</h2>\n```' })
    expect(html.body.removed).toEqual(['code block around the whole content'])
    expect(await contentOf(html.body.article_id)).toBe('<h2>Day</h2>')
  })

  it.each(['html', 'markdown'])(
    'loses a model’s thoughts and the marks of its sources in %s; its other words are a warning',
    async (content_format) => {
      const article =
        '<h2>Day</h2>\n<p>Rest it for 9 hours【4:1†source】 citeturn0search0.</p>\n<p>Let me know if you want more.</p>'
      const { body } = await save({ content: `<think>Plan {a}.</think>\n${article}`, content_format })
      expect(body.removed).toEqual(['a model’s thoughts (<think>)', 'citation marks of a model'])
      expect(String(await contentOf(body.article_id)).trim()).toBe(
        '<h2>Day</h2>\n<p>Rest it for 9 hours.</p>\n<p>Let me know if you want more.</p>',
      )
      const { failed, passed } = body.seo as { failed: { check: string; severity: string }[]; passed: string[] }
      expect(failed).toContainEqual(expect.objectContaining({ check: 'assistant_words', severity: 'warning' }))
      expect(passed).toContain('model_marks')
      expect(await save({ content: '<think>Plan without an end.', content_format })).toMatchObject({
        status: 400,
        body: { details: [{ field: 'content', message: expect.stringMatching(/thoughts that do not end/) }] },
      })
    },
  )

  it('counts the sent Markdown for a claim', async () => {
    const planned = { status: 'Planned', scheduled_date: new Date(Date.now() + 10 * 86_400_000).toISOString() }
    const content = 'A line of words.\n\n'.repeat(120)
    const { body } = await save({ ...planned, content, content_format: 'markdown' })
    expect(body.claimed).toBe(true)
  })

  it('is refused without content, for another format, and if its HTML is too long', async () => {
    const { body } = await save({})
    const path = `/articles/${String(body.article_id)}`
    expect(await api.put(path, { content_format: 'markdown', title: 'x' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'content_format' }] },
    })
    expect(await save({ content: 'x', content_format: 'rst' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'content_format', allowed: ['html', 'markdown'] }] },
    })
    expect(await save({ content: '<'.repeat(200_000), content_format: 'markdown' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'content', message: expect.stringContaining('500000 characters as HTML') }] },
    })
  })

  it('works for a sync, and for a PUT with sync', async () => {
    const site = await startSite(() => ({
      body: { success: true, action: 'updated', published_url: 'https://a.example/b' },
    }))
    try {
      const own = await newProject(api)
      await connectReceiver(api, own, site.url, 'token')
      const { body } = await save({ project_id: own, content: '<p>One</p>' })
      const id = String(body.article_id)
      expect((await api.post(`/articles/${id}/publish`)).status).toBe(200)
      expect((await api.post(`/articles/${id}/sync`, { content: '*Two*', content_format: 'markdown' })).status).toBe(
        200,
      )
      expect(await contentOf(id)).toBe('<p><em>Two</em></p>')
      const edited = await api.put(`/articles/${id}`, { content: '*Three*', content_format: 'markdown', sync: true })
      expect(edited.status, edited.text).toBe(200)
      expect(await contentOf(id)).toBe('<p><em>Three</em></p>')
      expect((await api.post(`/articles/${id}/sync`, { content_format: 'markdown' })).status).toBe(400)
    } finally {
      await site.close()
    }
  })
})

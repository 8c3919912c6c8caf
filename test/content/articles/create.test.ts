import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { ARTICLE_STYLES } from '../../../schema/values/articles.ts'
import { anotherKey, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { fieldsOf, manyKeys } from '../../support/keys.ts'

const stack = inject('stack')

const fresh = async () => {
  const api = manyKeys(stack, await newAccount(stack))
  return { api, project: await newProject(api) }
}

describe('POST /articles', () => {
  it('answers 201 with every field, and fills in missing ones', async () => {
    const { api, project } = await fresh()
    const { status, body } = await api.post('/articles', { project_id: project, keyword: ' best bike lights ' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      article_id: expect.any(Number),
      status: 'Draft',
      keyword: 'best bike lights',
      slug: 'best-bike-lights',
      message: expect.any(String),
      backlinks_processed: 0,
    })
    expect(body).not.toHaveProperty('removed')
    const { body: article } = await api.get(`/articles/${String(body.article_id)}`)
    expect(article).toMatchObject({
      Title: 'best bike lights',
      MainKeyword: 'best bike lights',
      Status: 'Draft',
      ScheduledDate: null,
      ScheduledAt: null,
      ArticleStyle: 'Informative',
      Content: '',
      MetaDescription: '',
      Tags: [],
      Revision: 1,
      Claimed: false,
    })
  })

  it('keeps every optional field', async () => {
    const { api, project } = await fresh()
    const { status, body } = await api.post('/articles', {
      project_id: project,
      keyword: 'winter tyres',
      title: 'Winter tyres, tested',
      content: '<p>Ice &amp; snow</p>',
      meta_description: 'Six tyres on ice.',
      scheduled_date: '2031-05-04T10:00:00Z',
      article_style: 'how-to',
      status: 'planned',
      feature_image: 'https://img.example/a.jpg',
      alt_text: 'A tyre',
      category: 'Tests',
      tags: 'ice, snow,ice',
      published_at: '2020-01-02T03:04:05Z',
      instructions: 'Mention studs.',
      unknown_field: 'ignored',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'Planned', slug: 'winter-tyres' })
    const { body: article } = await api.get(`/articles/${String(body.article_id)}`)
    expect(article).toMatchObject({
      Title: 'Winter tyres, tested',
      MainKeyword: 'winter tyres',
      Content: '<p>Ice &amp; snow</p>',
      MetaDescription: 'Six tyres on ice.',
      ScheduledDate: '2031-05-04T10:00:00',
      ScheduledAt: '2031-05-04T10:00:00.000Z',
      ArticleStyle: 'How-To',
      Status: 'Planned',
      FeatureImage: 'https://img.example/a.jpg',
      AltText: 'A tyre',
      Category: 'Tests',
      Tags: ['ice', 'snow'],
    })
  })

  it('takes every article style, in any case', async () => {
    const { api, project } = await fresh()
    for (const style of ARTICLE_STYLES) {
      const id = await newArticle(api, project, { article_style: style.toUpperCase() })
      expect((await api.get(`/articles/${id}`)).body.ArticleStyle).toBe(style)
    }
    expect([...ARTICLE_STYLES].sort()).toEqual(
      'Casual Comparison Explainer How-To Informative Listicle News Professional Resources Review Technical'.split(' '),
    )
  })
})

describe('the slug', () => {
  it.each([
    ['Über Käse, Öl für Straßen', 'ueber-kaese-oel-fuer-strassen'],
    ['Zażółć gęślą jaźń', 'zazolc-gesla-jazn'],
    ['Łódź', 'lodz'],
    ['Привет мир', 'privet-mir'],
    ['café à la crème', 'cafe-a-la-creme'],
    ["What's new: 10 tips!", 'whats-new-10-tips'],
    ['  --Already--a_slug--  ', 'already-a-slug'],
    ['C++ vs. C#', /^c(-plus-plus)?-vs-c(-sharp)?$/],
  ])('of %s', async (keyword, slug) => {
    const { api, project } = await fresh()
    const { body } = await api.post('/articles', { project_id: project, keyword })
    expect(body.slug).toEqual(typeof slug === 'string' ? slug : expect.stringMatching(slug))
  })

  it.each([
    ['Turkish', 'Türkçe öğrenme', 'turkce-ogrenme'],
    ['Ukrainian', 'Київ', 'kyiv'],
    ['German', 'Öl', 'oel'],
    ['Japanese', '東京 2026', /^article-\d+$/],
  ])('in %s, of %s', async (language, keyword, slug) => {
    const api = manyKeys(stack, await newAccount(stack))
    const project = await newProject(api, { language })
    const { body } = await api.post('/articles', { project_id: project, keyword })
    expect(body.slug).toEqual(typeof slug === 'string' ? slug : expect.stringMatching(slug))
  })

  it('is the given one, made ASCII and unique', async () => {
    const { api, project } = await fresh()
    const made = async (slug: string | null) =>
      (await api.post('/articles', { project_id: project, keyword: 'bike lights', slug })).body
    expect((await made('Über Räder/Licht')).slug).toBe('ueber-raeder-licht')
    expect((await made('ueber-raeder-licht')).slug).toBe('ueber-raeder-licht-2')
    expect((await made('')).slug).toBe('bike-lights')
    expect((await made(null)).slug).toBe('bike-lights-2')
    expect(await made('!!!')).toMatchObject({ code: 'invalid_input', details: [{ field: 'slug' }] })
  })

  it('falls back to the title, then to the id, if the keyword has no usable letter', async () => {
    const { api, project } = await fresh()
    const titled = await api.post('/articles', { project_id: project, keyword: '🚲🚲', title: 'Two bicycles' })
    expect(titled.body.slug).toBe('two-bicycles')
    const bare = await api.post('/articles', { project_id: project, keyword: '🚲🚲' })
    expect(bare.body.slug).toBe(`article-${String(bare.body.article_id)}`)
    expect(bare.body.warnings).toEqual([expect.stringContaining('send slug with PUT')])
    expect(titled.body).not.toHaveProperty('warnings')
  })

  it('of a Chinese keyword is pinyin in a project of another language', async () => {
    const { api, project } = await fresh()
    const { body } = await api.post('/articles', { project_id: project, keyword: '最好的自行车灯' })
    expect(body.slug).toBe('zui-hao-de-zi-xing-che-deng')
  })

  it('is cut at a word at 80 characters', async () => {
    const { api, project } = await fresh()
    const words = Array.from({ length: 30 }, (_, n) => `word${n}`)
    const { body } = await api.post('/articles', { project_id: project, keyword: words.join(' ') })
    const slug = body.slug as string
    expect(slug.length).toBeLessThanOrEqual(80)
    expect(words.slice(0, slug.split('-').length)).toEqual(slug.split('-'))
    expect(`${slug}-${words[slug.split('-').length]}`.length).toBeGreaterThan(80)
    const exact = `${'a'.repeat(39)} ${'b'.repeat(40)}`
    expect((await api.post('/articles', { project_id: project, keyword: exact })).body.slug).toBe(
      exact.replace(' ', '-'),
    )
    const endless = await api.post('/articles', { project_id: project, keyword: 'c'.repeat(200) })
    expect(endless.body.slug).toBe('c'.repeat(80))
  })

  it('is made unique by -2, -3 within the project only, and stays within 80 characters', async () => {
    const { api, project } = await fresh()
    const long = Array.from({ length: 16 }, () => 'abcd').join(' ')
    for (const [keyword, slugs] of [
      ['same words', ['same-words', 'same-words-2', 'same-words-3']],
      [`${long} e`, undefined],
    ] as const) {
      const made: string[] = []
      for (let n = 0; n < 3; n += 1)
        made.push((await api.post('/articles', { project_id: project, keyword })).body.slug as string)
      if (slugs) expect(made).toEqual(slugs)
      expect(new Set(made).size).toBe(3)
      for (const slug of made) expect(slug.length).toBeLessThanOrEqual(80)
      expect(made.slice(1).map((slug) => slug.slice(-2))).toEqual(['-2', '-3'])
    }
    const elsewhere = await api.post('/articles', { project_id: await newProject(api), keyword: 'same words' })
    expect(elsewhere.body.slug).toBe('same-words')
  })

  it('is unique among articles created at the same moment', { tags: ['services'] }, async () => {
    const { api, project } = await fresh()
    const keyword = `racing ${randomBytes(4).toString('hex')}`
    const keys = await Promise.all(Array.from({ length: 4 }, () => anotherKey(stack, api)))
    const answers = await Promise.all(keys.map((key) => key.post('/articles', { project_id: project, keyword })))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(4)
    for (const { body } of answers)
      expect((await api.get(`/articles/${String(body.article_id)}`)).body.Slug).toBe(body.slug)
  })
})

describe('POST /articles refuses', () => {
  const good = { keyword: 'k' }
  it.each([
    ['no keyword', { keyword: undefined }, 'keyword'],
    ['an empty keyword', { keyword: '  ' }, 'keyword'],
    ['a long keyword', { keyword: 'k'.repeat(501) }, 'keyword'],
    ['no project', { project_id: undefined }, 'project_id'],
    ['a project id in text', { project_id: '1' }, 'project_id'],
    ['a project id beyond 32 bits', { project_id: 2_147_483_648 }, 'project_id'],
    ['a published status', { status: 'Published' }, 'status'],
    ['a style of its own', { article_style: 'Poem' }, 'article_style'],
    ['a date that is none', { scheduled_date: 'tomorrow' }, 'scheduled_date'],
    ['a date of the 30th of February', { scheduled_date: '2027-02-30' }, 'scheduled_date'],
    ['an offset no clock has', { scheduled_date: '2027-02-03T09:00:00+99:99' }, 'scheduled_date'],
    ['a post date to come', { published_at: '2091-01-01T00:00:00Z' }, 'published_at'],
    ['a relative image', { feature_image: '/a.jpg' }, 'feature_image'],
    ['content that is no text', { content: ['<p>'] }, 'content'],
    ['content beyond 500,000 characters', { content: 'x'.repeat(500_001) }, 'content'],
    ['a NUL', { title: 'a\u0000b' }, 'title'],
    ['a lone surrogate', { title: 'a\ud800b' }, 'title'],
  ])('%s', async (_, change, field) => {
    const { api, project } = await fresh()
    const { status, body } = await api.post('/articles', { project_id: project, ...good, ...change })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_input', error: expect.any(String) })
    expect(fieldsOf(body)).toEqual([field])
    const [row] = await rowsIn<{ n: string }>(
      stack,
      sql`select count(*) as n from articles where project_id = ${project}`,
    )
    expect(Number(row?.n)).toBe(0)
  })

  it('takes content of exactly 500,000 characters', async () => {
    const { api, project } = await fresh()
    const content = `<p>${'ä'.repeat(499_993)}</p>`
    const id = await newArticle(api, project, { content })
    const { body } = await api.get(`/articles/${id}`)
    expect(body.Content === content).toBe(true)
  })

  it('a project of another account with 403, none with 404', async () => {
    const [{ api }, other] = await Promise.all([fresh(), fresh()])
    expect((await api.post('/articles', { project_id: other.project, ...good })).status).toBe(403)
    expect((await api.post('/articles', { project_id: 2_147_483_647, ...good })).status).toBe(404)
  })
})

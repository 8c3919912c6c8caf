import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import type { SeoReport } from '../../../schema/values/seo.ts'
import { type Api, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'

const stack = inject('stack')

const fresh = async (settings: Record<string, unknown> = {}) => {
  const api = manyKeys(stack, await newAccount(stack))
  return { api, project: await newProject(api, settings) }
}

const seoOf = (body: Record<string, unknown>): SeoReport => (body.seo ?? body.Seo) as SeoReport
const failedOf = (body: Record<string, unknown>): string[] => seoOf(body).failed.map(({ check }) => check)
const read = async (api: Api, id: number) => (await api.get(`/articles/${id}`)).body

/** Returns words of its own for each `seed`, so that two texts share no phrase unless they are meant to. */
const prose = (seed: number, words: number): string =>
  Array.from({ length: words }, (_, n) => `w${((n + 1) * 7919 * (seed + 3)) % 99_991}`).join(' ')

const siteOf = async (project: number): Promise<string> => {
  const [row] = await rowsIn<{ website_key: string }>(
    stack,
    sql`select website_key from projects where id = ${project}::int`,
  )
  return row?.website_key ?? ''
}

describe('the SEO report of a save', () => {
  it('is answered by POST and PUT, kept, and shown by GET', async () => {
    const { api, project } = await fresh()
    const { status, body } = await api.post('/articles', {
      project_id: project,
      keyword: 'garden sheds',
      title: 'Garden sheds for small gardens',
      content: '<h2 id="a">Why garden sheds</h2><p>Garden sheds keep tools dry.</p><img src="/a.png">',
    })
    expect(status).toBe(201)
    const seo = seoOf(body)
    expect(seo.passed).toEqual(
      expect.arrayContaining([
        'keyword_in_title',
        'keyword_in_introduction',
        'keyword_in_slug',
        'keyword_in_heading',
        'title_length',
        'heading_structure',
        'heading_ids',
      ]),
    )
    expect(seo.failed.find(({ check }) => check === 'image_alt_text')).toEqual({
      check: 'image_alt_text',
      severity: 'warning',
      message: expect.stringContaining('/a.png'),
      fix: expect.stringMatching(/alt/),
    })
    const id = body.article_id as number
    expect((await read(api, id)).Seo).toEqual(seo)

    const renamed = await api.put(`/articles/${id}`, { title: 'Something else' })
    expect(failedOf(renamed.body)).toContain('keyword_in_title')
    expect(seoOf(renamed.body).score).toBeLessThanOrEqual(seo.score)
    expect((await read(api, id)).Seo).toEqual(renamed.body.seo)
  })

  it('matches the stored article, however many change it at the same moment', { tags: ['services'] }, async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project, { keyword: 'oak' })
    for (let round = 0; round < 4; round += 1) {
      const title = round % 2 === 0 ? 'An oak' : 'A beech'
      const content = `<h2>${round % 2 === 0 ? 'Beech' : 'Oak'}</h2><p>${'word '.repeat(round)}</p>`
      await Promise.all([
        api.put(`/articles/${id}`, { title }),
        api.put(`/articles/${id}`, { content }),
        api.put(`/articles/${id}`, { meta_description: 'x'.repeat(100 + round * 30) }),
      ])
      const { Seo } = await read(api, id)
      expect(Seo).toEqual((await api.put(`/articles/${id}`, { instructions: `Round ${round}.` })).body.seo)
    }
  })

  it('is 0 for an article without content, and says only that', async () => {
    const { api, project } = await fresh()
    const { body } = await api.post('/articles', { project_id: project, keyword: 'nothing yet' })
    expect(body.seo).toEqual({ score: 0, passed: [], failed: [expect.objectContaining({ check: 'word_count' })] })
  })

  it('judges by the project: banned phrases, competitors, contents, internal links', async () => {
    const { api, project } = await fresh({
      banned_phrases: ['game changer'],
      competitors: ['rival.example'],
      table_of_contents: true,
      internal_links_per_article: 1,
    })
    const site = await siteOf(project)
    const content = (link: string, words: string) =>
      `<h2 id="a">One</h2><p>${words} <a href="${link}">here</a></p><h2 id="b">Two</h2><p>More.</p>`
    const id = await newArticle(api, project, { content: content('https://shop.rival.example/x', 'A Game-Changer!') })
    const wrong = ['table_of_contents', 'internal_links', 'competitor_links', 'banned_phrases']
    expect(failedOf(await read(api, id))).toEqual(expect.arrayContaining(wrong))
    const fixed = `<ul><li><a href="#a">One</a></li><li><a href="#b">Two</a></li></ul>${content(`https://www.${site}/page/?x=1#y`, 'Fine.')}`
    const { body } = await api.put(`/articles/${id}`, { content: fixed })
    expect(seoOf(body).passed).toEqual(expect.arrayContaining(wrong))
  })

  it('knows broken internal links once the site was scanned, and keeps that verdict when only the title changes', async () => {
    const { api, project } = await fresh()
    const site = await siteOf(project)
    const content = `<h2 id="a">A</h2><p><a href="/known/">k</a> <a href="https://www.${site}/gone?x">g</a> <a href="/">home</a></p>`
    const id = await newArticle(api, project, { content })
    const before = await read(api, id)
    expect([...failedOf(before), ...seoOf(before).passed]).not.toContain('broken_internal_links')

    await rowsIn(
      stack,
      sql`insert into site_pages (project_id, url, url_key) values (${project}::int, ${`https://${site}/known`}, ${`${site}/known`})`,
    )
    await rowsIn(
      stack,
      sql`update projects set site_scanned_at = now(), site_scan_state = 'completed' where id = ${project}::int`,
    )
    const { body } = await api.put(`/articles/${id}`, { content })
    const broken = seoOf(body).failed.find(({ check }) => check === 'broken_internal_links')
    expect(broken?.message).toContain(`"${site}/gone?x"`)
    expect(broken?.message).toContain('1 internal link leads')
    expect(failedOf((await api.put(`/articles/${id}`, { title: 'Another' })).body)).toContain('broken_internal_links')
    const fixed = await api.put(`/articles/${id}`, { content: content.replace('/gone', '/known') })
    expect(seoOf(fixed.body).passed).toContain('broken_internal_links')
  })

  it('asks for the partners that were committed to the article', async () => {
    const { api, project } = await fresh()
    const partner = await newProject(await newAccount(stack))
    const site = await siteOf(partner)
    const id = await newArticle(api, project)
    await rowsIn(stack, sql`update projects set site_read_at = now() where id = ${partner}::int`)
    await rowsIn(
      stack,
      sql`insert into exchange_commitments (article_id, to_project_id, url, anchor)
        values (${id}::int, ${partner}::int, ${`https://${site}`}, 'Partner')`,
    )
    const without = await api.put(`/articles/${id}`, { content: '<h2>A</h2><p>Text.</p>' })
    expect(seoOf(without.body).failed).toContainEqual(
      expect.objectContaining({ check: 'exchange_links', severity: 'error', message: expect.stringContaining(site) }),
    )
    const linked = await api.put(`/articles/${id}`, {
      content: `<h2>A</h2><p><a href="https://www.${site}/page">Partner</a></p>`,
    })
    expect(seoOf(linked.body).passed).toContain('exchange_links')
  })
})

describe('an article that repeats another', () => {
  const page = (text: string) => `<h2 id="a">A</h2><p>${text}</p>`

  it('names the other one of the project, but not one of another project, itself, or with the guard off', async () => {
    const { api, project } = await fresh()
    const text = prose(1, 400)
    const first = await newArticle(api, project, { title: 'The first', content: page(text) })
    expect(failedOf(await read(api, first))).not.toContain('duplicate_content')

    const second = await newArticle(api, project, { content: page(`${prose(2, 40)} ${text}`) })
    const told = seoOf(await read(api, second)).failed.find(({ check }) => check === 'duplicate_content')
    expect(told?.message).toMatch(new RegExp(`About (8|9|10)\\d* % .* article ${first} "The first"`))
    expect(failedOf((await api.put(`/articles/${second}`, { title: 'Renamed' })).body)).toContain('duplicate_content')

    const same = await api.put(`/articles/${first}`, { content: page(`${text} end`) })
    expect(failedOf(same.body)).toContain('duplicate_content')
    const elsewhere = await newArticle(api, await newProject(api), { content: page(text) })
    expect(seoOf(await read(api, elsewhere)).passed).toContain('duplicate_content')

    await api.put(`/projects/${project}`, { duplicate_content_protection: false })
    expect(failedOf((await api.put(`/articles/${second}`, { title: 'Again' })).body)).not.toContain('duplicate_content')
  })

  it('passes again after its text is changed', async () => {
    const { api, project } = await fresh()
    await newArticle(api, project, { content: page(prose(5, 300)) })
    const id = await newArticle(api, project, { content: page(prose(5, 300)) })
    const { body } = await api.put(`/articles/${id}`, { content: page(prose(6, 300)) })
    expect(seoOf(body).passed).toContain('duplicate_content')
  })
})

import { getTableColumns, sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { articles } from '../../../schema/articles.ts'
import { BIN_DAYS } from '../../../schema/values/retention.ts'
import { BIN_COLUMNS } from '../../../src/content/articles/fields.ts'
import { formOn, newOwner, textOf } from '../../accounts/people/browser.ts'
import { newArticle, newProject, rowsIn } from '../../support/client.ts'
import { sweepTable } from '../../support/sweep.ts'

const stack = inject('stack')

const owner = async () => {
  const { api, person } = await newOwner(stack)
  const site = await newProject(api)
  return { api, person, site, bin: `/p/${site}/bin` }
}

const inBin = (id: number) => rowsIn(stack, sql`select article_id from deleted_articles where article_id = ${id}::int`)

describe('the bin', () => {
  it('gives an article back as a draft without a date, with its fields and versions', async () => {
    const { api, person, site, bin } = await owner()
    const sent = {
      title: 'Sheds & <b>beds</b>',
      content: '<p>First text</p>',
      meta_description: 'About sheds',
      tags: ['one', 'two, three'],
      category: 'Garden',
      seo_title: 'Sheds',
      fields: { rating: 4 },
      external_ref: 'posts/sheds.md',
      slug: 'my-sheds',
      status: 'Planned',
      scheduled_date: '2031-03-01T09:00',
    }
    const id = await newArticle(api, site, sent)
    await api.put(`/articles/${id}`, { content: '<p>Second text</p>' })
    const before = (await api.get(`/articles/${id}`)).body
    expect((await api.del(`/articles/${id}`)).status).toBe(200)
    expect((await api.get(`/articles/${id}`)).status).toBe(404)
    expect((await api.get('/articles?external_ref=posts/sheds.md')).body.count).toBe(0)
    const page = await person.get(bin)
    expect(textOf(page)).toContain(sent.title)
    const back = await person.post(`${bin}/restore`, formOn(page, `${bin}/restore`))
    expect(textOf(back)).toContain('The article is out of the bin. It is a draft without a date.')
    const { UpdatedAt: _, ...after } = (await api.get(`/articles/${id}`)).body
    expect(after).toMatchObject({ Status: 'Draft', ScheduledAt: null, ScheduledDate: null, PublishState: 'idle' })
    for (const name of [
      'Content',
      'MetaDescription',
      'Tags',
      'Category',
      'SeoTitle',
      'Fields',
      'external_ref',
      'Slug',
      'Revision',
      'Seo',
    ])
      expect({ [name]: after[name] }).toEqual({ [name]: before[name] })
    const { body: kept } = await api.get(`/articles/${id}/revisions`)
    expect(kept.revisions).toMatchObject([{ revision: 2, current: true }, { revision: 1 }])
    expect(await inBin(id)).toEqual([])
    expect(textOf(await person.get(bin))).toContain('The bin is empty.')
    expect((await api.get('/audit-log?action=article.take_from_bin')).body.entries).toHaveLength(1)
  })

  it('leaves a slug and an external_ref to the article that has them by now', async () => {
    const { api, person, site, bin } = await owner()
    const fields = { keyword: 'one of a kind', external_ref: 'a.md' }
    const first = await newArticle(api, site, fields)
    await api.del(`/articles/${first}`)
    const second = await newArticle(api, site, fields)
    await person.post(`${bin}/restore`, { article: String(first) })
    expect((await api.get(`/articles/${second}`)).body).toMatchObject({ Slug: 'one-of-a-kind', external_ref: 'a.md' })
    expect((await api.get(`/articles/${first}`)).body).toMatchObject({ Slug: 'one-of-a-kind-2', external_ref: null })
  })

  it('gives an article back once, and only to its own site', async () => {
    const { api, person, site, bin } = await owner()
    const stranger = await owner()
    const other = await newProject(api)
    const id = await newArticle(api, site)
    await api.del(`/articles/${id}`)
    const post = (of: typeof person, at: string) => of.post(`${at}/restore`, { article: String(id) })
    expect((await post(stranger.person, stranger.bin)).status).toBe(404)
    expect((await post(stranger.person, bin)).status).toBe(404)
    expect((await post(person, `/p/${other}/bin`)).status).toBe(404)
    expect((await post(person, bin)).status).toBe(200)
    expect((await post(person, bin)).status).toBe(404)
    expect((await person.post(`${bin}/restore`, { article: 'x' })).status).toBe(404)
    expect((await api.get('/articles')).body.count).toBe(1)
  })

  it(`keeps an article for ${BIN_DAYS} days`, async () => {
    const { api, person, site, bin } = await owner()
    const [old, young] = [await newArticle(api, site), await newArticle(api, site)]
    for (const id of [old, young]) await api.del(`/articles/${id}`)
    const age = (id: number, days: number) =>
      rowsIn(
        stack,
        sql`update deleted_articles set deleted_at = now() - ${days}::int * interval '1 day' where article_id = ${id}::int`,
      )
    await age(old, BIN_DAYS)
    await age(young, BIN_DAYS - 1)
    expect((await person.post(`${bin}/restore`, { article: String(old) })).status).toBe(404)
    expect(await sweepTable(stack, 'deleted_articles')).toBeGreaterThanOrEqual(1)
    expect([await inBin(old), await inBin(young)]).toEqual([[], [{ article_id: young }]])
  })

  it('restores an article whose row lacks a column that was added since', async () => {
    const { api, person, site, bin } = await owner()
    const id = await newArticle(api, site, { tags: ['a'] })
    await api.del(`/articles/${id}`)
    await rowsIn(
      stack,
      sql`update deleted_articles set article = article - 'tags' - 'seo_title' where article_id = ${id}::int`,
    )
    await person.post(`${bin}/restore`, { article: String(id) })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Tags: [], SeoTitle: '' })
  })
})

it('every column is restored, or belongs to the date, the state and work in progress', () => {
  expect(
    Object.keys(getTableColumns(articles))
      .filter((column) => !BIN_COLUMNS.includes(column as 'id'))
      .sort(),
  ).toEqual(
    [
      ...['status', 'scheduledAt', 'scheduledDay', 'scheduledStep', 'dueTakenAt', 'claimedAt', 'partnersCommittedAt'],
      ...['writingStartedAt', 'writeAfter', 'generationError', 'progress', 'receipt', 'updatedAt', 'searchText'],
      ...['publishState', 'publishError', 'publishLeaseUntil', 'publishToken', 'siteLacks'],
    ].sort(),
  )
})

import { sql } from 'drizzle-orm'
import { describe, expect, inject, it, vi } from 'vitest'
import { signInAsOwner } from '../../accounts/people/browser.ts'
import { setPolicy } from '../../accounts/policy/set.ts'
import { type Api, newAccount, newArticle, rowsIn } from '../../support/client.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { connectedProject, publishedArticle } from '../../support/story.ts'
import { flush } from '../scene.ts'

const stack = inject('stack')

const PRICE = 'A garden shed costs 1,450 euros'

type Use = { article_id: number; field: string; sentence: string; match: string; score: number }

const register = async (api: Api, project: number, wording = PRICE, alternatives?: string[]): Promise<number> => {
  const body = { project_id: project, name: 'Price of a shed', wording, ...(alternatives ? { alternatives } : {}) }
  const made = await api.post('/statements', body)
  expect(made.status, made.text).toBe(201)
  return (made.body.statement as { id: number }).id
}

const usesOf = async (api: Api, id: number, query = ''): Promise<Use[]> => {
  const found = await api.get(`/statements/${id}/uses${query}`)
  expect(found.status, found.text).toBe(200)
  return found.body.uses as Use[]
}

const contentOf = async (api: Api, article: number): Promise<string> =>
  String((await api.get(`/articles/${article}`)).body.Content)

/** Returns a site with published articles of these texts, and their ids in the same order. */
const openSite = async (...texts: string[]) => {
  const api = await newAccount(stack, { plan: 'agentic' })
  const project = await connectedProject(api, stack)
  const articles: number[] = []
  for (const [n, content] of texts.entries())
    articles.push(
      await publishedArticle(api, project, {
        keyword: `shed ${n}`,
        title: `Shed ${n}`,
        meta_description: 'All about sheds.',
        content,
      }),
    )
  return { api, project, articles }
}

/** Releases a change set, and runs its jobs until it is done. */
const release = async (api: Api, set: number): Promise<void> => {
  expect((await api.post(`/changes/${set}/release`, {})).status).toBe(202)
  for (let n = 0; n < 10; n += 1) {
    await flush(stack, true)
    const { body } = await api.get(`/changes/${set}`)
    if ((body.change_set as { status: string }).status === 'released') return
  }
  throw new Error(`change set ${set} was not released`)
}

describe('the uses of a statement', () => {
  it('are found in titles and texts, exactly and in other words, before and after the articles are indexed', async () => {
    const { api, project, articles } = await openSite(
      '<p>Sheds are useful. Note that a <b>garden shed</b> costs €1&nbsp;450!</p>',
      '<p>You pay 1,450 euros for one of our garden sheds.</p>',
      '<p>A carport costs 2,300 euros.</p>',
    )
    const draft = await newArticle(api, project, {
      keyword: 'draft',
      title: 'A garden shed costs EUR 1450',
      content: '<p>More.</p>',
    })
    const id = await register(api, project)
    const expected = [
      [draft, 'title', 'exact', 'A garden shed costs EUR 1450'],
      [articles[1], 'content', 'similar', 'You pay 1,450 euros for one of our garden sheds.'],
      [articles[0], 'content', 'exact', 'Note that a garden shed costs €1 450!'],
    ]
    const rows = async () =>
      (await usesOf(api, id)).map((use) => [use.article_id, use.field, use.match, use.sentence.replace('\u00a0', ' ')])
    expect(await rows()).toEqual(expected)
    await flush(stack, true)
    const indexed = await rowsIn<{ count: number }>(
      stack,
      sql`select count(*)::int as count from article_words where article_id in (select id from articles where project_id = ${project}::int)`,
    )
    expect(indexed[0]?.count).toBe(4)
    expect(await rows()).toEqual(expected)
    expect((await usesOf(api, id, '?match=exact')).map((use) => use.article_id)).toEqual([draft, articles[0]])
  })

  it('are found in a text that was saved after it was indexed', async () => {
    const { api, project } = await openSite()
    const article = await newArticle(api, project, { keyword: 'later', content: '<p>Nothing yet.</p>' })
    const id = await register(api, project)
    await vi.waitFor(async () => {
      await flush(stack, true)
      const rows = await rowsIn(stack, sql`select 1 from article_words where article_id = ${article}::int`)
      expect(rows).toHaveLength(1)
    }, PATIENCE_MS)
    await api.put(`/articles/${article}`, { content: `<p>${PRICE}.</p>` })
    expect(await usesOf(api, id)).toMatchObject([{ article_id: article, match: 'exact' }])
  })

  it('are returned in pages of articles', async () => {
    const api = await newAccount(stack, { plan: 'agentic' })
    const project = await connectedProject(api, stack)
    const articles: number[] = []
    for (let n = 0; n < 3; n += 1)
      articles.unshift(await newArticle(api, project, { keyword: `shed ${n}`, content: `<p>${PRICE}.</p>` }))
    const id = await register(api, project)
    const found: number[] = []
    let query = '?limit=2'
    for (let n = 0; n < 2; n += 1) {
      const { body } = await api.get(`/statements/${id}/uses${query}`)
      found.push(...(body.uses as Use[]).map((use) => use.article_id))
      query = `?limit=2&before_id=${body.before_id}`
    }
    expect(found).toEqual(articles)
    expect(query).toContain('before_id=null')
  })

  it('are never those of another account', async () => {
    const { api: other, project: theirs } = await openSite(`<p>${PRICE}.</p>`)
    const { api, project, articles } = await openSite(`<p>${PRICE}.</p>`)
    const id = await register(api, project)
    const foreign = await register(other, theirs)
    await flush(stack, true)
    expect((await usesOf(api, id)).map((use) => use.article_id)).toEqual(articles)
    expect((await api.get(`/statements/${foreign}`)).status).toBe(403)
    expect((await api.get(`/statements/${foreign}/uses`)).status).toBe(403)
    expect((await api.post(`/statements/${foreign}/change`, { wording: 'Gone' })).status).toBe(403)
    expect((await api.del(`/statements/${foreign}`)).status).toBe(403)
    expect((await api.get('/statements')).body.statements).toMatchObject([{ id }])
    expect(await usesOf(other, foreign)).toHaveLength(1)
  })
})

describe('a new wording', () => {
  it('is put into every exact use by a change set, keeps the markup and the form of numbers, and is put there once', async () => {
    const { api, project, articles } = await openSite(
      '<p class="x">Note that a <b>garden shed</b> costs <em>€1&nbsp;450</em>, floor included.</p><p>A garden shed costs 1450 euros.</p>',
      '<p>You pay 1,450 euros for one of our garden sheds.</p>',
    )
    const [first = 0, second = 0] = articles
    const id = await register(api, project)
    const before = await contentOf(api, first)
    const changed = await api.post(`/statements/${id}/change`, { wording: 'A garden shed costs 1,450 euros a piece' })
    expect(changed.status, changed.text).toBe(201)
    expect(changed.body).toMatchObject({ changes: 1, sentences: 2, not_changed: [], before_id: null })
    expect(await contentOf(api, first)).toBe(before)
    await release(api, changed.body.change_set_id as number)
    const after = await contentOf(api, first)
    expect(after).toContain('a <b>garden shed</b> costs <em>€1&nbsp;450 a piece</em>, floor included.')
    expect(after).toContain('A garden shed costs 1450 euros a piece.')
    expect(await contentOf(api, second)).toContain('You pay 1,450 euros')
    // The new wording has the earlier one within it.
    const again = await api.post(`/statements/${id}/change`, { wording: 'A garden shed costs 1,450 euros a piece' })
    expect(again.body).toMatchObject({ change_set_id: null, changes: 0, sentences: 0 })
    const { body } = await api.get(`/statements/${id}`)
    expect(body.statement).toMatchObject({ wording: 'A garden shed costs 1,450 euros a piece', alternatives: [PRICE] })
  })

  it('takes the place of sentences in other words only where the caller says so', async () => {
    const { api, project, articles } = await openSite(
      '<p>Good day. You pay 1,450 euros for one of our <i>garden sheds</i>. Bye.</p>',
    )
    const [article = 0] = articles
    const id = await register(api, project)
    const [use] = await usesOf(api, id)
    const changed = await api.post(`/statements/${id}/change`, {
      wording: 'A garden shed costs 1,600 euros',
      uses: [
        {
          article_id: article,
          sentence: use?.sentence,
          replacement: 'You pay 1,600 euros for one of our garden sheds.',
        },
        { article_id: article, sentence: 'It never said this.', replacement: 'Nor this.' },
      ],
    })
    expect(changed.body).toMatchObject({ changes: 1, sentences: 1, not_changed: [{ sentence: 'It never said this.' }] })
    await release(api, changed.body.change_set_id as number)
    expect(await contentOf(api, article)).toContain('You pay 1,600 euros for one of our <i>garden sheds</i>. Bye.')
  })

  it('leaves out what cannot be changed safely, and drafts, with the reason', async () => {
    const { api, project, articles } = await openSite(
      '<p>A garden <a href="https://sheds.example/">shed</a> costs 1,450 euros.</p>',
    )
    const draft = await newArticle(api, project, { keyword: 'draft', content: `<p>${PRICE}.</p>` })
    const id = await register(api, project)
    const { body } = await api.post(`/statements/${id}/change`, { wording: 'A garden hut is sold for 1,450 euros' })
    expect(body).toMatchObject({
      change_set_id: null,
      not_changed: [
        { article_id: draft, reason: expect.stringContaining('not published') },
        { article_id: articles[0], reason: expect.stringContaining('Markup') },
      ],
    })
  })

  it('is released only after the approval that the policy asks for', async () => {
    const { api, project, articles } = await openSite(`<p>${PRICE}.</p>`)
    await setPolicy(stack, project, { needs_approval: 'every' })
    const id = await register(api, project)
    const { body } = await api.post(`/statements/${id}/change`, { wording: 'A garden shed costs 1,600 euros' })
    const released = await api.post(`/changes/${body.change_set_id}/release`, {})
    expect(released.body).toMatchObject({ status: 'awaiting_approval' })
    await flush(stack, true)
    expect(await contentOf(api, articles[0] as number)).toContain('1,450')
  })
})

it('a wording without a word to be found by is refused, and so is one that the statement has alone', async () => {
  const { api, project } = await openSite()
  const empty = await api.post('/statements', { project_id: project, name: 'x', wording: '…' })
  expect(empty.body).toMatchObject({ details: [{ field: 'wording' }] })
  const id = await register(api, project)
  const same = await api.post(`/statements/${id}/change`, { wording: 'a garden shed costs €1450' })
  expect(same.body).toMatchObject({ details: [{ field: 'wording' }] })
})

it('the page of a site registers a statement, shows its uses, makes the set, and deletes the statement', async () => {
  const { api, project, articles } = await openSite(`<p>${PRICE}.</p>`, '<p>You pay 1,450 euros for a garden shed.</p>')
  const { person } = await signInAsOwner(stack, api)
  const list = `/p/${project}/statements`
  await person.post(list, { name: 'Price', wording: PRICE })
  const [, page = ''] = /href="(\/p\/\d+\/statements\/\d+)"/.exec((await person.get(list)).text) ?? []
  const shown = (await person.get(page)).text
  expect(shown).toContain('The same words')
  expect(shown).toContain('You pay 1,450 euros for a garden shed.')
  await person.post(`${page}/change`, { wording: 'A garden shed costs 1,600 euros' })
  const { change_sets: sets } = (await api.get(`/projects/${project}/changes`)).body as {
    change_sets: { id: number }[]
  }
  const { body } = await api.get(`/changes/${sets[0]?.id}`)
  expect(body.change_set).toMatchObject({ status: 'draft', changes: [{ article_id: articles[0] }] })
  expect((await person.get(page)).text).toContain('Also: “A garden shed costs 1,450 euros”')
  await person.post(`${page}/delete`, {})
  expect((await api.get(`/statements?project_id=${project}`)).body.statements).toEqual([])
})

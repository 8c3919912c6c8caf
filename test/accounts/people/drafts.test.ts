import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { newArticle, newProject, rowsIn, tell } from '../../support/client.ts'
import { sweepTable } from '../../support/sweep.ts'
import { formOn, inviteTo, newOwner, type Shown, sure, textOf, type Visitor } from './browser.ts'

const stack = inject('stack')

/** Returns a person in an account with an article, and the path of its page. */
const writer = async (content = '<p>The chain wears out.</p>') => {
  const { api, person } = await newOwner(stack)
  const site = await newProject(api, { business_name: 'Pedal & Spoke' })
  const article = await newArticle(api, site, { title: 'Chains', content })
  return { api, person, site, article, path: `/p/${site}/articles/${article}` }
}

/** Returns the fields of the form of a text, with its text. */
const formOf = (page: Shown, path: string): Record<string, string> => {
  const [, text = ''] = /<textarea[^>]*>([\s\S]*?)<\/textarea>/.exec(page.text) ?? []
  return { ...formOn(page, path), content: textOf({ text }) }
}

/** Sends what a page of the editor keeps. */
const keep = async (person: Visitor, path: string, fields: Record<string, string> = {}) => {
  const { version = '' } = formOn(await person.get(`${path}/edit`), path)
  const typed = { draft: 'page000001', version, title: 'Chains', meta_description: '', content: '<p>Mine alone.</p>' }
  return await person.post(`${path}/draft`, { ...typed, ...fields })
}

const OFFER = 'that was not saved.'
const isOffered = async (person: Visitor, path: string) =>
  /<div class="notice warn row" id="draft"[^>]*>/
    .exec((await person.get(`${path}/edit`)).text)?.[0]
    .includes('hidden') === false

const draftsOf = (article: number) =>
  rowsIn<{ content: string }>(stack, sql`select content from article_drafts where article_id = ${article}::int`)

describe('a text that a person typed and did not save', () => {
  it('is offered, brought back with its version, and gone once it is saved', async () => {
    const { api, person, article, path } = await writer()
    expect((await keep(person, path)).status).toBe(200)
    expect(textOf(await person.get(`${path}/edit`))).toContain(OFFER)
    const back = await person.get(`${path}/edit?draft=`)
    expect(back.text).toContain('&lt;p&gt;Mine alone.&lt;/p&gt;')
    await person.post(path, formOf(back, path))
    expect((await api.get(`/articles/${article}`)).body.Content).toBe('<p>Mine alone.</p>')
    expect(await isOffered(person, path)).toBe(false)
    expect(await draftsOf(article)).toEqual([])
  })

  it('is shown beside what somebody else saved, as texts, and replaces it only if the person says so', async () => {
    const { api, person, article, path } = await writer()
    await keep(person, path, { content: '<p>Mine &amp; <strong>alone</strong>.</p>' })
    await api.put(`/articles/${article}`, { content: '<p>Theirs.</p>' })
    const offer = await person.get(`${path}/edit`)
    expect(textOf(offer)).toContain('The article was saved since you began it')
    expect(offer.text).not.toContain('/edit?draft=')
    const both = await person.get(`${path}/draft`)
    expect(textOf(both)).toMatch(/as it is saved Theirs\. .*as you wrote it Mine & alone \./)
    expect(both.text).not.toContain('<textarea')
    const unseen = formOf(await person.get(`${path}/edit?draft=`), path)
    expect((await person.post(path, unseen)).status).toBe(412)
    expect((await api.get(`/articles/${article}`)).body.Content).toBe('<p>Theirs.</p>')
    const [, seen = ''] = /href="([^"]*\/edit\?draft=[^"]+)"/.exec(both.text) ?? []
    await person.post(path, formOf(await person.get(seen), path))
    expect((await api.get(`/articles/${article}`)).body.Content).toBe('<p>Mine &amp; <strong>alone</strong>.</p>')
  })

  it('is read by nobody else: no colleague, no key, no copy of the account', async () => {
    const { api, person, site, article, path } = await writer()
    await keep(person, path, { content: '<p>Mysecretwords</p>' })
    const { person: colleague } = await inviteTo(stack, person, 'editor', site)
    for (const page of ['', '/edit', '/edit?draft=', '/draft'])
      expect((await colleague.get(`${path}${page}`)).text).not.toContain('Mysecretwords')
    expect(await isOffered(colleague, path)).toBe(false)
    expect(JSON.stringify((await api.get(`/articles/${article}`)).body)).not.toContain('Mysecretwords')
    await keep(colleague, path, { content: '<p>Theirs</p>' })
    await sure(colleague, `${path}/draft/discard`, {})
    expect((await person.get(`${path}/draft`)).text).toContain('Mysecretwords')
  })

  it('is not kept for another person who signed in on the same machine', async () => {
    const { person, article, path } = await writer()
    expect((await keep(person, path, { person: 'somebody-else' })).status).toBe(403)
    expect(await draftsOf(article)).toEqual([])
  })

  it('is not replaced by what is typed in another window', async () => {
    const { person, article, path } = await writer()
    await keep(person, path)
    expect((await keep(person, path, { draft: 'page000002', content: '<p>Second</p>' })).status).toBe(409)
    expect(await draftsOf(article)).toEqual([{ content: '<p>Mine alone.</p>' }])
    const saved = { ...formOn(await person.get(`${path}/edit`), path), draft: 'page000002', content: '<p>Second</p>' }
    await person.post(path, saved)
    expect(await isOffered(person, path)).toBe(true)
    await sure(person, `${path}/draft/discard`, {})
    expect(await isOffered(person, path)).toBe(false)
    expect((await keep(person, path, { draft: 'page000002' })).status).toBe(200)
  })

  it('is deleted when the person leaves the account, and 90 days after its last change', async () => {
    const { person, site, article, path } = await writer()
    const { person: editor } = await inviteTo(stack, person, 'editor', site)
    await keep(editor, path)
    const [, id = ''] = /data-person="([^"]+)"/.exec((await editor.get(`${path}/edit`)).text) ?? []
    await sure(person, '/settings/people/remove', { person: id })
    expect(await draftsOf(article)).toEqual([])
    await keep(person, path)
    await sweepTable(stack, 'article_drafts')
    expect(await draftsOf(article)).toHaveLength(1)
    await rowsIn(
      stack,
      sql`update article_drafts set updated_at = updated_at - interval '91 days' where article_id = ${article}::int`,
    )
    await sweepTable(stack, 'article_drafts')
    expect(await draftsOf(article)).toEqual([])
  })
})

describe('without scripts a text that was not saved comes back', () => {
  const sent = async (change: (form: Record<string, string>) => Record<string, string>) => {
    const { person, path, api, article } = await writer()
    const form = formOn(await person.get(`${path}/edit?as=html`), path)
    return { person, path, api, article, form: change({ ...form, content: '<p>Typed for an hour.</p>' }) }
  }
  const TYPED = '&lt;p&gt;Typed for an hour.&lt;/p&gt;'

  it('if a field is refused', async () => {
    const { person, path, form } = await sent((form) => ({ ...form, title: '' }))
    const answer = await person.post(path, form)
    expect([answer.status, answer.text.includes(TYPED)]).toEqual([400, true])
    expect(textOf(answer)).toContain('The title needs 1 to 500 characters.')
  })

  it('if the session ended; and is saved after signing in again', async () => {
    const { person, path, form, api, article } = await sent((form) => form)
    const cookies = new Map(person.cookies)
    person.cookies.clear()
    const answer = await person.post(path, form)
    expect([answer.status, answer.text.includes(TYPED)]).toEqual([403, true])
    expect(textOf(answer)).toContain('You are no longer signed in.')
    for (const [name, value] of cookies) person.cookies.set(name, value)
    await person.post(path, formOf(answer, path))
    expect((await api.get(`/articles/${article}`)).body.Content).toBe('<p>Typed for an hour.</p>')
  })

  it('if the database is away, and if somebody deleted the article', async () => {
    const { person, path, form, api, article } = await sent((form) => ({ ...form, title: 'Only this title is away' }))
    await tell(stack.neonUrl, '/_faults?of=drafts', { body: form.title, status: 500 })
    const answer = await person.post(path, form)
    await tell(stack.neonUrl, '/_faults?of=drafts')
    expect([answer.status, answer.text.includes(TYPED)]).toEqual([503, true])
    await api.del(`/articles/${article}`)
    const gone = await person.post(path, form)
    expect([gone.status, gone.text.includes(TYPED)]).toEqual([404, true])
  })
})

import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { formOn, inviteTo, newOwner, textOf } from '../../accounts/people/browser.ts'
import { type Api, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { fieldsOf } from '../../support/keys.ts'
import { startSite } from '../site.ts'

const stack = inject('stack')

const join = (api: Api, id: number, of: number, language?: string) =>
  api.post(`/articles/${id}/translation`, { translation_of: of, ...(language ? { language } : {}) })

type Shown = {
  translations: { article_id: number; language: string }[]
  hreflang_pairs: { status: string; problems: { article_id: number; message: string }[]; expected: unknown[] }
}

const shown = async (api: Api, id: number): Promise<Shown> => {
  const { status, body, text } = await api.get(`/articles/${id}/translations`)
  expect(status, text).toBe(200)
  // The article itself has the same group.
  expect((await api.get(`/articles/${id}`)).body.Translations).toEqual(body.translations)
  return body as unknown as Shown
}

const languagesOf = async (api: Api, id: number) =>
  (await shown(api, id)).translations.map(({ article_id: article, language }) => [article, language])

it('joins articles of several projects of an account into one group, and lets one go', async () => {
  const api = await newAccount(stack, { plan: 'agentic' })
  const [english, german] = [await newProject(api), await newProject(api, { language: 'German' })]
  const [en, de, fr] = [
    await newArticle(api, english, { keyword: 'garden sheds' }),
    await newArticle(api, german, { keyword: 'gartenhaus' }),
    await newArticle(api, english, { keyword: 'abri de jardin' }),
  ]
  expect(await shown(api, en)).toMatchObject({ translations: [], hreflang_pairs: { status: 'not_live' } })
  const joined = await join(api, de, en)
  expect([joined.status, joined.body]).toMatchObject([200, { status: 'joined', language: 'de', translation_of: en }])
  expect((await join(api, fr, de, 'French (CA)')).body).toMatchObject({ language: 'fr-CA' })
  const all = [
    [en, 'en-US'],
    [de, 'de'],
    [fr, 'fr-CA'],
  ]
  for (const id of [en, de, fr]) expect(await languagesOf(api, id)).toEqual(all)
  expect((await api.del(`/articles/${en}/translation`)).body).toMatchObject({ status: 'left' })
  expect((await api.del(`/articles/${en}/translation`)).body).toMatchObject({ status: 'none' })
  expect(await languagesOf(api, en)).toEqual([])
  expect(await languagesOf(api, de)).toEqual(all.slice(1))
  // The article that the group began with begins another one.
  const es = await newArticle(api, english, { keyword: 'cobertizo' })
  await join(api, es, en, 'es')
  expect(await languagesOf(api, en)).toEqual([
    [en, 'en-US'],
    [es, 'es'],
  ])
})

it('refuses an article of another account like one that does not exist, and the article itself', async () => {
  const [api, stranger] = [await newAccount(stack), await newAccount(stack)]
  const own = await newArticle(api, await newProject(api))
  const theirs = await newArticle(stranger, await newProject(stranger))
  const refused = [await join(api, own, theirs), await join(api, own, 999_999_999)]
  expect(refused.map(({ status, body }) => [status, body.error, fieldsOf(body)])).toEqual(
    Array(2).fill([404, 'translation_of: the account has no such article. Nothing was changed.', ['translation_of']]),
  )
  expect((await join(stranger, own, theirs)).status).toBe(403)
  expect((await stranger.get(`/articles/${own}/translations`)).status).toBe(403)
  const self = await join(api, own, own)
  expect([self.status, fieldsOf(self.body)]).toEqual([400, ['translation_of']])
  const odd = await join(api, own, theirs, 'no language')
  expect([odd.status, fieldsOf(odd.body)]).toEqual([400, ['language']])
  expect(await languagesOf(stranger, theirs)).toEqual([])
})

it('reads the live pages, and names the one that does not answer a link', async () => {
  const pages = new Map<string, string>()
  const site = await startSite(({ path }) => ({ body: pages.get(path) ?? '' }))
  try {
    const api = await newAccount(stack)
    const project = await newProject(api)
    const live = async (path: string) => {
      const id = await newArticle(api, project, { keyword: path.slice(1) })
      await rowsIn(
        stack,
        sql`update articles set status = 'Published', published_at = now(), url = ${site.url + path} where id = ${id}::int returning 1`,
      )
      return id
    }
    const [en, de] = [await live('/sheds'), await live('/schuppen')]
    await join(api, de, en, 'de')
    const link = (lang: string, path: string) => `<link rel="alternate" hreflang="${lang}" href="${path}">`
    const all = link('en-US', '/sheds') + link('de', '/schuppen')
    pages.set('/sheds', `<head>${all}</head>`)
    pages.set('/schuppen', `<head>${link('de', '/schuppen')}</head>`)
    expect((await shown(api, en)).hreflang_pairs).toEqual({
      status: 'problems',
      problems: [
        {
          article_id: de,
          message: `The page does not name article ${en}: it has no hreflang link to ${site.url}/sheds.`,
        },
      ],
      expected: [
        { hreflang: 'en-US', href: `${site.url}/sheds` },
        { hreflang: 'de', href: `${site.url}/schuppen` },
      ],
    })
    pages.set('/schuppen', `<head>${all}</head>`)
    expect((await shown(api, de)).hreflang_pairs).toMatchObject({ status: 'ok', problems: [] })
  } finally {
    await site.close()
  }
})

it('is shown, joined and left on the page of the article, for the sites that a person may see', async () => {
  const { api, person } = await newOwner(stack, { plan: 'pro' })
  const [english, german] = [await newProject(api), await newProject(api, { language: 'German' })]
  const [en, de] = [await newArticle(api, english), await newArticle(api, german, { title: 'Gartenhaus' })]
  const at = `/p/${english}/articles/${en}`
  const joinOn = async (who: typeof person, fields: Record<string, string>) =>
    textOf(await who.post(`${at}/translation`, { ...formOn(await who.get(at), `${at}/translation`), ...fields }))
  const { person: editor } = await inviteTo(stack, person, 'editor', english)
  expect(await joinOn(editor, { other: String(de) })).toContain('There is no such article on your sites.')
  expect(await joinOn(person, { other: 'none' })).toContain('There is no such article on your sites.')
  expect(await joinOn(person, { other: String(de), language: 'no language' })).toContain('That is no language')
  expect(await languagesOf(api, en)).toEqual([])
  const joined = await joinOn(person, { other: `${stack.url}/p/${german}/articles/${de}?tab=check` })
  expect(joined).toMatch(/Joined\..*Gartenhaus de/)
  expect(await languagesOf(api, en)).toEqual([
    [en, 'en-US'],
    [de, 'de'],
  ])
  const seen = textOf(await editor.get(at))
  expect([seen.includes('An article of another site de'), seen.includes('Gartenhaus')]).toEqual([true, false])
  await editor.post(`${at}/translation/leave`, {})
  expect(await languagesOf(api, en)).toEqual([])
})

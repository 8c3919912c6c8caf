import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { sitesFor } from '../../content/site/scene.ts'
import { type Api, connectReceiver, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys, rowsOf } from '../../support/keys.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { publishedArticle } from '../../support/story.ts'

const stack = inject('stack')
const { scan } = sitesFor(stack)

const linking = (...hrefs: string[]) => ({
  content: `<p>Some words that are worth reading.</p>${hrefs.map((href) => `<p><a href="${href}">More</a></p>`).join('')}`,
})

type Entry = { article_id: number; reason: string; call: { method: string; path: string } }

const orphansIn = async (api: Api, project: number) => {
  const { body } = await api.get(`/projects/${project}/care?rule=orphan`)
  return rowsOf(body, 'rules').flatMap(({ articles }) => articles as Entry[])
}

const idsIn = async (api: Api, project: number) => (await orphansIn(api, project)).map((one) => one.article_id)

/** Publishes an article that then is at an address of the site. */
const live = async (api: Api, project: number, url: string, fields: Record<string, unknown>) => {
  const id = await publishedArticle(api, project, fields)
  // As if the receiver had not told the address.
  await rowsIn(stack, sql`update articles set url = null where id = ${id}::int returning id`)
  const { status, text } = await api.post(`/articles/${id}/address`, { url })
  expect(status, text).toBe(200)
  return id
}

/** Returns a site with live articles, of which some are linked. */
const openSite = async () => {
  const {
    site,
    api,
    id: project,
  } = await scan({
    pages: { '/': { links: ['/blog'] }, '/blog': { links: ['/posts/three?utm_source=blog'] } },
  })
  await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
  const at = (name: string) => `${site.url}/posts/${name}`
  const make = (name: string, ...hrefs: string[]) => live(api, project, at(name), linking(...hrefs))
  const one = await make('one', `${at('two')}/#floors`, '/posts/four?plan=pro')
  const two = await make('two', at('six'))
  const three = await make('three')
  const four = await make('four')
  const five = await make('five', at('five'), '/posts/five/')
  const six = await make('six')
  const seven = await make('seven')
  await newArticle(api, project, linking(at('seven')))
  await rowsIn(stack, sql`update articles set origin = 'adopted' where id = ${two}::int returning id`)
  return { api, project, at, site, articles: { one, two, three, four, five, six, seven } }
}

it('lists exactly the articles that no other live article and no read page links to', async () => {
  const { api, project, at, site, articles } = await openSite()
  const { one, two, five, six, seven } = articles
  const found = await orphansIn(api, project)
  expect(found.map((entry) => entry.article_id)).toEqual([seven, five, one])
  expect(found[0]?.reason).toBe(
    'No link leads to it from the 6 other published articles, nor from the 2 other pages of the site that were read.',
  )
  const { call } = found[0] as Entry
  expect((await api.call(call.method, call.path)).status).toBe(200)

  // Somebody else’s articles do not count, even if they are about the same site.
  const other = manyKeys(stack, await newAccount(stack))
  const theirs = await newProject(other, { website_url: site.url })
  await connectReceiver(other, theirs, stack.receiverUrl, stack.receiverToken)
  await live(other, theirs, at('eight'), linking(at('five')))
  expect(await idsIn(api, project)).toEqual([seven, five, one])

  const { status, text } = await api.post(`/articles/${one}/sync`, linking(at('five')))
  expect(status, text).toBe(200)
  expect(await idsIn(api, project)).toEqual([seven, articles.four, two, one])

  // The links of an article go with it.
  expect((await api.post(`/articles/${two}/release`)).status).toBe(200)
  expect(await idsIn(api, project)).toEqual([seven, six, articles.four, one])
})

it('reads the links that an earlier release did not, and says nothing before', async () => {
  const { api, project, articles } = await openSite()
  const { one, two, five, six, seven } = articles
  await rowsIn(stack, sql`update articles set linked_keys = null where id = ${two}::int returning id`)
  expect(await idsIn(api, project)).not.toContain(six)
  // Articles of other tests may come first.
  const aMinuteLater = async () => {
    await fetch(stack.cronUrl)
    return await idsIn(api, project)
  }
  await expect.poll(aMinuteLater, { timeout: PATIENCE_MS, interval: 150 }).toEqual([seven, five, one])
})

it('says nothing of the only article of a site of which no page was read', async () => {
  const api = manyKeys(stack, await newAccount(stack))
  const project = await newProject(api)
  await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
  const id = await publishedArticle(api, project)
  expect(await idsIn(api, project)).toEqual([])
  const second = await publishedArticle(api, project)
  expect(await idsIn(api, project)).toEqual([second, id])
})

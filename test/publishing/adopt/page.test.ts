import { sql } from 'drizzle-orm'
import { afterEach, expect, inject, it, vi } from 'vitest'
import type { GhostStandIn } from '../../../local/cms/ghost.ts'
import { pageKey } from '../../../src/platform/lib/urls.ts'
import { signInAsOwner } from '../../accounts/people/browser.ts'
import { seedSearch } from '../../insights/suggestions/seed.ts'
import { connectReceiver, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { rowsOf } from '../../support/keys.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { openGhost } from './scene.ts'

const stack = inject('stack')
let ghost: GhostStandIn
afterEach(() => ghost.close())

const openSite = async (posts: number) => {
  const site = await openGhost(stack, posts)
  ghost = site.ghost
  const { person } = await signInAsOwner(stack, site.account)
  return { ...site, person, here: `/p/${site.project}/posts` }
}

/** Returns the values of the ticks that a page offers, by the titles that they are for. */
const ticksOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/value="([^"]+)"[^>]*\/?><span class="unseen">Choose ([^<]+)</g)].map(([, id, title]) => [
      title,
      id,
    ]),
  )

const titlesOf = async (api: Awaited<ReturnType<typeof openSite>>['api'], project: number) =>
  rowsOf((await api.get(`/articles?project_id=${project}&origin=adopted&limit=50`)).body, 'articles')
    .map(({ Title }) => Title)
    .sort()

it('lists the posts of the site with their clicks, and adopts those that a person ticks', async () => {
  const { api, account, project, ids, person, here } = await openSite(3)
  ghost.write({ title: 'A draft', html: '<p>Not yet.</p>', status: 'draft' })
  await seedSearch(stack, account, project, [{ url: `${ghost.url}/post-1/`, now: [1_234, 2_000, 3] }])
  const page = await person.get(here)
  const ticks = ticksOf(page.text)
  expect(ticks).toEqual({ 'Post 0': ids[0], 'Post 1': ids[1], 'Post 2': ids[2] })
  expect(page.text).toContain('1,234')
  expect(page.text).toContain('A draft')
  await person.post(`${here}/adopt`, { post0: ids[1] ?? '', post7: ids[2] ?? '' })
  await vi.waitFor(async () => expect(await titlesOf(api, project)).toEqual(['Post 1', 'Post 2']), {
    timeout: PATIENCE_MS,
    interval: 100,
  })
  const after = await person.get(here)
  expect(Object.keys(ticksOf(after.text))).toEqual(['Post 0'])
  expect(after.text).toContain('2 of 2 taken over')
  expect((await person.post(`${here}/adopt`, {})).text).toContain('Tick the posts first.')
})

it('asks before it adopts all posts of a site', async () => {
  const { api, project, person, here } = await openSite(2)
  const asked = await person.post(`${here}/adopt`, { every: 'yes' })
  expect(asked.text).toContain('Look after all published posts?')
  expect(await titlesOf(api, project)).toEqual([])
  const confirm = /name="confirm" value="([^"]+)"/.exec(asked.text)?.[1] ?? ''
  await person.post(`${here}/adopt`, { every: 'yes', confirm })
  await vi.waitFor(async () => expect(await titlesOf(api, project)).toEqual(['Post 0', 'Post 1']), {
    timeout: PATIENCE_MS,
    interval: 100,
  })
})

it('finds a page of the site by its words, and adopts it by its address', async () => {
  const { api, project, person, here } = await openSite(1)
  await rowsIn(
    stack,
    sql`insert into site_pages (project_id, url, url_key, title, seen_at)
      values (${project}::int, ${`${ghost.url}/post-0/`}, ${pageKey(new URL(`${ghost.url}/post-0/`))}, 'Post 0', now())`,
  )
  const found = await person.get(`${here}?q=post+0`)
  expect(found.text).toContain(`value="${ghost.url}/post-0/"`)
  await person.post(`${here}/adopt`, { url: `${ghost.url}/post-0/` })
  expect(await titlesOf(api, project)).toEqual(['Post 0'])
})

it('says what to do where there is no list', async () => {
  const { here } = await openSite(0)
  const account = await newAccount(stack)
  const { person: other } = await signInAsOwner(stack, account)
  const alone = await newProject(account)
  expect((await other.get(`/p/${alone}/posts`)).text).toContain('Connect the site')
  await connectReceiver(account, alone, stack.receiverUrl, 'a-token')
  expect((await other.get(`/p/${alone}/posts`)).text).toContain('gives no list of its posts')
  expect((await other.get(here)).status).toBe(404)
})

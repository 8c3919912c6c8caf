import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type GithubStandIn, startGithub } from '../../local/cms/github.ts'
import { formOn, newOwner } from '../accounts/people/browser.ts'
import { ASTRO } from '../providers/cms/git/sites.ts'
import { type Api, newAccount, newArticle, newProject, tell } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'

const stack = inject('stack')
let github: GithubStandIn

beforeAll(async () => {
  github = await startGithub({ files: ASTRO })
})
afterAll(() => github.close())

const HTML = '<h2>Why</h2><p>A shed keeps tools dry.</p><h2>How</h2><p>Build it with planks.</p>'

const connect = (api: Api, project: number, more: Record<string, unknown> = {}) =>
  api.post(`/projects/${project}/integrations`, {
    platform: 'git',
    repository: github.name,
    token: github.token,
    api_url: github.url,
    ...more,
  })

/** Returns a published article of a new project, with the path of its file. */
const published = async () => {
  const api = manyKeys(stack, await newAccount(stack))
  const project = await newProject(api)
  const connected = await connect(api, project)
  const id = await newArticle(api, project, {
    title: `Sheds ${project}`,
    content: HTML,
    meta_description: 'About sheds.',
  })
  const answer = await api.post(`/articles/${id}/publish`)
  const { body } = await api.get(`/articles/${id}`)
  return { api, project, connected, id, answer, body, path: `src/content/blog/${body.Slug}.md` }
}

const commits = () => github.repository.git(['log', '--format=%s', 'main']).split('\n').length

it('has an article in the repository after connect, create and publish, and says what it found', async () => {
  const { connected, answer, body, path } = await published()
  expect([connected.status, connected.body]).toMatchObject([
    201,
    {
      platform: 'git',
      found: {
        generator: 'astro',
        path: 'src/content/blog/{slug}.md',
        post_url: 'https://shed.example/blog/{slug}/',
        unpublish: 'draft',
      },
    },
  ])
  expect(connected.text).not.toContain(github.token)
  expect(answer).toMatchObject({
    status: 200,
    body: { status: 'published', url: `https://shed.example/blog/${body.Slug}/` },
  })
  expect(github.repository.read(path)).toMatch(
    /^---\ntitle: 'Sheds \d+'\n[\s\S]*\n## Why\n\nA shed keeps tools dry\.\n/,
  )
})

it('keeps an edit of a person through the next sync, and shows both texts of a conflict', async () => {
  const { api, id, path } = await published()
  const edit = (from: string, to: string) =>
    github.repository.push({ [path]: (github.repository.read(path) ?? '').replace(from, to) })
  edit('A shed keeps tools dry.', 'A shed keeps tools and bicycles dry.')
  const synced = await api.post(`/articles/${id}/sync`, { content: HTML.replace('with planks', 'with nails') })
  expect([synced.status, synced.body.warning]).toEqual([200, undefined])
  expect(github.repository.read(path)).toMatch(/bicycles dry\.[\s\S]*with nails\./)
  const before = commits()
  const conflict = await api.post(`/articles/${id}/sync`, {
    content: HTML.replace('tools', 'wet tools').replace('planks', 'nails'),
  })
  expect(conflict).toMatchObject({
    status: 502,
    body: {
      code: 'sync_failed',
      message: expect.stringMatching(
        /There: “A shed keeps tools and bicycles dry\.” New: “A shed keeps wet tools dry\.”/,
      ),
    },
  })
  expect(commits()).toBe(before)
  // The words of the file are taken over first; then they can be changed.
  const taken = HTML.replace('tools', 'tools and bicycles').replace('planks', 'nails')
  expect((await api.post(`/articles/${id}/sync`, { content: taken })).status).toBe(200)
  const last = await api.post(`/articles/${id}/sync`, { content: taken.replace('bicycles', 'ladders') })
  expect(last.status).toBe(200)
  expect(github.repository.read(path)).toContain('tools and ladders dry.')
})

it('looks up a sync whose answer was lost by its words, and commits it once', async () => {
  const { api, id, path } = await published()
  const before = commits()
  await tell(github.url, '/_faults', { path: '/graphql', body: 'createCommitOnBranch', drop: 'after', times: 1 })
  const lost = await api.post(`/articles/${id}/sync`, { content: HTML.replace('planks', 'bricks') })
  expect(lost.status).toBe(502)
  github.repository.push({ [path]: `${github.repository.read(path)}\nA line of Jane.\n` })
  await fetch(stack.cronUrl)
  await expect.poll(async () => (await api.get(`/articles/${id}`)).body.PublishState, { timeout: 20_000 }).toBe('idle')
  expect(commits()).toBe(before + 2)
  expect((await api.get(`/articles/${id}`)).body).toMatchObject({ PublishError: null, Status: 'Published' })
})

it('takes an article down, publishes the same file again, and rolls back', async () => {
  const { api, id, path } = await published()
  const first = github.repository.read(path)
  expect((await api.post(`/articles/${id}/unpublish`)).status).toBe(200)
  expect(github.repository.read(path)).toBe(first?.replace('draft: false', 'draft: true'))
  expect((await api.post(`/articles/${id}/publish`)).status).toBe(200)
  const again = github.repository.read(path)
  expect((await api.post(`/articles/${id}/sync`, { title: 'Huts' })).status).toBe(200)
  expect((await api.post(`/articles/${id}/rollback`)).status).toBe(200)
  expect(github.repository.read(path)).toBe(again)
  expect(github.repository.git(['fsck', '--strict', '--full'])).toBe('')
})

it('says in the receipt that the site is being built, while the page does not show the article', async () => {
  const api = manyKeys(stack, await newAccount(stack))
  const project = await newProject(api)
  await connect(api, project, { post_url: `${github.url}/pages/{slug}` })
  github.settings.builds = { checks: 'PENDING', deployments: [] }
  const id = await newArticle(api, project, { title: 'A shed', content: HTML })
  expect((await api.post(`/articles/${id}/publish`)).status).toBe(200)
  await expect
    .poll(async () => (await api.get(`/articles/${id}`)).body.Receipt, { timeout: 30_000 })
    .toMatchObject({ title_found: false, build: { state: 'waiting', url: null }, next_check_at: expect.any(String) })
})

it('shows on the page what is found before anything is saved, and connects with what a person corrected', async () => {
  const { api, person } = await newOwner(stack)
  const project = await newProject(api)
  const path = '/settings/integrations/connect'
  const empty = formOn(await person.get(`${path}?project_id=${project}&platform=git`), path)
  const entered = { ...empty, repository: github.name, token: github.token, api_url: github.url }
  const looked = await person.post(path, { ...entered, look: '1' })
  expect(looked.text).toContain('Nothing is saved yet')
  expect(looked.text).not.toContain(github.token)
  expect((await api.get(`/integrations?project_id=${project}`)).body.integrations).toEqual([])
  const filled = formOn(looked, path)
  expect(filled).toMatchObject({
    path: 'src/content/blog/{slug}.md',
    post_url: 'https://shed.example/blog/{slug}/',
    'keys.date': 'pubDate',
  })
  const saved = await person.post(path, { ...filled, token: github.token, post_url: 'https://other.example/{slug}' })
  expect(saved.text).toContain('Git repository is connected')
  const id = await newArticle(api, project, { title: 'A shed', content: HTML })
  expect((await api.post(`/articles/${id}/publish`)).body.url).toMatch(/^https:\/\/other\.example\//)
})

it('saves nothing if the repository has no posts that can be written', async () => {
  const api = manyKeys(stack, await newAccount(stack))
  const project = await newProject(api)
  const { status, body } = await connect(api, project, { path: 'blog/{slug}.md' })
  expect([status, body]).toMatchObject([422, { code: 'cms_rejected', message: expect.stringContaining('Send path') }])
  expect((await api.get(`/integrations?project_id=${project}`)).body.integrations).toEqual([])
})

import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type GithubStandIn, startGithub } from '../../../local/cms/github.ts'
import { setPolicy } from '../../accounts/policy/set.ts'
import { ASTRO } from '../../providers/cms/git/sites.ts'
import { newAccount, newProject } from '../../support/client.ts'
import { manyKeys, rowsOf } from '../../support/keys.ts'

const stack = inject('stack')
let github: GithubStandIn

const OAK =
  "---\ntitle: 'Oak'   # short\ndescription: 'How oak lasts.'\npubDate: 'Jul 09 2022'\ntags: [blog]\ndraft: false\n---\n\nOak lasts long. {{< gallery oak >}}\n\n<Chart data={oak} />\n"
const PATH = 'src/content/blog/oak.md'

beforeAll(async () => {
  github = await startGithub({ files: { ...ASTRO, [PATH]: OAK } })
})
afterAll(() => github.close())

const text = () => github.repository.read(PATH)
const commits = () => github.repository.git(['log', '--format=%s', 'main']).split('\n').length

it('lists and adopts the posts of a repository, and changes only the lines of a field', async () => {
  const api = manyKeys(stack, await newAccount(stack, { plan: 'agentic' }))
  const project = await newProject(api)
  await setPolicy(stack, project, { approve_adopted: false })
  const before = commits()
  await api.post(`/projects/${project}/integrations`, {
    platform: 'git',
    repository: github.name,
    token: github.token,
    api_url: github.url,
  })
  const { body: listed } = await api.get(`/projects/${project}/site-posts`)
  expect(listed).toMatchObject({ platform: 'git', hidden: 0, next_cursor: null })
  expect(rowsOf(listed, 'posts').find(({ post_id }) => post_id === PATH)).toMatchObject({
    title: 'Oak',
    url: 'https://shed.example/blog/oak/',
    status: 'published',
    article_id: null,
  })
  const adopted = await api.post('/articles/adopt', { project_id: project, url: 'https://shed.example/blog/oak/' })
  expect(adopted).toMatchObject({ status: 201, body: { origin: 'adopted', title: 'Oak', revision: 1 } })
  const id = adopted.body.article_id
  expect((await api.get(`/articles/${id}`)).body).toMatchObject({
    Status: 'Published',
    MetaDescription: 'How oak lasts.',
    Content: expect.stringContaining('Oak lasts long.'),
    Adopted: { post_id: PATH },
  })
  // Nothing was written, not even a mark.
  expect([commits(), text()]).toEqual([before, OAK])
  const changed = OAK.replace("'Oak'", "'Oak and elm'")
  expect(await api.post(`/articles/${id}/sync`, { title: 'Oak and elm' })).toMatchObject({ status: 200 })
  expect(text()).toBe(changed)
  // HTML does not hold components and shortcodes, so the text is not sent.
  expect(await api.post(`/articles/${id}/sync`, { content: '<p>Oak lasts.</p>' })).toMatchObject({
    status: 400,
    body: { code: 'unsupported_for_sync' },
  })
  expect(text()).toBe(changed)
  expect(await api.post(`/articles/${id}/rollback`)).toMatchObject({ status: 200 })
  expect(text()).toBe(OAK)
})

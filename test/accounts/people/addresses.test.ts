import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { ROOT } from '../../../local/root.ts'
import { newAccount, newArticle, newProject } from '../../support/client.ts'
import { signInAsOwner } from './browser.ts'

const stack = inject('stack')

/** A page the API sends people to is named in its code as `${…publicUrl}/…`; programs' own addresses are none. */
const PROGRAMS = /^\/(api|mcp|oauth|media|internal|stripe\/events)/

const namedIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [...readFileSync(join(ROOT, folder, name), 'utf8').matchAll(/[pP]ublicUrl\}(\/[\w/-]+)/g)])
    .map(([, path = '']) => path)

const urlsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    /_url$/.test(name) && typeof one === 'string' && one.startsWith(stack.url) ? [one] : urlsIn(one),
  )
}

it('every address the API gives out to people opens', async () => {
  const [full, api, legacy, agentic] = await Promise.all([
    newAccount(stack, { projects: 0 }),
    newAccount(stack),
    newAccount(stack, { plan: 'agentic_free' }),
    newAccount(stack, { plan: 'agentic' }),
  ])
  const project = await newProject(api)
  const article = await newArticle(api, project)
  const plain = await newProject(agentic)
  const answers = [
    await full.post('/projects', { website_url: 'https://one-too-many.example' }),
    await api.post(`/articles/${article}/publish`),
    await api.get(`/search-console?project_id=${project}`),
    await api.post(`/projects/${project}/search-console`),
    await api.post(`/projects/${project}/article-plan`, { plan: 60 }),
    await agentic.post('/articles/generate', { project_id: plain, keyword: 'shoes', notes: 'Some notes on shoes.' }),
    await legacy.post('/keywords/search', { keyword: 'shoes' }),
  ]
  const given = answers.flatMap(({ body }) => urlsIn(body))
  const paths = given.map((url) => new URL(url).pathname)
  expect(new Set(paths.filter((path) => !path.startsWith('/docs/errors/')))).toEqual(
    new Set([
      '/settings/billing',
      '/settings/integrations',
      '/connect/search-console',
      '/settings/provider-keys',
      '/docs/how/search',
    ]),
  )
  const { person } = await signInAsOwner(stack, api)
  const named = namedIn('src').filter(
    (path) => !PROGRAMS.test(path) && path !== '/connect/search-console' && path !== '/docs/errors/',
  )
  expect(named).toContain('/settings/billing')
  for (const address of [...given, ...named]) {
    const page = await person.get(address)
    expect([address, page.status, page.headers.get('content-type')]).toEqual([
      address,
      200,
      expect.stringContaining('text/html'),
    ])
  }
})

it('GET /account names the pages for tasks that only people can do, and so does a guessed path', async () => {
  const api = await newAccount(stack)
  const { pages } = (await api.get('/account')).body as { pages: Record<string, string> }
  expect(Object.keys(pages)).toEqual(['keys', 'people', 'plan', 'applications', 'export'])
  const { person } = await signInAsOwner(stack, api)
  for (const page of Object.values(pages)) expect([(await person.get(page)).url, page]).toEqual([page, page])
  const tried = { '/members': 'people', '/invitations/7': 'people', '/exports/7/files': 'export' }
  for (const [path, page] of Object.entries(tried)) {
    const { status, body } = await api.post(path, {})
    expect([status, body.error], path).toEqual([404, expect.stringContaining(pages[page] ?? 'none')])
  }
  for (const path of ['/keys', '/invitations', '/exports']) {
    const { status, body } = await api.post(path, {})
    expect([status, body.instructions_for_agent], path).toEqual([403, expect.stringContaining(pages.keys ?? 'none')])
  }
})

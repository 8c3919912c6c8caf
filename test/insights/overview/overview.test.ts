import { type SQL, sql } from 'drizzle-orm'
import { expect, inject, test } from 'vitest'
import { signInAsOwner } from '../../accounts/people/browser.ts'
import { connectReceiver, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'

const stack = inject('stack')

type Project = { project_id: number; needs: string; name: string }
type Overview = { projects: Project[]; count: number; total: number }

const run = (statement: SQL) => rowsIn(stack, statement)

test('projects that need a person come first, each with what it needs and its numbers', async () => {
  const api = await newAccount(stack)
  const named = (name: string) => newProject(api, { business_name: name })
  const quiet = await named('A quiet')
  const rewrites = await named('B rewrites')
  const unconnected = await named('C unconnected')
  const waiting = await named('D waiting')
  const unknown = await named('E unknown')
  const failing = await named('F failing')
  for (const project of [quiet, rewrites, waiting, unknown, failing])
    await connectReceiver(api, project, `${stack.receiverUrl}/webhook`, stack.receiverToken)
  const article = await newArticle(api, failing)
  await run(
    sql`update articles set publish_state = 'failed', publish_error = 'The site refused it.' where id = ${article}::int`,
  )
  const lost = await newArticle(api, unknown)
  await run(sql`update articles set publish_state = 'unknown' where id = ${lost}::int`)
  await run(sql`insert into approvals (account_id, project_id, kind, subject, content_hash, proposed, target, requested_by, expires_at)
    values (${api.accountId}::int, ${waiting}::int, 'publish', ${`test:${waiting}`}, 'x', '{}', 'x', 'test', now() + interval '1 day')`)
  await run(sql`insert into suggestions (account_id, project_id, article_title, status, opportunity_type, priority, reason, trigger)
    values (${api.accountId}::int, ${rewrites}::int, 'x', 'ready', 'ctr_underperform', 1, 'x', '{}')`)
  const [at, before] = ['https://a.example/a', 'https://a.example/before']
  for (const [state, status, url] of [
    ['indexed', 'Published', at],
    ['crawled', 'Published', at],
    ['not_measured', 'Published', at],
    // Taken down, and moved to another address since.
    ['indexed', 'Draft', at],
    ['indexed', 'Published', before],
  ]) {
    const seen = await newArticle(api, quiet)
    await run(sql`update articles set status = ${status}, url = ${at}, published_at = now() where id = ${seen}::int`)
    await run(sql`insert into index_states (article_id, project_id, url, state, facts, looked_at)
      values (${seen}::int, ${quiet}::int, ${url}, ${state}, '{}', now())`)
  }
  const { status, body, text } = await api.get('/overview')
  expect(status, text).toBe(200)
  const { projects, count, total } = body as Overview
  expect([count, total]).toEqual([6, 6])
  expect(projects.map((one) => [one.project_id, one.needs])).toEqual([
    [failing, 'failing'],
    [unknown, 'failing'],
    [waiting, 'waiting'],
    [unconnected, 'not_connected'],
    [rewrites, 'rewrites_ready'],
    [quiet, 'nothing'],
  ])
  expect(projects[0]).toMatchObject({ failed: 1, unknown: 0, waiting: 0, indexed: { n: 0, share: null }, clicks: null })
  expect(projects[2]).toMatchObject({ waiting: 1 })
  expect(projects[5]).toMatchObject({ indexed: { n: 2, indexed: 1, share: 0.5 }, target_connected: true })
  expect(((await api.get('/overview?limit=2')).body as Overview).projects.map((one) => one.project_id)).toEqual([
    failing,
    unknown,
  ])

  const { person } = await signInAsOwner(stack, api)
  const page = (await person.get('/sites')).text
  expect(page).toContain(`<a href="/p/${waiting}/approvals">1</a>`)
  expect(page).toContain('1 of 2')
  // The menu names the sites too, in the order of their names.
  const table = page.slice(page.indexOf('<table'))
  expect(table.indexOf('F failing')).toBeLessThan(table.indexOf('D waiting'))
  expect(table.indexOf('D waiting')).toBeLessThan(table.indexOf('A quiet'))
})

test('an account sees only its own active projects', async () => {
  const [api, other] = [await newAccount(stack), await newAccount(stack)]
  const [own, archived] = [await newProject(api), await newProject(api)]
  await newProject(other)
  await api.post(`/projects/${archived}/archive`)
  expect(((await api.get('/overview')).body as Overview).projects.map((one) => one.project_id)).toEqual([own])
})

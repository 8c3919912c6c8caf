import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessOf, type StackAccess } from '../../publishing/scene.ts'
import { newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { borrowTestStack, type TestStack } from '../../support/stack.ts'
import { creditsOf, FULL, tick } from './scene.ts'

// A stack of its own, whose cron no other test runs.
let stack: TestStack
let access: StackAccess
beforeAll(async () => {
  stack = await borrowTestStack()
  access = accessOf(stack)
})
afterAll(() => stack.close())

it('not more than three articles of one project are in the writer’s hands at once', async () => {
  const api = await newAccount(access)
  const project = await newProject(api)
  const scheduled_date = new Date(Date.now() + 48 * 3_600_000).toISOString()
  for (let n = 0; n < 5; n += 1) await newArticle(api, project, { ...FULL, status: 'Planned', scheduled_date })
  await rowsIn(
    access,
    sql`insert into articles (account_id, project_id, status, title, main_keyword, slug, writing_started_at)
      values (${api.accountId}::int, ${project}::int, 'Generating', 't', 'k', 'held', now())`,
  )
  await tick(access)
  // The notes of these two are sufficient, so their credits stay spent, whenever they are written.
  expect(await creditsOf(access, api.accountId)).toBe(28)
})

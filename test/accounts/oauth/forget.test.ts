import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { forgetGrants } from '../../../src/accounts/oauth/store.ts'
import { systemDeps } from '../../publishing/system.ts'
import { rowsIn } from '../../support/client.ts'
import { sweepTable } from '../../support/sweep.ts'
import { withTokens } from './flow.ts'

const stack = inject('stack')

it('a grant that was not refreshed is deleted with its key; a valid one stays', async () => {
  const [old, current] = [await withTokens(stack), await withTokens(stack)]
  const [, grant] = old.refreshToken.split(':')
  await rowsIn(
    stack,
    sql`update oauth_records set expires_at = now() - interval '1 minute' where key like ${`grant:%:${grant}`}`,
  )
  expect(await forgetGrants(systemDeps(stack))).toBeGreaterThanOrEqual(1)
  expect((await old.visitor.get('/settings/applications')).text).toContain('No application is connected.')
  expect((await current.visitor.get('/settings/applications')).text).toContain('Test &lt;agent&gt;')
  expect((await current.refresh(current.refreshToken)).status).toBe(200)
})

it('sessions that ended are forgotten, others stay', async () => {
  const { visitor, email } = await withTokens(stack)
  const sessions = () =>
    rowsIn<{ id: string }>(
      stack,
      sql`select s.id from person_sessions s join people p on p.id = s.user_id where p.email = ${email}`,
    )
  await sweepTable(stack, 'person_sessions')
  expect(await sessions()).toHaveLength(1)
  expect((await visitor.get('/settings')).url).toBe(`${stack.url}/settings`)
  await rowsIn(
    stack,
    sql`update person_sessions set expires_at = now() - interval '1 minute' where user_id in (select id from people where email = ${email})`,
  )
  await sweepTable(stack, 'person_sessions')
  expect(await sessions()).toHaveLength(0)
})

it('all expired mailed tokens are deleted, however many', async () => {
  const name = `many-${crypto.randomUUID()}`
  const ours = sql`identifier = ${name}`
  await rowsIn(
    stack,
    sql`insert into person_verifications (id, identifier, value, expires_at)
      select ${name} || n, ${name}, '', now() + case when n > 1500 then interval '1 hour' else interval '-1 day' end
      from generate_series(1, 1502) n`,
  )
  await sweepTable(stack, 'person_verifications')
  expect(await rowsIn(stack, sql`select count(*)::int as n from person_verifications where ${ours}`)).toEqual([
    { n: 2 },
  ])
  await rowsIn(stack, sql`delete from person_verifications where ${ours}`)
})

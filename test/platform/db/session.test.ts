import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { rowsIn } from '../../support/client.ts'

it('sessions begin without the compiler of plans, which takes longer than any statement here runs', async () => {
  const [row] = await rowsIn<{ setconfig: string[] }>(
    inject('stack'),
    sql`select setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase where datname = current_database()`,
  )
  expect(row?.setconfig).toEqual(['jit=off'])
})

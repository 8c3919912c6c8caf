import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { rowsIn } from '../../support/client.ts'

it('an index finds the rows that refer to a deleted row', async () => {
  // Accounts and projects go by a command of an operator, and with them all that is theirs.
  const unsupported = await rowsIn(
    inject('stack'),
    sql`select c.conrelid::regclass::text as of, a.attname as column, c.confrelid::regclass::text as to
      from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid::regclass::text not in ('accounts', 'projects')
        and not exists (
          select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
            and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)))`,
  )
  expect(unsupported).toEqual([])
})

import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { articles } from '../../../schema/articles.ts'
import { instantOf } from '../../../src/platform/db/instant.ts'
import { rowsIn } from '../../support/client.ts'

const stack = inject('stack')

const YEARS = ['1970', '2026', '2107', '2400', '5138', '9999']

it('reads every millisecond of a second exactly, in any year an instant may lie in', {
  tags: ['services'],
}, async () => {
  const given = YEARS.flatMap((year) =>
    Array.from({ length: 1_000 }, (_, ms) => Date.UTC(Number(year), 10, 30, 23, 59, ms % 60, ms)),
  )
  const texts = given.map((ms) => new Date(ms).toISOString())
  const rows = await rowsIn<{ ms: number }>(
    stack,
    sql`select ${instantOf(articles.scheduledAt)} as ms from unnest(${sql.param(texts)}::timestamptz(3)[]) with ordinality as articles (scheduled_at, n) order by n`,
  )
  expect(rows.map(({ ms }) => ms)).toEqual(given)
})

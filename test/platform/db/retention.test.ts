import { is, sql } from 'drizzle-orm'
import { getTableConfig, IndexedColumn, type PgTable } from 'drizzle-orm/pg-core'
import { expect, inject, it } from 'vitest'
import { RETENTION } from '../../../schema/retention.ts'
import { SWEPT, sweepOf } from '../../../src/platform/db/retention.ts'
import { newAccount, rowsIn } from '../../support/client.ts'
import { connectedProject } from '../../support/story.ts'
import { sweepTable } from '../../support/sweep.ts'
import { TABLES } from '../../support/tables.ts'

const stack = inject('stack')

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

it('every table says how long its rows are kept', () => {
  const names = TABLES.map((table) => getTableConfig(table).name)
  expect(Object.keys(RETENTION).map(snake).sort()).toEqual(names.sort())
})

/** First columns of a table's indexes, unique or not, and of its primary key. */
const indexedFirst = (table: PgTable): string[] => {
  const { columns, primaryKeys, indexes } = getTableConfig(table)
  const first = indexes.map(({ config }) => config.columns[0])
  return [
    ...columns.filter(({ primary }) => primary).map(({ name }) => name),
    ...primaryKeys.flatMap(({ columns: [column] }) => (column ? [column.name] : [])),
    ...first.flatMap((column) => (is(column, IndexedColumn) && column.name ? [column.name] : [])),
  ]
}

it.each(SWEPT.map((rule) => [rule.table, rule] as const))('old rows of %s are found by an index', (name, rule) => {
  const table = TABLES.find((one) => getTableConfig(one).name === name)
  if (!table) throw new Error(name)
  expect(indexedFirst(table)).toContain(snake(rule.order ?? rule.by))
})

it.each(SWEPT.filter(({ sweep }) => sweep === undefined).map((rule) => [rule.table, rule] as const))(
  'the statement for %s runs',
  async (_, rule) => {
    // The year 1970: nothing is old enough.
    expect(
      await rowsIn(stack, sql`with gone as (${sweepOf(rule, new Date(0), 10)} returning 1) select * from gone`),
    ).toEqual([])
  },
)

it('screenshots are forgotten after 90 days, and younger ones stay', async () => {
  const api = await newAccount(stack)
  const shot = async (days: number) => {
    const id = `01TEST${crypto
      .randomUUID()
      .replaceAll('-', '')
      .slice(0, 20)
      .toUpperCase()
      .replaceAll(/[ILOU]/g, '0')}`
    await rowsIn(
      stack,
      sql`insert into screenshots (shot_id, account_id, url, name, state, reason, created_at) values (${id},
        ${api.accountId}::int, 'https://example.com', 'Example', 'failed', 'http_error', now() - ${days}::int * interval '1 day')`,
    )
    return id
  }
  const [old, young] = [await shot(91), await shot(89)]
  await sweepTable(stack, 'screenshots')
  expect((await api.get(`/screenshots/${old}`)).status).toBe(404)
  expect((await api.get(`/screenshots/${young}`)).status).toBe(422)
})

it('records of adoptions that ended 90 days ago are forgotten; running ones stay, however old', async () => {
  const api = await newAccount(stack)
  const project = await connectedProject(api, stack)
  const adoption = async (state: string, days: number) => {
    const [row] = await rowsIn<{ id: number }>(
      stack,
      sql`insert into adoptions (account_id, project_id, integration_id, state, updated_at)
        select account_id, project_id, id, ${state}, now() - ${days}::int * interval '1 day' from integrations
        where project_id = ${project}::int returning id`,
    )
    return row?.id
  }
  const running = await adoption('running', 91)
  await adoption('done', 91)
  const young = await adoption('done', 89)
  await sweepTable(stack, 'adoptions')
  expect(await rowsIn(stack, sql`select id from adoptions where project_id = ${project}::int order by id`)).toEqual([
    { id: running },
    { id: young },
  ])
})

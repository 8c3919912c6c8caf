import { and, eq, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import { given, list, query, read, select } from '../../../src/platform/db/read-parts.ts'
import { countOf, statement } from '../../../src/platform/db/statement.ts'
import { insert, overwritten, update } from '../../../src/platform/db/write-parts.ts'

const textOf = (piece: ReturnType<typeof statement>) => new PgDialect().sqlToQuery(piece)
const old = () => read('old', articles, { id: articles.id }, { where: sql`${articles.id} = 7`, lock: 'update' })

describe('a statement of parts', () => {
  it('joins parts in their order, with values in their columns’ types', () => {
    const held = old()
    const changed = update(
      'changed',
      articles,
      { title: 'New', tags: ['a', 'b'] },
      { from: [held], where: sql`${articles.id} = ${held.c.id}`, returning: { id: articles.id } },
    )
    const { sql: text, params } = textOf(
      statement({ unaudited: 'a test', parts: [held, changed], answer: { id: changed.c.id } }),
    )
    expect(text.replace(/\s+/g, ' ')).toBe(
      'with "old" as materialized (select "articles"."id" as "id" from "articles" where "articles"."id" = 7 for update of "articles"), ' +
        '"changed" as (update "articles" set "title" = $1::text, "tags" = $2::text[] from "old" where "articles"."id" = "old"."id" returning "articles"."id" as "id") ' +
        'select "changed"."id" as "id" from "changed"',
    )
    expect(params).toEqual(['New', '{"a","b"}'])
  })

  it('keeps no value: the same statement for another account has the same text and that account’s values', () => {
    const of = (account: number, title: string) => {
      const where = sql`${and(eq(articles.accountId, account), eq(articles.title, title))}`
      const changed = update('changed', articles, { title, updatedAt: new Date(account) }, { where })
      return textOf(statement({ unaudited: 'a test', parts: [changed], answer: { one: changed.c.one } }))
    }
    const [first, second] = [of(1, 'Mine'), of(2, 'Yours')]
    expect(second.sql).toBe(first.sql)
    expect(first.params).toEqual(['Mine', new Date(1).toISOString(), 1, 'Mine'])
    expect(second.params).toEqual(['Yours', new Date(2).toISOString(), 2, 'Yours'])
  })

  it('refuses two parts of one name', () => {
    expect(() => statement({ unaudited: 'a test', parts: [old(), old()], answer: { one: sql`1` } })).toThrow(
      'two parts of a statement are named "old"',
    )
  })

  it('refuses a part that refers to one which is missing or stands behind it', () => {
    const held = old()
    const changed = update('changed', articles, { title: 'New' }, { from: [held], where: sql`${held.hasRows}` })
    const said = 'the part "changed" refers to the part "old", which does not stand before it'
    expect(() => statement({ unaudited: 'a test', parts: [changed], answer: { one: sql`1` } })).toThrow(said)
    expect(() => statement({ unaudited: 'a test', parts: [changed, held], answer: { one: sql`1` } })).toThrow(said)
  })

  it('refuses an answer made of a part that is missing', () => {
    const held = old()
    expect(() => statement({ unaudited: 'a test', parts: [], answer: { id: held.c.id } })).toThrow(
      'the answer refers to the part "old", which does not stand before it',
    )
  })

  it('refuses a column that the table does not have', () => {
    const row = { nonsense: 1 } as unknown as typeof projects.$inferInsert
    expect(() => insert('made', projects, row)).toThrow('projects has no column nonsense')
  })

  it('takes rows that are handed in, and any other query', () => {
    const wanted = given('wanted', { id: list(articles.id, [1, 2]), title: list(articles.title, ['x', 'y']) })
    const counted = query('counted', ['rows'], sql`select count(*) as rows from ${wanted.rows}`)
    const { sql: text, params } = textOf(
      statement({ unaudited: 'a test', parts: [wanted, counted], answer: { rows: counted.c.rows } }),
    )
    expect(text).toContain(
      '"wanted" as (select * from unnest($1::integer[], $2::text[]) with ordinality as given ("id", "title", "n"))',
    )
    expect(params).toEqual([
      [1, 2],
      ['x', 'y'],
    ])
  })

  it('selects from any join, and answers from rows that are named', () => {
    const held = old()
    const owners = select(
      'owners',
      { owner: projects.accountId },
      sql`from ${projects} join ${held.rows} on ${held.c.id} = ${projects.id}`,
      { materialized: true },
    )
    const write = {
      unaudited: 'a test',
      parts: [held, owners],
      answer: { articles: countOf(held), owner: owners.c.owner },
      answerFrom: owners.rows,
      answerOrder: owners.c.owner,
    }
    const text = textOf(statement(write)).sql.replace(/\s+/g, ' ')
    expect(text).toContain(
      '"owners" as materialized (select "projects"."account_id" as "owner" from "projects" join "old" on "old"."id" = "projects"."id") ' +
        'select (select count(*)::int from "old") as "articles", "owners"."owner" as "owner" from "owners" order by "owners"."owner"',
    )
    expect(() => statement({ ...write, parts: [held], answer: { one: sql`1` } })).toThrow(
      'the answer refers to the part "owners"',
    )
  })

  it('gives a row that is there the values it would have been inserted with', () => {
    const row = { accountId: 1, websiteUrl: 'https://a.example', websiteKey: 'a.example' }
    const target = { columns: [projects.id], set: overwritten({ websiteUrl: projects.websiteUrl }) }
    const made = insert('made', projects, row, { onConflict: target })
    expect(textOf(statement({ unaudited: 'a test', parts: [made], answer: { one: made.c.one } })).sql).toContain(
      'on conflict ("id") do update set "website_url" = excluded."website_url"',
    )
  })
})

import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { type Api, newAccount, newProject, rowsIn } from '../support/client.ts'
import { manyKeys, rowsOf } from '../support/keys.ts'

const stack = inject('stack')

type Row = { id: number; title: string; status: string; project: number; at: string }

/** The index of words holds articles by spans of so many ids; these are above all that other tests have. */
const SPAN = 32_768
const NEWEST = 30_000
const OLDEST = NEWEST - 20
/** A span that has many rows by itself, behind most others. */
const DEEP = NEWEST - 15
const idIn = (span: number, at: number): number => span * SPAN + at

/** Rows with neither word, so many that the newest thousand below a place are among them. */
const plain = (span: number): [number, string][] =>
  Array.from({ length: 1_200 }, (_, n) => [idIn(span, 100 + n), `Plank ${n}`])

/** Rows about elm and ash at both ends of each span and within it. */
const titled = (): [number, string][] => {
  const spans = Array.from({ length: NEWEST - OLDEST }, (_, n) => OLDEST + n)
  const elm = spans.flatMap((span) => [1, 7_000, 15_001, 25_000, SPAN - 1].map((at) => idIn(span, at)))
  const ash = spans.flatMap((span) => [0, 50, SPAN - 2].map((at) => idIn(span, at)))
  return [
    ...[...elm, idIn(NEWEST, 0), idIn(NEWEST, 80)].map((id): [number, string] => [id, 'Planks of elm']),
    ...[...ash, idIn(NEWEST, 1_300)].map((id): [number, string] => [id, 'Planks of ash']),
    ...plain(NEWEST),
    ...plain(DEEP),
  ]
}

describe('GET /articles?q= of an account whose articles lie in many spans of the index of words', () => {
  let api: Api
  let rows: Row[]
  let projects: number[]

  const fill = async (to: Api, given: readonly Row[]) =>
    await rowsIn(
      stack,
      sql`insert into articles (id, account_id, project_id, status, title, main_keyword, slug, updated_at)
        select id, ${to.accountId}::int, project, status, title, 'planks', 'plank-' || id, at::timestamptz
        from json_to_recordset(${JSON.stringify(given)}::json) as given(id int, title text, status text, project int, at text)
        order by md5(id::text)`,
    )

  /** The ids there are to be, newest first. */
  const wanted = (word: string, keep: (row: Row) => boolean = () => true): number[] =>
    rows
      .filter((row) => row.title.includes(word) && keep(row))
      .map(({ id }) => id)
      .sort((a, b) => b - a)

  /** The ids of all pages one after another, by offset or below the last row. */
  const walk = async (query: string, cursor: 'next_offset' | 'before_id'): Promise<unknown[]> => {
    const name = cursor === 'before_id' ? cursor : 'offset'
    const seen: unknown[] = []
    for (let from = ''; ; ) {
      const { status, body, text } = await api.get(`/articles?${query}${from}`)
      if (status !== 200) throw new Error(text)
      seen.push(...rowsOf(body, 'articles').map((row) => row.ID))
      if (body[cursor] === null) return seen
      from = `&${name}=${String(body[cursor])}`
    }
  }

  beforeAll(async () => {
    api = manyKeys(stack, await newAccount(stack))
    const outsider = await newAccount(stack)
    projects = [await newProject(api), await newProject(api)]
    rows = titled().map(([id, title]) => ({
      id,
      title,
      status: id % 2 === 0 ? 'Draft' : 'Planned',
      project: projects[id % 3 === 0 ? 1 : 0] ?? 0,
      at: id < idIn(NEWEST - 5, 0) ? '2031-01-01T00:00:00Z' : '2031-06-01T00:00:00Z',
    }))
    await fill(api, rows)
    const theirs = await newProject(outsider)
    await fill(
      outsider,
      wanted('Planks').map((id) => ({
        id: id + 10,
        title: 'Planks of elm and ash',
        status: 'Draft',
        project: theirs,
        at: '2031-06-01',
      })),
    )
  })

  it.each(['next_offset', 'before_id'] as const)('shows each once, newest first, by %s', async (cursor) => {
    expect(await walk('q=of+elm&limit=9', cursor)).toEqual(wanted('of elm'))
    expect(await walk('q=elm&limit=25', cursor)).toEqual(wanted('elm'))
    // One of the newest thousand is about it.
    expect(await walk('q=ash&limit=20', cursor)).toEqual(wanted('ash'))
    expect(await walk('q=ash', cursor)).toEqual(wanted('ash'))
  })

  it('goes on below any row', async () => {
    for (const before of [idIn(DEEP, 1_300), idIn(NEWEST, 1_250), idIn(NEWEST - 3, 7_000), idIn(OLDEST, 2)]) {
      const { body } = await api.get(`/articles?q=elm&limit=7&before_id=${before}`)
      const below = wanted('elm', ({ id }) => id < before)
      expect(rowsOf(body, 'articles').map((row) => row.ID)).toEqual(below.slice(0, 7))
      expect(body.before_id).toBe(below.length > 7 ? below[6] : null)
    }
  })

  it('takes other filters beside', async () => {
    const all = async (query: string) => await walk(`${query}&limit=6`, 'next_offset')
    expect(await all('q=elm&status=Draft')).toEqual(wanted('elm', ({ status }) => status === 'Draft'))
    expect(await all('q=elm&status=Draft,Planned&publish_state=idle')).toEqual(wanted('elm'))
    expect(await all(`q=elm&project_id=${projects[1]}`)).toEqual(wanted('elm', (row) => row.project === projects[1]))
    expect(await all('q=elm&updated_after=2031-03-01')).toEqual(wanted('elm', ({ at }) => at > '2031-03'))
    expect(await all('q=elm&updated_after=2031-03-01T00:00:00Z&status=Planned')).toEqual(
      wanted('elm', ({ at, status }) => at > '2031-03' && status === 'Planned'),
    )
    expect(await all('q=elm&publish_state=failed')).toEqual([])
  })
})

import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { type Api, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys, rowsOf } from '../../support/keys.ts'

const stack = inject('stack')

type Row = { id: number; title: string; status: string; project: number; at: string }

/** Ids above all that other tests have. */
const FIRST = 900_000_000
/** More than a search looks at before it asks the index of words: 3,000. */
const PLAIN = 3_400
const NEWEST = FIRST + PLAIN

/** Rows about elm and ash: among the newest, at both sides of the last that is looked at one by one, and among the oldest. */
const ABOUT: Record<string, readonly number[]> = {
  elm: [0, 1, 2, 7, 150, 2_900, 2_990, ...Array.from({ length: 24 }, (_, n) => 2_995 + n), 3_300, 3_399],
  ash: [1_300, 3_000, 3_001, 3_200, 3_201, 3_398],
}

/** Returns each id with its title, the newest first. */
const titled = (): [number, string][] =>
  Array.from({ length: PLAIN }, (_, n): [number, string] => {
    const about = Object.keys(ABOUT).find((word) => ABOUT[word]?.includes(n))
    return [NEWEST - n, about ? `Planks of ${about}` : `Plank ${n}`]
  })

describe('GET /articles?q= of an account with more articles than a search looks at one by one', () => {
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

  /** Returns the ids there are to be, newest first. */
  const wanted = (word: string, keep: (row: Row) => boolean = () => true): number[] =>
    rows
      .filter((row) => row.title.includes(word) && keep(row))
      .map(({ id }) => id)
      .sort((a, b) => b - a)

  /** Returns the ids of all pages one after another, by offset or below the last row. */
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
      at: id < NEWEST - 3_005 ? '2031-01-01T00:00:00Z' : '2031-06-01T00:00:00Z',
    }))
    await fill(api, rows)
    const theirs = await newProject(outsider)
    await fill(
      outsider,
      wanted('Planks').map((id) => ({
        id: id + PLAIN,
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
    expect(await walk('q=ash&limit=20', cursor)).toEqual(wanted('ash'))
    expect(await walk('q=ash', cursor)).toEqual(wanted('ash'))
  })

  it('continues below any row', async () => {
    for (const before of [NEWEST, NEWEST - 8, NEWEST - 2_997, NEWEST - 3_350]) {
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

import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { STORED } from '../../bench/storage.ts'
import { newAccount, rowsIn } from '../../support/client.ts'
import { connectedProject, publishedArticle } from '../../support/story.ts'

const stack = inject('stack')

const WORDS =
  'garden bench timber oak larch cedar plane joint screw stain weather winter measure length width seat slat frame leg careful'.split(
    ' ',
  )

/** Returns HTML of many different words, which compresses about as well as an article does. */
const html = (words: number): string => {
  let seed = 7
  const next = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return `${WORDS[seed % WORDS.length]}${seed % 5 === 0 ? (seed % 97).toString(36) : ''}`
  }
  const paragraph = (_: unknown, n: number) =>
    `${n % 4 === 0 ? `<h2>${next()} ${next()} ${next()}</h2>` : ''}<p>${Array.from({ length: 60 }, next).join(' ')}.</p>`
  return Array.from({ length: words / 60 }, paragraph).join('')
}

it('the rows of an article take about the bytes by which the cost of storage is counted', async () => {
  const api = await newAccount(stack)
  const project = await connectedProject(api, stack)
  const id = await publishedArticle(api, project, { content: html(1_200) })
  await api.put(`/articles/${id}`, { content: html(1_140) })
  const bytes = async (of: ReturnType<typeof sql>): Promise<number> =>
    Number(
      (
        await rowsIn<{ bytes: string }>(
          stack,
          sql`select coalesce(round(avg(pg_column_size(t.*))), 0)::int as bytes from ${of}`,
        )
      )[0]?.bytes,
    )
  const measured = {
    article: await bytes(sql`articles t where id = ${id}::int`),
    revision: await bytes(sql`article_revisions t where article_id = ${id}::int`),
    delivery: await bytes(sql`deliveries t where article_id = ${id}::int`),
    attempt: await bytes(
      sql`delivery_attempts t where delivery_id in (select id from deliveries where article_id = ${id}::int)`,
    ),
    entry: await bytes(sql`audit_log t where subject = ${`article:${id}`}`),
  }
  for (const [name, size] of Object.entries(measured)) {
    expect(size, name).toBeGreaterThan(0)
    expect(STORED[name as keyof typeof measured].bytes / size, name).toBeGreaterThan(0.6)
    expect(STORED[name as keyof typeof measured].bytes / size, name).toBeLessThan(1.7)
  }
})

import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import type { Pictures, Writer } from '../../../src/content/writing/port.ts'
import { continueWriting } from '../../../src/content/writing/step.ts'
import { systemFor } from '../../publishing/system.ts'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { creditsOf } from './scene.ts'

const stack = inject('stack')

const NO_PICTURES: Pictures = {
  images: { make: async () => ({ kind: 'none' }) },
  cards: { render: async () => ({ kind: 'away', reason: 'none here' }) },
  videos: { isOpen: false, search: async () => ({ kind: 'closed' }) },
}

/** Returns an article that is being written, with no job of its own: the tests run its steps themselves. */
const beingWritten = async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const [article] = await rowsIn<{ id: number }>(
    stack,
    sql`with made as (insert into articles (account_id, project_id, status, title, main_keyword, slug, writing_started_at)
        values (${api.accountId}::int, ${project}::int, 'Generating', 'sheds', 'sheds', 'sheds', now()) returning id),
      begun as (insert into article_writings (article_id, kind, notes, credit_taken, started_at)
        select id, 'generate', 'Oak lasts.', true, now() from made)
      select id from made`,
  )
  const id = Number(article?.id)
  return {
    api,
    id,
    run: (writer: Writer) => continueWriting(systemFor(stack, api.accountId), { writer, pictures: NO_PICTURES }, id),
  }
}

const outline = {
  title: 'Sheds',
  metaDescription: '',
  sections: ['', 'Oak', 'Pine', 'Cedar'].map((heading) => ({ heading, points: [] })),
}

/** Writes sections that name themselves, after a pause in which another run can catch up. */
const slowWriter = (pauseMs: () => number, asked: number[] = []): Writer => ({
  outline: async () => ({ kind: 'done', value: outline }),
  section: async ({ index }) => {
    asked.push(index)
    await new Promise((resolve) => setTimeout(resolve, pauseMs()))
    return { kind: 'done', value: `<p>Sheds of section ${['zero', 'one', 'two', 'three'][index]}.</p>` }
  },
  repair: async () => ({ kind: 'kept' }),
  headline: async () => ({ kind: 'kept' }),
})

it('two runs of one writing side by side save every step once', { tags: ['services'] }, async () => {
  const { api, id, run } = await beingWritten()
  const writer = slowWriter(() => 5 + Math.random() * 20)
  await Promise.all([run(writer), run(writer), run(writer)])
  // A run that lost a step has stopped. The rest is run again, as the queue would.
  for (let again = 0; again < 5; again += 1) await run(writer)
  const { body } = await api.get(`/articles/${id}`)
  expect(body.Status).toBe('Draft')
  const said = (body.Content as string).match(/section (zero|one|two|three)/g)
  expect(said).toEqual(['section zero', 'section one', 'section two', 'section three'])
  // The text fails its checks: its credit is given back once.
  expect(await creditsOf(stack, api.accountId)).toBe(31)
})

it('a writing that two runs give up gives one credit back', { tags: ['services'] }, async () => {
  const { api, id, run } = await beingWritten()
  const refuses: Writer = {
    ...slowWriter(() => 0),
    outline: async () => ({ kind: 'refused', reason: 'No.', retryable: false }),
  }
  await Promise.all(Array.from({ length: 6 }, () => run(refuses)))
  expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Draft', Content: '<p>Oak lasts.</p>' })
  expect(await creditsOf(stack, api.accountId)).toBe(31)
})

it('a run that is overtaken at the end changes nothing of the finished article', async () => {
  const { api, id, run } = await beingWritten()
  const writer = slowWriter(() => 0)
  const overtaken: Writer = {
    ...writer,
    repair: async () => {
      await run(writer)
      await api.put(`/articles/${id}`, { title: 'Sheds of mine' })
      return { kind: 'kept' }
    },
  }
  await run(overtaken)
  expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Draft', Title: 'Sheds of mine' })
  expect(await creditsOf(stack, api.accountId)).toBe(31)
})

it('continues where it stopped: a saved step is not requested again', async () => {
  const { id, run } = await beingWritten()
  const asked: number[] = []
  const dies = slowWriter(() => 0, asked)
  await expect(
    run({ ...dies, section: (input) => (input.index === 2 ? Promise.reject(new Error('died')) : dies.section(input)) }),
  ).rejects.toThrow('died')
  const [row] = await rowsIn<{ progress: unknown }>(stack, sql`select progress from articles where id = ${id}::int`)
  expect(row?.progress).toEqual({ step: 3, of: 6, percent: 50, label: 'Writing "Pine"' })
  await run(dies)
  expect(asked).toEqual([0, 1, 2, 3])
})

import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cron, flush, type Means, meansOf, openScene, type Scene } from '../publishing/scene.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'
import { both, type Model, type ModelArticle, minute, type Operation, type Words } from './article-model.ts'
import { type ArticleSequence, articleSequence, type Beginning, type Turn, type Wanted } from './article-sequences.ts'

/** LONG_SEQUENCES asks for more, and lifts the limit of time. */
const SEQUENCES = Number(process.env.LONG_SEQUENCES ?? 500)
const TIME_LIMIT_MS = process.env.LONG_SEQUENCES ? SEQUENCES * 5_000 : 170_000

let stack: TestStack
let means: Means
let scene: Scene

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 1_000 })
  means = meansOf(stack)
  scene = await openScene(means)
  // A plan without the writer: nobody but the two agents and the clock touches an article.
  await scene.rows(sql`update accounts set plan = 'agentic' where id = ${scene.api.accountId}::int`)
})
afterAll(async () => {
  await scene.receiver.close()
  await stack.close()
})

const DATES = { past: '2026-01-05T09:00:00Z', future: '2099-01-05T09:00:00Z' }
const LONG = 'long words '.repeat(240)

let counter = 0
const mark = (): string => {
  counter += 1
  return `mark${counter}x`
}

const htmlOf = ({ mark: text, long }: Words): string =>
  text === null ? '' : `<h2>About ${text}</h2><p>${text} ${long ? LONG : 'short words'}</p>`

const wordsOf = (size: 'none' | 'short' | 'long' = 'short'): Words =>
  size === 'none' ? { mark: null, long: false } : { mark: mark(), long: size === 'long' }

const operationOf = (wanted: Wanted, model: Model): Operation => {
  if (wanted.kind === 'write' || wanted.kind === 'sync') return { ...wanted, words: wordsOf(wanted.size) } as Operation
  if (wanted.kind === 'retitle') return { ...wanted, title: `Title ${mark()}` } as Operation
  if (wanted.kind !== 'restore') return wanted as Operation
  const newest = model.articles[wanted.article]?.revision ?? 1
  return { ...wanted, revision: Math.max(1, newest - (wanted.back ?? 0)) } as Operation
}

/** Does what the operation says; status, and the code of a refusal, as the model names them. */
const call = async (ids: number[], op: Operation): Promise<string> => {
  const path = `/articles/${ids[op.article] ?? 0}`
  const { api } = scene
  const calls: Record<Operation['kind'], () => ReturnType<typeof api.get>> = {
    write: () => api.put(path, { content: 'words' in op ? htmlOf(op.words) : '' }),
    retitle: () => api.put(path, { title: 'title' in op ? op.title : '' }),
    plan: () =>
      api.put(path, { status: 'Planned', ...('date' in op && op.date ? { scheduled_date: DATES[op.date] } : {}) }),
    make_draft: () => api.put(path, { status: 'Draft' }),
    unschedule: () => api.put(path, { scheduled_date: null }),
    reschedule: () => api.put(path, { scheduled_date: 'date' in op && op.date ? DATES[op.date] : null }),
    publish: () => api.post(`${path}/publish`),
    sync: () => api.post(`${path}/sync`, { content: 'words' in op ? htmlOf(op.words) : '' }),
    remove: () => api.del(path),
    brief: () => api.get(`${path}/brief`),
    restore: () => api.post(`${path}/revisions/${'revision' in op ? op.revision : 1}/restore`),
  }
  const { status, body } = await calls[op.kind]()
  if (op.kind === 'brief' && status === 200) return `200 ${(body.claim as { claimable: boolean }).claimable}`
  return status >= 400 ? `${status} ${body.code}` : String(status)
}

type Seen = Pick<ModelArticle, 'status' | 'date' | 'mark' | 'title' | 'claimed' | 'state'> & { revision: number }

const seenOf = async (id: number): Promise<Seen | null> => {
  const { status, body } = await scene.api.get(`/articles/${id}`)
  if (status === 404) return null
  const at = body.ScheduledAt as string | null
  return {
    status: body.Status as ModelArticle['status'],
    date: at === null ? null : at.startsWith('2026') ? 'past' : 'future',
    mark: /mark\d+x/.exec(body.Content as string)?.[0] ?? null,
    title: body.Title as string,
    claimed: body.Claimed as boolean,
    state: body.PublishState as ModelArticle['state'],
    revision: body.Revision as number,
  }
}

const shownBy = (a: ModelArticle | null): Omit<Seen, 'revision'> | null =>
  a && { status: a.status, date: a.date, mark: a.mark, title: a.title, claimed: a.claimed, state: a.state }

const isSeen = (a: ModelArticle | null, seen: Seen | null): boolean => {
  if (!a || !seen) return a === seen
  const { revision, ...rest } = seen
  // Publication keeps what it made of an unclaimed article as one more revision.
  return JSON.stringify(rest) === JSON.stringify(shownBy(a)) && (revision === a.revision || revision === a.revision + 1)
}

/** Takes over the revision that publication may have made: the same words under the next number. */
const withRevision = (a: ModelArticle | null, seen: Seen | null): ModelArticle | null => {
  if (!a || !seen || seen.revision === a.revision) return a
  const same = { title: a.title, mark: a.mark, long: a.long }
  return { ...a, revision: seen.revision, versions: { ...a.versions, [seen.revision]: same } }
}

/** The one of the possible ends that is seen. Throws when none is. */
const match = async (ids: number[], ends: Model[], what: unknown): Promise<Model> => {
  const seen = await Promise.all(ids.map(seenOf))
  const found = ends.find((end) => end.articles.every((a, n) => isSeen(a, seen[n] ?? null)))
  if (!found)
    throw new Error(
      `no order explains ${JSON.stringify({ what, seen, ends: ends.map((e) => e.articles.map(shownBy)) })}`,
    )
  return { ...found, articles: found.articles.map((a, n) => withRevision(a, seen[n] ?? null)) }
}

const openDue = async (): Promise<number> => {
  const [row] = await scene.rows<{
    open: string
  }>(sql`select count(*) as open from articles where account_id = ${scene.api.accountId}::int
    and status = 'Planned' and scheduled_at <= now() and publish_state in ('idle', 'publishing')`)
  return Number(row?.open)
}

/** Cron and queue until nothing that is due is left, however many minutes' allowance that takes. */
const passMinute = async (): Promise<void> => {
  for (let round = 0; round < 20; round += 1) {
    await scene.rows(sql`update accounts set published_in_minute = 0 where id = ${scene.api.accountId}::int`)
    await cron(means)
    await flush(means, true)
    if ((await openDue()) === 0) return
  }
  throw new Error('articles that are due are left behind')
}

const take = async (ids: number[], model: Model, turn: Turn): Promise<Model> => {
  if (turn.kind === 'receiver') {
    await scene.mood({ mode: turn.mode })
    return { ...model, receiver: turn.mode }
  }
  if (turn.kind === 'minute') {
    await passMinute()
    return await match(ids, [minute(model)], 'minute')
  }
  const [a, b] = [operationOf(turn.a, model), operationOf(turn.b, model)]
  const answers = await Promise.all([call(ids, a), call(ids, b)])
  const ends = both(model, a, b).filter((end) => JSON.stringify(end.answers) === JSON.stringify(answers))
  return await match(
    ids,
    ends.map((end) => end.model),
    { a, b, answers },
  )
}

const begin = async ({ status, date, words: size }: Beginning): Promise<{ id: number; article: ModelArticle }> => {
  const words = wordsOf(size)
  const title = `Title ${mark()}`
  const { body } = await scene.api.post('/articles', {
    project_id: scene.projectId,
    keyword: title,
    status,
    content: htmlOf(words),
    ...(date ? { scheduled_date: DATES[date] } : {}),
  })
  const claimed = status === 'Planned' && words.long
  const article: ModelArticle = {
    status,
    date,
    ...words,
    title,
    claimed,
    state: 'idle',
    taken: false,
    revision: 1,
    versions: { 1: { title, ...words } },
  }
  return { id: body.article_id as number, article }
}

/** What is published is at the receiver once, as it is saved (a sync that failed aside). */
const expectPosts = async (ids: number[], model: Model): Promise<void> => {
  const posts = await scene.posts()
  for (const [n, a] of model.articles.entries()) {
    const mine = posts.filter((post) => post.article_id === String(ids[n]))
    expect(mine.length).toBeLessThanOrEqual(1)
    if (a?.status !== 'Published') continue
    expect(mine).toMatchObject([{ status: 'Published' }])
    if (a.state === 'idle') expect(mine[0]?.content_html).toContain(a.mark)
  }
}

/** Credits are the sum of their ledger, and no account spent what it had not. */
const expectBooksInOrder = async (): Promise<void> => {
  const wrong =
    await scene.rows(sql`select p.id, p.backlink_credits, coalesce(sum(l.delta), 0) as booked from projects p
    left join exchange_ledger l on l.project_id = p.id group by p.id having p.backlink_credits <> coalesce(sum(l.delta), 0)`)
  expect(wrong).toEqual([])
  expect(await scene.rows(sql`select id from accounts where article_credits < 0`)).toEqual([])
  expect(
    await scene.rows(
      sql`select id from projects where publishing_until is not null or publishing_delivery_id is not null`,
    ),
  ).toEqual([])
}

const runSequence = async ({ wish, beginnings, turns }: ArticleSequence): Promise<void> => {
  await scene.mood({ mode: 'ok', reset: true })
  await scene.api.put(`/projects/${scene.projectId}`, { publishing_status: wish })
  const begun = []
  for (const beginning of beginnings) begun.push(await begin(beginning))
  const ids = begun.map(({ id }) => id)
  let model: Model = { articles: begun.map(({ article }) => article), wish, receiver: 'ok' }
  for (const turn of turns) model = await take(ids, model, turn)
  await expectPosts(ids, model)
  await expectBooksInOrder()
  // What is left must not fall due in a later sequence.
  await scene.rows(
    sql`update articles set status = 'Draft' where account_id = ${scene.api.accountId}::int and status = 'Planned'`,
  )
}

test(
  `${SEQUENCES} random sequences of two agents and the clock: no difference from the state table`,
  async () => {
    let ran = 0
    const property = fc.asyncProperty(articleSequence, async (given) => {
      ran += 1
      await runSequence(given)
    })
    await fc.assert(property, {
      numRuns: SEQUENCES,
      interruptAfterTimeLimit: TIME_LIMIT_MS,
      endOnFailure: process.env.SHRINK === undefined,
      ...(process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) }),
    })
    // A slow machine ends by the clock; too few sequences prove nothing.
    expect(ran).toBeGreaterThanOrEqual(40)
    process.stdout.write(`${ran} sequences held\n`)
  },
  TIME_LIMIT_MS + 60_000,
)

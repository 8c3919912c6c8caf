import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessOf, cron, flush, openScene, type Scene, type StackAccess } from '../publishing/scene.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'
import { both, type Model, type ModelArticle, minute, type Operation, type Words } from './article-model.ts'
import { type ArticleSequence, articleSequence, type Beginning, type Turn, type Wanted } from './article-sequences.ts'
import { holdFor, SEQUENCES_MS } from './hold.ts'

let stack: TestStack
let access: StackAccess
let scene: Scene

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 1_000 })
  access = accessOf(stack)
})
afterAll(async () => {
  await stack.close()
})

const CREDITS = 1_000_000
/** `past` is far ahead too until a minute passes, so that nothing falls due between two turns. */
const DATES = { past: '2097-01-05T09:00:00Z', future: '2099-01-05T09:00:00Z' }
const PAST = '2026-01-05T09:00:00Z'
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
  if (wanted.kind === 'retitle') return { ...wanted, title: `Title ${mark().replace('mark', 'name')}` } as Operation
  if (wanted.kind !== 'restore') return wanted as Operation
  const newest = model.articles[wanted.article]?.revision ?? 1
  return { ...wanted, revision: Math.max(1, newest - (wanted.back ?? 0)) } as Operation
}

/** Makes the call of an operation. Returns its status, and the code of a refusal, in the model's words. */
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
    date: at === null ? null : at.startsWith('2099') ? 'future' : 'past',
    // Words of the writer's need not have a mark.
    mark: body.Content === '' ? null : (/mark\d+x/.exec(body.Content as string)?.[0] ?? 'other'),
    title: body.Title as string,
    claimed: body.Claimed as boolean,
    state: body.PublishState as ModelArticle['state'],
    revision: body.Revision as number,
  }
}

const shownBy = (a: ModelArticle | null): Omit<Seen, 'revision'> | null =>
  a && { status: a.status, date: a.date, mark: a.mark, title: a.title, claimed: a.claimed, state: a.state }

/**
 * True if an unclaimed article ended as the project is set, waits for a text, or failed with a reason. It is never
 * lost.
 */
const isSeenOpen = (a: ModelArticle, seen: Seen): boolean =>
  seen.date === a.date &&
  (seen.status === 'Planned' ? seen.state === 'failed' || seen.mark === null : seen.mark !== null || a.mark === null)

const isSeen = (a: ModelArticle | null, seen: Seen | null): boolean => {
  if (!a || !seen) return a === seen
  if (a.open) return isSeenOpen(a, seen)
  const { revision, ...rest } = seen
  // Publication saves its changes of an unclaimed article as one more revision. Restoring the text before then makes
  // another.
  const more = revision - a.revision
  return JSON.stringify(rest) === JSON.stringify(shownBy(a)) && more >= 0 && more <= 2
}

/**
 * Returns the model of an article as it was seen. The clock took a remaining planned one, unless it waits for a text.
 */
const adopted = (a: ModelArticle, seen: Seen): ModelArticle => {
  const words = { title: seen.title, mark: seen.mark, long: seen.mark === a.mark && a.long }
  const versions = { ...a.versions, [seen.revision]: words }
  const { open: _, ...rest } = a
  return { ...rest, ...seen, ...words, taken: seen.status === 'Planned' && seen.mark !== null, versions }
}

/** Takes over the revision that publication may have made: the same words under the next number. */
const withRevision = (a: ModelArticle | null, seen: Seen | null): ModelArticle | null => {
  if (a?.open && seen) return adopted(a, seen)
  if (!a || !seen || seen.revision === a.revision) return a
  const same = { title: a.title, mark: a.mark, long: a.long }
  return { ...a, revision: seen.revision, versions: { ...a.versions, [seen.revision]: same } }
}

/** True if the version before an article's last is the one this end has: two orders can lead to the same words by other ways. */
const hasHistory = async (id: number, a: ModelArticle | null): Promise<boolean> => {
  const before = a?.versions[a.revision - 1]
  if (!a || !before) return true
  const { status, body } = await scene.api.get(`/articles/${id}/revisions/${a.revision - 1}`)
  if (status !== 200) return true
  const mark = /mark\d+x/.exec(body.content as string)?.[0] ?? null
  return body.title === before.title && mark === before.mark
}

/** Returns, of several models that look the same now, the one with the article's history. */
const byHistory = async (ids: number[], ends: Model[]): Promise<Model | undefined> => {
  const histories = new Set(ends.map((end) => JSON.stringify(end.articles.map((a) => a?.versions))))
  if (histories.size < 2) return ends[0]
  for (const end of ends) {
    const agree = await Promise.all(end.articles.map((a, n) => hasHistory(ids[n] ?? 0, a)))
    if (agree.every(Boolean)) return end
  }
  return undefined
}

/** Returns the one of the possible ends that is seen. Throws when none is. */
const match = async (ids: number[], ends: Model[], what: unknown): Promise<Model> => {
  const seen = await Promise.all(ids.map(seenOf))
  const possible = ends.filter((end) => end.articles.every((a, n) => isSeen(a, seen[n] ?? null)))
  const found = await byHistory(ids, possible)
  if (!found)
    throw new Error(
      `no order explains ${JSON.stringify({ what, seen, ends: ends.map((e) => e.articles.map(shownBy)) })}`,
    )
  return { ...found, articles: found.articles.map((a, n) => withRevision(a, seen[n] ?? null)) }
}

const openDue = async (writer: boolean): Promise<number> => {
  const [row] = await scene.rows<{
    open: string
  }>(sql`select count(*) as open from articles where account_id = ${scene.api.accountId}::int
    and (status = 'Generating' or status = 'Planned' and scheduled_at <= now() and publish_state in ('idle', 'publishing') and (content <> '' or ${!writer}))`)
  return Number(row?.open)
}

const moveDates = (from: string, to: string) =>
  scene.rows(sql`update articles set scheduled_at = ${to}::timestamptz
    where account_id = ${scene.api.accountId}::int and scheduled_at = ${from}::timestamptz and status <> 'Published'`)

/** Cron and queue until nothing that is due is left, however many minutes' allowance that takes. */
const passMinute = async (writer: boolean): Promise<void> => {
  await moveDates(DATES.past, PAST)
  for (let round = 0; round < 40; round += 1) {
    await scene.rows(sql`update accounts set published_in_minute = 0 where id = ${scene.api.accountId}::int`)
    await cron(access)
    await flush(access, true)
    if ((await openDue(writer)) > 0) continue
    await moveDates(PAST, DATES.past)
    return
  }
  throw new Error('articles that are due are left behind')
}

const take = async (ids: number[], model: Model, turn: Turn): Promise<Model> => {
  if (turn.kind === 'receiver') {
    await scene.mood({ mode: turn.mode })
    return { ...model, receiver: turn.mode }
  }
  if (turn.kind === 'minute') {
    await passMinute(model.writer)
    return await match(ids, [minute(model)], 'minute')
  }
  if (turn.kind === 'generate') return await generate(ids, model)
  const [a, b] = [operationOf(turn.a, model), operationOf(turn.b, model)]
  const answers = await Promise.all([call(ids, a), call(ids, b)])
  const ends = both(model, a, b).filter((end) => JSON.stringify(end.answers) === JSON.stringify(answers))
  return await match(
    ids,
    ends.map((end) => end.model),
    { a, b, answers },
  )
}

/** An article of the writer's takes the last place; without the writer it is refused. */
const generate = async (ids: number[], model: Model): Promise<Model> => {
  const words = wordsOf('short')
  const title = `Title ${mark().replace('mark', 'name')}`
  const { status, body } = await scene.api.post('/articles/generate', {
    project_id: scene.projectId,
    keyword: title,
    source_content: `${words.mark} is a word that stands for itself. It is written in notes about ${words.mark}.`,
  })
  expect([status, body.code ?? body.status]).toEqual(model.writer ? [202, 'generating'] : [402, 'plan_required'])
  if (!model.writer) return model
  await passMinute(true)
  const last = ids.length - 1
  ids[last] = body.article_id as number
  const seen = await seenOf(ids[last] ?? 0)
  expect(seen).toMatchObject({ status: 'Draft', mark: words.mark, claimed: false, state: 'failed' })
  const made = { title: seen?.title ?? '', ...words }
  const revision = seen?.revision ?? 1
  const article: ModelArticle = {
    status: 'Draft',
    date: null,
    ...made,
    claimed: false,
    // Two sentences are far less than the brief asks for.
    state: 'failed',
    unfit: true,
    taken: false,
    revision,
    versions: { [revision]: made },
  }
  const others = minute(model).articles.slice(0, last)
  return await match(ids, [{ ...model, articles: [...others, article] }], 'generate')
}

const begin = async ({ status, date, words: size }: Beginning): Promise<{ id: number; article: ModelArticle }> => {
  const words = wordsOf(size)
  const title = `Title ${mark().replace('mark', 'name')}`
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

/** Expects each published article at the receiver once, as it is saved, except after a failed sync. */
const expectPosts = async (ids: number[], model: Model): Promise<void> => {
  const posts = await scene.posts()
  for (const [n, a] of model.articles.entries()) {
    const mine = posts.filter((post) => post.article_id === String(ids[n]))
    expect(mine.length).toBeLessThanOrEqual(1)
    if (a?.status !== 'Published') continue
    expect(mine).toMatchObject([{ status: 'Published' }])
    if (a.state === 'idle') expect(mine[0]?.content_html).toContain(a.mark === 'other' ? '<' : a.mark)
  }
}

/** Expects credits to be the sum of their ledger, and no account to have spent more than it had. */
const expectBooksInOrder = async (): Promise<void> => {
  const wrong =
    await scene.rows(sql`select p.id, p.backlink_credits, coalesce(sum(l.delta), 0) as booked from projects p
    left join exchange_ledger l on l.project_id = p.id group by p.id having p.backlink_credits - p.backlink_debt <> coalesce(sum(l.delta), 0)`)
  expect(wrong).toEqual([])
  const [credits] = await scene.rows<{ left: number; spent: string }>(sql`select article_credits as left,
      (select count(*) from audit_log where account_id = a.id and action = 'article.written' and detail->>'unfit' is null) as spent
    from accounts a where id = ${scene.api.accountId}::int`)
  expect(Number(credits?.left)).toBe(CREDITS - Number(credits?.spent))
  expect(
    await scene.rows(
      sql`select id from projects where publishing_until is not null or publishing_delivery_id is not null`,
    ),
  ).toEqual([])
}

const runSequence = async ({ publishing, writer, beginnings, turns }: ArticleSequence): Promise<void> => {
  // Each has an account of its own: all keys of an account together publish and generate only so often in a minute.
  scene = await openScene(access, { publishing_status: publishing })
  const plan = writer ? 'pro' : 'agentic'
  await scene.rows(
    sql`update accounts set plan = ${plan}, article_credits = ${CREDITS}::int, credits_filled_at = now() where id = ${scene.api.accountId}::int`,
  )
  try {
    const begun = []
    for (const beginning of beginnings) begun.push(await begin(beginning))
    const ids = begun.map(({ id }) => id)
    let model: Model = { articles: begun.map(({ article }) => article), publishing, receiver: 'ok', writer }
    for (const turn of turns) model = await take(ids, model, turn)
    await expectPosts(ids, model)
    await expectBooksInOrder()
    // What is left must not fall due in a later sequence.
    await scene.rows(
      sql`update articles set status = 'Draft' where account_id = ${scene.api.accountId}::int and status = 'Planned'`,
    )
  } finally {
    await scene.receiver.close()
  }
}

test(
  'random sequences of two agents and the clock: no difference from the state table',
  async () => {
    await holdFor(articleSequence, runSequence)
  },
  SEQUENCES_MS + 120_000,
)

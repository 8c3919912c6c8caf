import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { SuggestionState } from '../../schema/values/suggestions.ts'
import { isAllowed, MOVES } from '../../src/insights/suggestions/move.ts'
import { openLive, seedSearch } from '../insights/suggestions/seed.ts'
import { accessOf, cron, type StackAccess } from '../publishing/scene.ts'
import { type Api, clientOf, makeKeys, rowsIn, tell } from '../support/client.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'
import { SEQUENCES_MS, SEQUENCES_SEED } from './hold.ts'

/** Sequences that run beside each other, each in a project of its own. */
const LANES = Number(process.env.LANES ?? 6)

let stack: TestStack
let access: StackAccess

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 1_000 })
  access = accessOf(stack)
}, 240_000)
afterAll(() => stack.close())

type Act = 'approve' | 'reject' | 'publish' | 'regenerate' | 'change'

const act = fc.constantFrom<Act>('approve', 'approve', 'publish', 'publish', 'reject', 'regenerate', 'change')
/** Two reviewers who act at once, turn after turn. */
const sequence = fc.array(fc.tuple(act, act), { minLength: 2, maxLength: 5 })

/** State of a suggestion and its article, the number of updates that were sent, and if the article is the one it is for. */
type Known = { state: SuggestionState; updates: number; isChanged: boolean }
type End = { answers: [string, string]; known: Known }

const settled = (state: SuggestionState): SuggestionState =>
  state === 'approved' || state === 'rewriting' ? 'ready' : state

/** Returns the answer and the effect of one act, by the table of states. */
const step = (known: Known, what: Act): { answer: string; known: Known } => {
  if (what === 'change') {
    // A new rewrite is for the article as it is at that time.
    return { answer: '200', known: { ...known, updates: known.updates + 1, isChanged: true } }
  }
  if (!isAllowed(what, known.state)) return { answer: '409 invalid_transition', known }
  if (what === 'publish' && known.isChanged)
    return { answer: '409 changed_since_staged', known: { ...known, state: 'superseded' } }
  if (what === 'publish') return { answer: '200', known: { ...known, state: 'published', updates: known.updates + 1 } }
  const isMadeAnew = what === 'approve' || what === 'regenerate'
  return {
    answer: what === 'regenerate' ? '202' : '200',
    known: { ...known, state: MOVES[what].to, isChanged: isMadeAnew ? false : known.isChanged },
  }
}

const BUSY = '409 sync_in_progress'

/** Every way two acts at once may end: one after the other, or one refused because of the other. */
const both = (known: Known, a: Act, b: Act): End[] => {
  const [ab1, ba1] = [step(known, a), step(known, b)]
  // The rewrite that one of them started may be finished before the other acts.
  const later = (one: Known): Known[] => [one, { ...one, state: settled(one.state) }]
  return [
    ...later(ab1.known)
      .map((one) => step(one, b))
      .map((two) => ({ answers: [ab1.answer, two.answer] as [string, string], known: two.known })),
    ...later(ba1.known)
      .map((one) => step(one, a))
      .map((two) => ({ answers: [two.answer, ba1.answer] as [string, string], known: two.known })),
    { answers: [ab1.answer, BUSY], known: ab1.known },
    { answers: [BUSY, ba1.answer], known: ba1.known },
  ]
}

/** A project with a receiver, and a live article with a pending suggestion that the sequences take copies of. */
type Lane = { api: Api; project: number; article: number; suggestion: number; copied: string }

/** Calls of one key before the next is used: the lowest rate limit of the calls here. */
const CALLS_PER_KEY = 5

/** Returns the same account under one key after the other; all are made ahead. */
const withKeys = (account: Api, keys: readonly string[]): Api => {
  const clients = keys.map((key) => clientOf(stack.url, key, account.accountId))
  let used = 0
  const next = (): Api => {
    const client = clients[Math.floor(used / CALLS_PER_KEY) % clients.length] ?? account
    used += 1
    return client
  }
  return {
    ...account,
    post: (path, body, options) => next().post(path, body, options),
    get: (path) => next().get(path),
  }
}

const openLane = async (): Promise<Lane> => {
  const shared = { ...access, receiverUrl: stack.receiver.url, receiverToken: stack.receiverToken } as never
  const { api, project, articles } = await openLive(shared, 1)
  const [article] = articles
  await seedSearch(shared, api, project, [
    { article, now: [5, 900, 6], before: [6, 900, 6], queries: { 'oak garden shed': [5, 900, 6] } },
  ])
  await api.post('/suggestions/run', { project_id: project })
  const { suggestions } = (await api.get(`/suggestions?project_id=${project}&type=striking_distance`)).body
  const [{ id }] = suggestions as [{ id: number }]
  const [columns] = await rowsIn<{ names: string }>(
    access,
    sql`select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
      where table_name = 'articles' and column_name not in ('id', 'slug', 'content_sketch') and is_generated = 'NEVER'`,
  )
  // A key that was used rests for two minutes: so many are enough.
  const keys = await makeKeys(access, api.accountId, 400)
  return { api: withKeys(api, keys), project, article, suggestion: id, copied: columns?.names ?? '' }
}

let made = 0

/** Takes a copy of the lane's article and suggestion, in one statement; the receiver has its post. The one before goes. */
const copyIn = async ({ article, suggestion, copied }: Lane, before: number | undefined) => {
  made += 1
  const slug = `shed-copy-${made}`
  await tell(stack.receiver.url, '/_control', { old_post: { slug, title: 'Sheds', content_html: '<p>Sheds.</p>' } })
  if (before !== undefined) await rowsIn(access, sql`delete from articles where id = ${before}::int`)
  const [row] = await rowsIn<{ article: number; suggestion: number }>(
    access,
    sql`with copy as (
        insert into articles (slug, ${sql.raw(copied)}) select ${slug}, ${sql.raw(copied)} from articles
        where id = ${article}::int returning id),
      suggested as (
        insert into suggestions (account_id, project_id, article_id, article_title, article_url, opportunity_type, priority, reason, trigger)
        select s.account_id, s.project_id, copy.id, s.article_title, s.article_url, s.opportunity_type, s.priority, s.reason, s.trigger
        from suggestions s, copy where s.id = ${suggestion}::int returning id)
      select copy.id as article, suggested.id as suggestion from copy, suggested`,
  )
  if (!row) throw new Error('nothing was copied')
  return row
}

const TICK_MS = 5_000

/**
 * State of the suggestion and updates that were sent, once no rewrite is under way. The clock ticks meanwhile, as in production: a wake
 * that was lost on a busy machine is made up for within a minute or two.
 */
const settledNow = async (id: number, article: number): Promise<Pick<Known, 'state' | 'updates'>> => {
  let ticked = Date.now()
  return await vi.waitFor(
    async () => {
      if (Date.now() - ticked > TICK_MS) {
        ticked = Date.now()
        await cron(access)
      }
      const [row] = await rowsIn<{ state: SuggestionState; updates: number }>(
        access,
        sql`select s.status as state, (select count(*)::int from deliveries d where d.article_id = ${article}::int
            and d.status = 'delivered' and d.event_type = 'update_articles') as updates
          from suggestions s where s.id = ${id}::int`,
      )
      expect(['approved', 'rewriting']).not.toContain(row?.state)
      return row as { state: SuggestionState; updates: number }
    },
    { timeout: 180_000, interval: 40 },
  )
}

const run = async (
  { api }: Lane,
  { article, suggestion: id }: { article: number; suggestion: number },
  turns: [Act, Act][],
) => {
  let changes = 0
  const call = async (what: Act): Promise<string> => {
    changes += 1
    const { status, body } =
      what === 'change'
        ? await api.post(`/articles/${article}/sync`, { title: `Changed ${changes}` })
        : await api.post(`/suggestions/${id}/${what}`)
    return status >= 400 ? `${status} ${body.code}` : String(status)
  }
  let known: Known = { state: 'pending', updates: 0, isChanged: false }
  for (const [a, b] of turns) {
    const answers = await Promise.all([call(a), call(b)])
    const now = await settledNow(id, article)
    const ends = both(known, a, b).filter(
      (end) =>
        JSON.stringify(end.answers) === JSON.stringify(answers) &&
        settled(end.known.state) === now.state &&
        end.known.updates === now.updates,
    )
    if (ends.length === 0) throw new Error(`no order explains ${JSON.stringify({ turns, known, a, b, answers, now })}`)
    // A rewrite that ran while the article changed is for one of the two versions. Publishing shows which.
    const open = ends.some((end) => end.known.isChanged) && ends.some((end) => !end.known.isChanged)
    const isRemade =
      [a, b].includes('change') && (a === 'approve' || b === 'approve' || a === 'regenerate' || b === 'regenerate')
    if ((open || isRemade) && now.state === 'ready') return
    known = { ...now, isChanged: ends[0]?.known.isChanged ?? false }
    // The state after the last turn is the same on the wire.
    if (a === b) expect((await api.get(`/suggestions/${id}`)).body).toMatchObject({ suggestion: { status: now.state } })
  }
}

test(
  'random sequences of two reviewers and a changing article: no difference from the table of states',
  async () => {
    const until = Date.now() + SEQUENCES_MS
    const seed = SEQUENCES_SEED
    // More than there is time for.
    const sequences = fc.sample(sequence, { numRuns: 20_000, seed })
    let ran = 0
    const lane = async (): Promise<void> => {
      const own = await openLane()
      let before: number | undefined
      for (let turns = sequences.pop(); turns && Date.now() < until; turns = sequences.pop()) {
        const copy = await copyIn(own, before)
        before = copy.article
        await run(own, copy, turns)
        ran += 1
        if (ran % 250 === 0) process.stdout.write(`${ran} sequences held (seed ${seed})\n`)
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    // A slow machine ends by the clock; too few sequences prove nothing.
    expect(ran).toBeGreaterThanOrEqual(20)
    process.stdout.write(`${ran} sequences held (seed ${seed})\n`)
  },
  SEQUENCES_MS + 240_000,
)

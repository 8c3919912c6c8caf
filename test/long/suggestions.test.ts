import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { SuggestionState } from '../../schema/values/suggestions.ts'
import { isAllowed, MOVES } from '../../src/suggestions/states.ts'
import { type Means, meansOf } from '../publishing/scene.ts'
import { openLive, seedSearch } from '../suggestions/seed.ts'
import { type Api, rowsIn } from '../support/client.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

/** LONG_SEQUENCES asks for more, and lifts the limit of time. */
const SEQUENCES = Number(process.env.LONG_SEQUENCES ?? 200)
const TIME_LIMIT_MS = process.env.LONG_SEQUENCES ? SEQUENCES * 5_000 : 150_000

let stack: TestStack
let means: Means

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 1_000 })
  means = meansOf(stack)
}, 240_000)
afterAll(() => stack.close())

type Act = 'approve' | 'reject' | 'publish' | 'regenerate' | 'change'

const act = fc.constantFrom<Act>('approve', 'approve', 'publish', 'publish', 'reject', 'regenerate', 'change')
/** Two reviewers who act at once, turn after turn. */
const sequence = fc.array(fc.tuple(act, act), { minLength: 2, maxLength: 5 })

/** What is known of a suggestion and its article: its state, how many updates were sent, and whether the article is the one it is for. */
type Known = { state: SuggestionState; updates: number; isChanged: boolean }
type End = { answers: [string, string]; known: Known }

const settled = (state: SuggestionState): SuggestionState =>
  state === 'approved' || state === 'rewriting' ? 'ready' : state

/** What one act answers and changes, by the table of states. */
const step = (known: Known, what: Act): { answer: string; known: Known } => {
  if (what === 'change') {
    // A rewrite that is made anew is made for the article as it is then.
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
  // The rewrite that one of them began may be made before the other comes.
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

const run = async (turns: [Act, Act][]): Promise<void> => {
  const shared = { ...means, receiverUrl: stack.receiver.url, receiverToken: stack.receiverToken } as never
  const { api, project, articles } = await openLive(shared, 1)
  const [article] = articles
  await seedSearch(shared, api, project, [
    { article, now: [5, 900, 6], before: [6, 900, 6], queries: { 'oak garden shed': [5, 900, 6] } },
  ])
  await api.post('/suggestions/run', { project_id: project })
  const listed = (await api.get(`/suggestions?project_id=${project}&type=striking_distance`)).body
  const [{ id }] = listed.suggestions as [{ id: number }]
  let changes = 0
  const call = async (client: Api, what: Act): Promise<string> => {
    changes += 1
    const { status, body } =
      what === 'change'
        ? await client.post(`/articles/${article}/sync`, { title: `Changed ${changes}` })
        : await client.post(`/suggestions/${id}/${what}`)
    return status >= 400 ? `${status} ${body.code}` : String(status)
  }
  const seen = async (): Promise<Pick<Known, 'state' | 'updates'>> => {
    const state = await vi.waitFor(
      async () => {
        const { status } = (await api.get(`/suggestions/${id}`)).body.suggestion as { status: SuggestionState }
        expect(['approved', 'rewriting']).not.toContain(status)
        return status
      },
      { timeout: 20_000, interval: 50 },
    )
    const [row] = await rowsIn<{ n: number }>(
      means,
      sql`select count(*)::int as n from deliveries where article_id = ${article}::int and status = 'delivered' and event_type = 'update_articles'`,
    )
    return { state, updates: Number(row?.n) }
  }
  let known: Known = { state: 'pending', updates: 0, isChanged: false }
  for (const [a, b] of turns) {
    const answers = await Promise.all([call(api, a), call(api, b)])
    const now = await seen()
    const ends = both(known, a, b).filter(
      (end) =>
        JSON.stringify(end.answers) === JSON.stringify(answers) &&
        settled(end.known.state) === now.state &&
        end.known.updates === now.updates,
    )
    if (ends.length === 0) throw new Error(`no order explains ${JSON.stringify({ known, a, b, answers, now })}`)
    // A rewrite that was being made while the article changed is for one of the two: publishing tells which.
    const open = ends.some((end) => end.known.isChanged) && ends.some((end) => !end.known.isChanged)
    const isRemade =
      [a, b].includes('change') && (a === 'approve' || b === 'approve' || a === 'regenerate' || b === 'regenerate')
    if ((open || isRemade) && now.state === 'ready') return
    known = { ...now, isChanged: ends[0]?.known.isChanged ?? false }
  }
}

test(
  `${SEQUENCES} random sequences of two reviewers and a changing article: no difference from the table of states`,
  async () => {
    let ran = 0
    await fc.assert(
      fc.asyncProperty(sequence, async (turns) => {
        ran += 1
        await run(turns)
      }),
      {
        numRuns: SEQUENCES,
        interruptAfterTimeLimit: TIME_LIMIT_MS,
        endOnFailure: process.env.SHRINK === undefined,
        ...(process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) }),
      },
    )
    // A slow machine ends by the clock; too few sequences prove nothing.
    expect(ran).toBeGreaterThanOrEqual(20)
    process.stdout.write(`${ran} sequences held\n`)
  },
  TIME_LIMIT_MS + 60_000,
)

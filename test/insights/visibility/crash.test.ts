import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { steppedStack } from '../../faults/stepped-stack.ts'
import { rowsIn } from '../../support/client.ts'
import { recount } from './recount.ts'
import { scanned, storedAnswers, type Tracked, trackedProject } from './scene.ts'

const PROMPTS = Array.from({ length: 6 }, (_, n) => `Which sheds of kind ${n} last longest?`)
const ENGINES = 5
/** Number of questions that one engine gets at the same time. */
const AT_ONCE = 4

/** Delays one in twenty answers almost to the provider's limit (120 s), in the stack's time. */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const TIME_SCALE = 100
const SLOW = { path: '/llm_responses/', delay_ms: 115_000 / TIME_SCALE, one_in: 20, seed: SEED }

const { steps, stack, access } = steppedStack(TIME_SCALE)
beforeAll(() => stack.providers.dataForSeo.faults.set([SLOW]))

type Kept = { id: number; text: string; asked_at: string }

const keptOf = ({ id }: Tracked) =>
  rowsIn<Kept>(
    access,
    sql`select id, text, asked_at from visibility_answers where project_id = ${id}::int and state <> 'open' order by id`,
  )

const isLive = (path: string): boolean => /\/live(\/advanced)?$/.test(path)

it.each(['scan:asked', 'scan:posted', 'scan:kept', 'scan:counted'])(
  'a scan killed at %s continues: no prompt is sent twice',
  async (name) => {
    const tracked = await trackedProject(access, PROMPTS, { competitors: [] })
    stack.providers.dataForSeo.reset()
    const reached = steps.stopAt(name)
    await tracked.api.post('/ai-visibility/scan', { project_id: tracked.id })
    await reached
    await stack.crash()
    steps.letGo()
    const before = await keptOf(tracked)
    // No process runs now. Later, the queue may have begun a row again, whose lease must stay.
    await rowsIn(
      access,
      sql`update outbox set lease_until = null, offered_at = null, run_at = now() where done_at is null`,
    )
    // As when the time of a live answer is over.
    await rowsIn(
      access,
      sql`update visibility_answers set not_before = now() where state = 'open' and handed_at is not null`,
    )
    await stack.restart()
    await stack.workers().cron()
    const summary = await scanned(tracked)
    const after = await keptOf(tracked)
    expect(after.filter(({ id }) => before.some((row) => row.id === id))).toEqual(before)
    expect(after).toHaveLength(PROMPTS.length * ENGINES)
    const { asked } = stack.providers.dataForSeo
    const questions = asked.map(({ path, task }) => `${path} ${String(task.user_prompt ?? task.keyword)}`)
    expect(new Set(questions).size, `SEED=${SEED}`).toBe(questions.length)
    const raw = await storedAnswers(access, summary.last_scan_id)
    // A live answer that the dead run had not kept is lost with it, and a gap.
    const lost = raw.filter(({ reason }) => reason === 'internal')
    expect(lost.every(({ engine }) => !['chatgpt', 'gemini'].includes(engine))).toBe(true)
    expect(lost.length).toBeLessThanOrEqual(3 * AT_ONCE)
    // Posted questions are fetched. A question that was lost before its post is a gap.
    const byTask = raw.filter(({ engine }) => ['chatgpt', 'gemini'].includes(engine))
    const posted = asked.filter(({ path }) => !isLive(path)).length
    expect(byTask.filter(({ reason }) => reason === null)).toHaveLength(posted)
    expect(byTask.filter(({ reason }) => reason === 'provider_unavailable')).toHaveLength(2 * PROMPTS.length - posted)
    if (name === 'scan:posted') expect(posted).toBeGreaterThan(0)
    const counted = recount(raw, tracked.site, [])
    expect(summary).toMatchObject({ answers: counted.answers, visibility_score: counted.score })
  },
)

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Steps, startSteps } from '../faults/steps.ts'
import { type Means, meansOf } from '../publishing/scene.ts'
import { rowsIn } from '../support/client.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'
import { recount } from './recount.ts'
import { scanned, storedAnswers, type Tracked, trackedProject } from './scene.ts'

const PATIENCE_MS = 120_000
const PROMPTS = Array.from({ length: 6 }, (_, n) => `Which sheds of kind ${n} last longest?`)
const ENGINES = 5
/** Questions of one engine that are asked side by side. */
const AT_ONCE = 4

let steps: Steps
let stack: TestStack
let means: Means

beforeAll(async () => {
  steps = await startSteps()
  stack = await startTestStack({ timeScale: 100, vars: { STEP_HOOK_URL: steps.url } })
  means = meansOf(stack)
}, PATIENCE_MS)
afterAll(async () => {
  await stack.close()
  await steps.close()
})

type Kept = { id: number; text: string; asked_at: string }

const keptOf = ({ id }: Tracked) =>
  rowsIn<Kept>(
    means,
    sql`select id, text, asked_at from visibility_answers where project_id = ${id}::int and state <> 'open' order by id`,
  )

it.each(['scan:asked', 'scan:kept', 'scan:counted'])(
  'a scan killed at %s goes on where it was: what was kept is asked no second time',
  async (name) => {
    const tracked = await trackedProject(means, PROMPTS, { competitors: [] })
    stack.providers.dataForSeo.reset()
    const reached = steps.stopAt(name)
    await tracked.api.post('/ai-visibility/scan', { project_id: tracked.id })
    await reached
    await stack.crash()
    steps.letGo()
    const before = await keptOf(tracked)
    const asked = stack.providers.dataForSeo.asked.length
    const crashedAt = new Date().toISOString()
    // While nobody runs: once they do, the queue may have begun a row again, whose lease is not to be taken away.
    await rowsIn(
      means,
      sql`update outbox set lease_until = null, offered_at = null, run_at = now() where done_at is null`,
    )
    await stack.restart()
    await stack.workers().cron()
    const summary = await scanned(tracked)
    const after = await keptOf(tracked)
    expect(after.filter(({ id }) => before.some((row) => row.id === id))).toEqual(before)
    const total = PROMPTS.length * ENGINES
    expect(after).toHaveLength(total)
    // What the database was still keeping for the dead Workers when `before` was read counts as kept too.
    const kept = after.filter(({ asked_at }) => new Date(asked_at).toISOString() < crashedAt).length
    expect(kept).toBeGreaterThanOrEqual(before.length)
    expect(stack.providers.dataForSeo.asked.length - asked).toBe(total - kept)
    expect(asked).toBeLessThanOrEqual(kept + ENGINES * AT_ONCE)
    const counted = recount(await storedAnswers(means, summary.last_scan_id), tracked.site, [])
    expect(summary).toMatchObject({ answers: counted.answers, visibility_score: counted.score })
  },
)

import { setTimeout as sleep } from 'node:timers/promises'
import { type GhostStandIn, startGhost } from '../../local/cms/ghost.ts'
import { SAID } from '../publishing/statements/measured/said.ts'
import { startTestStack } from '../support/stack.ts'
import { type Caller, createCaller } from './caller.ts'
import { seedSearchData, seedSite, textsOfSite } from './care-seed.ts'
import { cpuOf } from './machine.ts'
import type { Findings, Line } from './report.ts'
import { type Sql, seedAccount, seedKeys, seedProjects, sqlOver } from './seed.ts'
import { sized } from './sizes.ts'
import type { Stage } from './stage.ts'
import { median, ms, quantile } from './statistics.ts'

const POSTS = sized(1_000, 3)
/** 20 posts a second. */
const POST_GOAL_MS = 50
const ARTICLES = sized(10_000, 20)
const CALL_GOAL_MS = 300
const CALLS = sized(40, 2)
const WARM_UP = sized(5, 1)
/** Under the 10 requests a minute of a report. */
const CALLS_PER_KEY = 8
const LOOK_EVERY_MS = 200
const MOST_MS = 600_000

const shown = (count: number): string => count.toLocaleString('en-US')

const writePosts = (ghost: GhostStandIn): void => {
  const texts = textsOfSite()
  for (let n = 0; n < POSTS; n += 1)
    ghost.write({
      title: `Sheds and their floors, part ${n}`,
      html: texts[n % texts.length],
      meta_description: 'What to know about sheds.',
    })
}

/** Looks until a condition holds. Throws after ten minutes. */
const until = async (what: string, isMet: () => Promise<boolean>): Promise<void> => {
  const startedAt = performance.now()
  while (!(await isMet())) {
    if (performance.now() - startedAt > MOST_MS) throw new Error(`${what} did not end`)
    await sleep(LOOK_EVERY_MS)
  }
}

type Place = { stage: Stage; caller: Caller; keys: readonly string[]; accountId: number }

/** Adopts all posts of a site whose CMS answers at once. So its time is the service's own, with the waits of its queue. */
const adopt = async ({ stage, caller, keys, accountId }: Place, projectId: number): Promise<Line> => {
  const [key = ''] = keys
  const ghost = await startGhost()
  try {
    writePosts(ghost)
    const body = { platform: 'ghost', api_url: ghost.url, admin_api_key: ghost.key }
    await caller.call('POST', `/projects/${projectId}/integrations`, key, body)
    const before = cpuOf(stage.workers().pid)
    const startedAt = performance.now()
    await caller.call('POST', `/projects/${projectId}/adopt`, key, { every_post: true })
    const state = async () =>
      (
        await stage.sql<{ state: string; adopted: number; took: number; runs: number }>(
          `select a.state, a.adopted, (extract(epoch from a.updated_at - a.created_at) * 1000)::float8 as took, coalesce(max(o.attempts), 0) as runs
           from adoptions a left join outbox o on o.account_id = a.account_id and o.job = 'publishing.adopt'
           where a.account_id = $1::int group by a.id`,
          [accountId],
        )
      )[0]
    await until('the adoption', async () => (await state())?.state !== 'running')
    const waited = performance.now() - startedAt
    const found = await state()
    if (found?.state !== 'done' || Number(found.adopted) !== POSTS)
      throw new Error(`the adoption ended as ${JSON.stringify(found)}`)
    const cpuMs = (cpuOf(stage.workers().pid) - before) / POSTS
    return {
      part: 'care',
      name: `${shown(POSTS)} posts adopted from a Ghost that answers at once: time a post`,
      kind: 'time',
      value: Number(found.took) / POSTS,
      unit: 'ms',
      goal: { max: POST_GOAL_MS },
      note: `${((POSTS * 1000) / Number(found.took)).toFixed(1)} posts/s, ${(waited / 1000).toFixed(1)} s in all; workerd CPU ${cpuMs.toFixed(1)} ms a post`,
    }
  } finally {
    await ghost.close()
  }
}

const callLine = async (
  name: string,
  keys: readonly string[],
  call: (key: string) => Promise<number>,
): Promise<Line> => {
  const samples: number[] = []
  for (let n = 0; n < WARM_UP + CALLS; n += 1) {
    const took = await call(keys[n % keys.length] ?? '')
    if (n >= WARM_UP) samples.push(took)
  }
  return {
    part: 'care',
    name: `${name}, p95`,
    kind: 'time',
    value: quantile(samples, 0.95),
    unit: 'ms',
    goal: { max: CALL_GOAL_MS },
    note: `median ${ms(median(samples))}, ${samples.length} calls`,
  }
}

const report = ({ caller, keys }: Place, projectId: number): Promise<Line> =>
  callLine(`GET /projects/:id/care, ${shown(ARTICLES)} articles with search data`, keys, async (key) => {
    const { text, ms: took } = await caller.call('GET', `/projects/${projectId}/care`, key)
    const { published, has_search_data, rules } = JSON.parse(text)
    if (published !== ARTICLES || !has_search_data || rules.length === 0)
      throw new Error(`the report measures nothing: ${text.slice(0, 200)}`)
    return took
  })

const indexed = async (sql: Sql): Promise<number> =>
  Number((await sql<{ n: number }>('select count(*) as n from article_words'))[0]?.n)

/** Registers a statement of the published measurement, and waits until the index has the words of all articles. */
const register = async ({ stage, caller, keys }: Place, projectId: number, wording: string): Promise<number> => {
  const body = { project_id: projectId, name: wording, wording }
  const { text } = await caller.call('POST', '/statements', keys[0] ?? '', body)
  await until('the index of words', async () => (await indexed(stage.sql)) >= ARTICLES)
  await stage.sql('vacuum analyze')
  return Number(JSON.parse(text).statement.id)
}

const uses = async (place: Place, projectId: number, what: string, wording: string): Promise<Line> => {
  const id = await register(place, projectId, wording)
  return await callLine(`GET /statements/:id/uses, ${what} in ${shown(ARTICLES)} articles`, place.keys, async (key) => {
    const { text, ms: took } = await place.caller.call('GET', `/statements/${id}/uses`, key)
    if (JSON.parse(text).articles_read === 0) throw new Error(`“${wording}” is in no article, so it measures nothing`)
    return took
  })
}

/** Statement with a number, by which articles are found; and one of words alone, which many articles have some of. */
const wordings = (): [string, string] => {
  const [price, ...others] = SAID.map(({ wording }) => wording)
  return [price ?? '', others.find((wording) => !/\d/.test(wording)) ?? '']
}

/** Measures the work with posts that a site already has: adopting them, what needs care, and the uses of a statement. */
export const care = async (): Promise<Findings> => {
  const stack = await startTestStack({ timeScale: 1 })
  const stage = { ...stack, sql: sqlOver(stack.neon.url, stack.connectionString) }
  const caller = createCaller(stage.url)
  try {
    const accountId = await seedAccount(stage.sql, 'care@bench.example')
    const [projectId = 0, site = 0] = await seedProjects(stage.sql, accountId, 2)
    const keys = await seedKeys(stage.sql, accountId, Math.ceil(((CALLS + WARM_UP) * 3) / CALLS_PER_KEY))
    const place = { stage, caller, keys, accountId }
    const adopted = await adopt(place, site)
    await seedSite(stage.sql, accountId, projectId, ARTICLES)
    await seedSearchData(stage.sql, accountId, projectId)
    await stage.sql('vacuum analyze')
    const [price, words] = wordings()
    const lines = [
      adopted,
      await report(place, projectId),
      await uses(place, projectId, 'a price', price),
      await uses(place, projectId, 'words alone', words),
    ]
    const note = `care: the posts and articles have about 600 words. The adoption includes the waits of the queue at production's pace. Statements are “${price}” and “${words}”; the index of words is complete.`
    return { lines, notes: [note], details: { posts: POSTS, articles: ARTICLES } }
  } finally {
    caller.close()
    await stage.close()
  }
}

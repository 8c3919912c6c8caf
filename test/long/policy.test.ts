import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scope } from '../../schema/values/accounts.ts'
import type { PolicyClauses, PolicyRule } from '../../schema/values/policy.ts'
import { setPolicy } from '../accounts/policy/set.ts'
import { accessOf, cron, flush, type StackAccess } from '../publishing/scene.ts'
import { type Answer, newArticle, rowsIn } from '../support/client.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'
import { holdFor, SEQUENCES_MS } from './hold.ts'
import { gaveUp, goesOut, isGone, isShut, type ModelArticle, ruleOf, ruleOfWant, wantOf } from './policy-model.ts'
import { type Caller, policySequence, type Round, type Step, type WantedPolicy } from './policy-sequences.ts'
import { openTenant, passHours, type Site, savePolicy, type Tenant } from './policy-tenant.ts'

/** The same sequences each time; SEED asks for others. */
const SEED = Number(process.env.SEED ?? 20_261_126)
/** STEPS asks for that many instead of as many as the time allows. */
const STEPS = process.env.STEPS === undefined ? undefined : Number(process.env.STEPS)

/** Steps of one sequence, at the least on average. */
const STEPS_OF_ONE = 45
/** Time for as many steps as STEPS asks for, ms. */
const STEPS_MS = 3_600_000

let stack: TestStack
let access: StackAccess

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 1 })
  access = accessOf(stack)
})
afterAll(() => stack.close())

let titles = 0
const newTitle = (): string => {
  titles += 1
  return `Shed ${titles}x`
}

let steps = 0
/** Steps of the sequence with their answers, for what is told of a failure. */
let trace: string[] = []
/** Hours that have passed on the clock of the tenants, beside the time that really passes. */
let passed = 0
const now = (): number => Date.now() + passed * 3_600_000

/** Minutes of the hour at which quiet hours begin and end: far from the present one. */
const QUIET_MINUTE = String((new Date().getUTCMinutes() + 30) % 60).padStart(2, '0')

const clausesOf = ({ quiet, ...rest }: WantedPolicy): PolicyClauses => {
  const hour = new Date(now()).getUTCHours()
  const time = (ahead: number) => `${String((hour + ahead + 24) % 24).padStart(2, '0')}:${QUIET_MINUTE}`
  const spans = { none: null, now: { from: time(-2), to: time(2) }, later: { from: time(3), to: time(7) } }
  return { ...rest, quiet_hours: spans[quiet] }
}

/** Codes of calls that the state of the article refuses. */
const BY_STATE = new Set([
  'published_article',
  'not_published',
  'not_found',
  'superseded',
  'delivery_in_progress',
  'unsupported_for_sync',
  'nothing_to_roll_back',
  'publish_in_progress',
  'invalid_transition',
])

const said = ({ status, body }: Answer): string => `${status} ${String(body.code ?? body.status ?? '')}`

/** Notes an answer in the trace. */
const noted = (answer: Answer): Answer => {
  trace.push(`  ${said(answer)} ${String(answer.body.rule ?? '')}`)
  return answer
}

const expectRefusal = ({ status, body, text }: Answer, rule: PolicyRule, site: Site): void => {
  expect([status, body.code, body.rule, body.project], text).toEqual([403, 'policy', rule, site.projectId])
  expect([body.message, body.instructions_for_agent]).toEqual([
    expect.stringMatching(/\w+\. .*Nothing was changed\.$/s),
    expect.stringContaining(`/p/${site.projectId}/policy`),
  ])
}

/** Expects that a call was refused by a clause. One that a person has to approve may wait for that instead. */
const expectNotDone = (answer: Answer, rule: PolicyRule, site: Site): void => {
  if (rule === 'needs_approval' && answer.body.status === 'awaiting_approval') expect(answer.status).toBe(202)
  else expectRefusal(answer, rule, site)
}

const expectByState = (answer: Answer): void => {
  expect([...BY_STATE], answer.text).toContain(answer.body.code)
}

const scopeOf = (by: Caller): Scope => (by === 'person' ? 'write' : by)

/** The state of a tenant's articles in the database, by id. */
type Row = {
  id: number
  status: ModelArticle['status']
  publish_state: string
  publish_error: string | null
  title: string
}
const rowsOf = async ({ accountId }: Tenant): Promise<Map<number, Row>> => {
  const rows = await rowsIn<Row>(
    access,
    sql`select id, status, publish_state, publish_error, title from articles where account_id = ${accountId}::int and title like 'Shed %'`,
  )
  return new Map(rows.map((row) => [Number(row.id), row]))
}

const articlesOf = (site: Site): ModelArticle[] => site.articles.filter((article) => article !== null)

/**
 * Compares what readers of a site see with what they may see. What changed besides the step must be work that wants to go out and that
 * the policy in force lets.
 */
const explain = async (site: Site, what: unknown): Promise<void> => {
  const shows = new Set(await site.shows())
  for (const article of articlesOf(site)) {
    if (article.shown !== null && shows.has(article.shown)) continue
    if (article.shown === null && !shows.has(article.title)) continue
    const want = wantOf(article, now())
    const rule = want && ruleOfWant(site, now(), article, want)
    const about = JSON.stringify({
      what,
      article: { ...article, earlier: [...article.earlier] },
      want,
      rule,
      shows: [...shows],
    })
    if (!want || rule !== null || !shows.has(article.title)) throw new Error(`nothing allowed this: ${about}`)
    goesOut(site, now(), article, want.kind === 'change' ? 'change' : 'publish', want.kind === 'retry')
  }
  const expected = articlesOf(site).flatMap(({ shown }) => shown ?? [])
  expect([...shows].filter((title) => articlesOf(site).some(({ earlier }) => earlier.has(title))).sort()).toEqual(
    expected.sort(),
  )
}

/** No request came twice: a webhook took as many of each article as were allowed. */
const expectOnce = async (site: Site): Promise<void> => {
  if (site.target === 'ghost') {
    expect(new Set(await site.shows()).size, 'posts of one title').toBe((await site.shows()).length)
    return
  }
  const arrivals = await site.arrivals()
  for (const { id, taken } of articlesOf(site))
    expect(
      arrivals.filter(({ articleIds, isTaken }) => isTaken && articleIds.includes(id)).length,
      `requests of ${id}`,
    ).toBe(taken)
}

const changed = (article: ModelArticle): void => {
  article.isSpent = false
}

/** Saves an article in its place, or other words of the one that is there. */
const write = async ({ apis }: Tenant, site: Site, place: number, by: Caller): Promise<void> => {
  const article = site.articles[place]
  const [api, title] = [apis[scopeOf(by)], newTitle()]
  if (!article) {
    const answer = await api.post('/articles', {
      project_id: site.projectId,
      keyword: title,
      title,
      content: '<h2>A heading</h2><p>Some words that are worth reading.</p>',
    })
    if (by === 'read') return expect(said(answer)).toBe('403 key_may_not')
    expect(answer.status, answer.text).toBe(201)
    site.articles[place] = {
      id: Number(answer.body.article_id),
      status: 'Draft',
      title,
      shown: null,
      earlier: new Set(),
      taken: 0,
      due: null,
      isSpent: false,
      asked: null,
      approved: null,
      queued: null,
    }
    return
  }
  const answer = await api.put(`/articles/${article.id}`, { title })
  if (by === 'read' || (by === 'draft' && article.status === 'Planned'))
    return expect(said(answer)).toBe('403 key_may_not')
  if (article.status === 'Published')
    return expect([said(answer), by]).toEqual([
      by === 'draft' ? expect.stringMatching(/^4/) : '400 published_article',
      by,
    ])
  expect(answer.status, answer.text).toBe(200)
  article.title = title
  changed(article)
  if (article.queued === 'retry') article.queued = 'go'
  if (article.asked === 'publish' || (article.approved !== null && article.queued === 'go')) article.queued = 'go'
  article.asked = null
}

const plan = async ({ apis }: Tenant, article: ModelArticle, by: Caller, hours: number | null): Promise<void> => {
  const at = hours === null ? null : Date.now() + hours * 3_600_000
  const body =
    at === null ? { scheduled_date: null } : { status: 'Planned', scheduled_date: new Date(at).toISOString() }
  const answer = await apis[scopeOf(by)].put(`/articles/${article.id}`, body)
  if (by === 'read' || by === 'draft') return expect(said(answer)).toBe('403 key_may_not')
  if (article.status === 'Published') return expect(said(answer)).toBe('400 published_article')
  expect(answer.status, answer.text).toBe(200)
  article.status = at === null ? 'Draft' : 'Planned'
  article.due = at === null ? null : at + passed * 3_600_000
  changed(article)
}

/** Publishes by a call, and expects what the policy in force says. */
const publish = async (site: Site, article: ModelArticle, answer: Answer, isPerson = false): Promise<void> => {
  if (article.status === 'Published') return expect(said(answer)).toMatch(/^200/)
  const isSettled = article.queued === 'retry'
  const isApproved = isPerson || article.approved === article.title
  const rule = ruleOf(site, now(), { article, way: 'publish', target: site.target, isSettled, isApproved })
  if (rule === 'needs_approval') {
    expect(said(answer), answer.text).toMatch(/^20[12] awaiting_approval$/)
    article.asked = 'publish'
    article.approved = null
    return
  }
  if (rule !== null) return expectRefusal(answer, rule, site)
  if (site.mode === 'unavailable') {
    expect([201, 202], answer.text).toContain(answer.status)
    if (!isSettled) site.places.push({ day: Math.floor(now() / 86_400_000), articleId: article.id })
    article.queued = 'retry'
    article.asked = null
    article.approved = null
    return
  }
  expect(said(answer), answer.text).toMatch(/^20[01] published$/)
  goesOut(site, now(), article, 'publish', isSettled)
}

/** Changes a published article, and expects what the policy in force says. */
const sync = async (site: Site, article: ModelArticle, title: string, answer: Answer): Promise<void> => {
  if (article.status !== 'Published') return expectByState(answer)
  const rule = ruleOf(site, now(), { article, way: 'change', target: site.target })
  if (rule === 'needs_approval') {
    expect(said(answer), answer.text).toBe('202 awaiting_approval')
    article.title = title
    article.asked = 'sync'
    article.queued = null
    article.approved = null
    return
  }
  if (rule !== null) return expectRefusal(answer, rule, site)
  article.title = title
  article.queued = null
  if (site.mode === 'unavailable') {
    expect(said(answer), answer.text).toBe('502 sync_failed')
    article.asked = null
    article.approved = null
    return
  }
  expect(answer.status, answer.text).toBe(200)
  goesOut(site, now(), article, 'change')
}

/** Adopts the title that readers see after a version was put back: it is one they saw before. */
const adoptShown = async (site: Site, article: ModelArticle): Promise<void> => {
  const shows = new Set(await site.shows())
  const seen = [...new Set([...article.earlier, article.title])].filter((title) => shows.has(title))
  expect(seen).toHaveLength(1)
  article.shown = seen[0] ?? null
  article.earlier.add(article.shown ?? '')
}

const newestDelivery = async ({ id }: ModelArticle): Promise<number> => {
  const [row] = await rowsIn<{ id: number }>(
    access,
    sql`select max(id) as id from deliveries where article_id = ${id}::int and replay_of is null`,
  )
  return Number(row?.id ?? 0)
}

type OnArticle = Extract<Step, { place: number }>

/** A call by which a published article is changed, taken down or sent again. */
const onLive = async (tenant: Tenant, site: Site, article: ModelArticle, { kind, by }: OnArticle): Promise<void> => {
  const api = tenant.apis[scopeOf(by)]
  if (kind === 'replay') {
    const delivery = await newestDelivery(article)
    if (delivery === 0) return
    const answer = await api.post(`/webhook-deliveries/${delivery}/replay`)
    if (by === 'read' || by === 'draft') return expect(said(answer)).toBe('403 key_may_not')
    if (BY_STATE.has(String(answer.body.code))) return
    if (article.status !== 'Published') return await publish(site, article, answer)
    const rule = ruleOf(site, now(), { article, way: 'change', target: site.target })
    if (rule !== null) return expectNotDone(answer, rule, site)
    expect([200, 201, 202], answer.text).toContain(answer.status)
    if (site.mode === 'ok') article.taken += 1
    return await adoptShown(site, article)
  }
  const answer = await api.post(`/articles/${article.id}/${kind}`)
  if (by === 'read' || by === 'draft') return expect(said(answer)).toBe('403 key_may_not')
  if (article.status !== 'Published' || site.target === 'webhook') return expectByState(answer)
  if (answer.body.code === 'nothing_to_roll_back') return
  const rule = ruleOf(site, now(), { article, way: kind === 'rollback' ? 'change' : 'down', target: site.target })
  if (rule !== null) return expectNotDone(answer, rule, site)
  expect(answer.status, answer.text).toBe(200)
  if (kind === 'rollback') return await adoptShown(site, article)
  Object.assign(article, { status: 'Draft', shown: null, asked: null, approved: null, queued: null })
}

const remove = async ({ apis }: Tenant, site: Site, place: number, by: Caller): Promise<void> => {
  const article = site.articles[place]
  if (!article) return
  const answer = await apis[scopeOf(by)].del(`/articles/${article.id}`)
  if (by === 'read' || by === 'draft') return expect(said(answer)).toBe('403 key_may_not')
  if (article.status === 'Published') return expect(said(answer)).toBe('400 published_article')
  expect(answer.status, answer.text).toBe(200)
  isGone(site, article)
  site.articles[place] = null
}

type Question = { id: number; article_id: number | null; kind: string }

/** A person decides the oldest question of a site. */
const decide = async (tenant: Tenant, site: Site, approves: boolean): Promise<void> => {
  tenant.acts += 1
  if (tenant.acts > 28) return
  const [question] = await rowsIn<Question>(
    access,
    sql`select id, article_id, kind from approvals where project_id = ${site.projectId}::int and status = 'awaiting'
      and kind in ('publish', 'sync') order by id limit 1`,
  )
  const article = articlesOf(site).find(({ id }) => id === Number(question?.article_id))
  if (!question || !article) return
  const decision: Record<string, string> = approves
    ? { decision: 'approve' }
    : { decision: 'return', comment: 'Say more.' }
  await tenant.person.post(`/p/${site.projectId}/approvals/${question.id}/decide`, decision, { follow: false })
  const { asked } = article
  article.asked = null
  if (!approves) {
    article.isSpent = true
    return
  }
  article.approved = article.title
  const isLater = article.status === 'Planned' && article.due !== null && article.due > now()
  if (asked === 'publish' && !isLater) article.queued = 'go'
  if (asked === 'sync') article.queued = 'change'
}

const take = async (tenant: Tenant, other: Tenant, step: Step): Promise<void> => {
  const site = tenant.sites[step.site]
  if (!site) return
  const { apis, person } = tenant
  switch (step.kind) {
    case 'policy':
      await savePolicy(access, tenant, site, clausesOf(step.policy))
      return
    case 'receiver':
      await site.setMode(step.mode)
      site.mode = step.mode
      return
    case 'decide':
      await decide(tenant, site, step.approves)
      await flush(access)
      return
  }
  const { kind, place, by } = step
  if (kind === 'write') return await write(tenant, site, place, by)
  const article = site.articles[place]
  if (!article) return
  if (kind === 'plan' || kind === 'unplan') return await plan(tenant, article, by, kind === 'plan' ? step.hours : null)
  if (kind === 'remove') return await remove(tenant, site, place, by)
  if (kind === 'outsider') {
    const answer = await other.apis.write.post(`/articles/${article.id}/publish`)
    expect(said(answer)).toBe('403 forbidden')
    return
  }
  if (kind === 'publish' && by === 'person') {
    tenant.acts += 1
    if (tenant.acts > 28) return
    await person.post(`/p/${site.projectId}/articles/${article.id}/publish`, {}, { follow: false })
    const rule = ruleOf(site, now(), {
      article,
      way: 'publish',
      target: site.target,
      isApproved: true,
      isSettled: article.queued === 'retry',
    })
    if (article.status === 'Published' || rule !== null) return
    const status = site.mode === 'ok' ? { status: 200, body: { status: 'published' } } : { status: 202, body: {} }
    return await publish(site, article, { ...status, headers: new Headers(), text: '' }, true)
  }
  const api = apis[scopeOf(by)]
  if (kind === 'publish') {
    const answer = await api.post(`/articles/${article.id}/publish`)
    if (by === 'read' || by === 'draft') return expect(said(answer)).toBe('403 key_may_not')
    return await publish(site, article, noted(answer))
  }
  if (kind === 'sync' || kind === 'put_sync') {
    const title = newTitle()
    const answer =
      kind === 'sync'
        ? await api.post(`/articles/${article.id}/sync`, { title })
        : await api.put(`/articles/${article.id}`, { title, sync: true })
    if (by === 'read' || by === 'draft') return expect(said(answer)).toBe('403 key_may_not')
    if (kind === 'put_sync' && article.status !== 'Published') {
      if (answer.status === 200) Object.assign(article, { title, isSpent: false })
      return
    }
    return await sync(site, article, title, noted(answer))
  }
  return await onLive(tenant, site, article, step)
}

/** Takes the steps of one tenant, one after the other, and looks at its sites after each. */
const takeAll = async (tenant: Tenant, other: Tenant, given: readonly Step[]): Promise<void> => {
  for (const step of given) {
    steps += 1
    trace.push(`${tenant.accountId} ${JSON.stringify(step)}`)
    await take(tenant, other, step)
    const site = tenant.sites[step.site]
    // Work that follows a step is in the queue.
    if (step.kind === 'write' || step.kind === 'publish') await flush(access)
    if (site) await explain(site, step)
  }
}

/** Ends every lease and wait of a tenant. */
const endWaits = async ({ accountId }: Tenant): Promise<void> => {
  const mine = sql`account_id = ${accountId}::int`
  await rowsIn(
    access,
    sql`update deliveries set next_attempt_at = least(next_attempt_at, now() - interval '1 second')
      where ${mine} and status in ('retrying', 'unknown')`,
  )
  await rowsIn(
    access,
    sql`update accounts set publish_minute = publish_minute - interval '1 minute' where id = ${accountId}::int`,
  )
  await rowsIn(
    access,
    sql`update outbox set run_at = least(run_at, now() - interval '5 minutes'), lease_until = null,
      offered_at = least(offered_at, now() - interval '2 hours') where ${mine} and done_at is null and dead_at is null`,
  )
}

/** Ticks of the clock after which everything that may go out has gone: one article of a site goes at a time. */
const TICKS = 3

/** Expects that the clock left only work behind that the policy forbids, and each article as the model has it. */
const settle = async (tenant: Tenant): Promise<void> => {
  const rows = await rowsOf(tenant)
  for (const site of tenant.sites) {
    for (const article of articlesOf(site)) {
      const row = rows.get(article.id)
      const about = () =>
        JSON.stringify({
          article: { ...article, earlier: [...article.earlier] },
          row,
          policy: site.policy,
          at: new Date(now()).toISOString(),
        })
      const want = wantOf(article, now())
      const rule = want && ruleOfWant(site, now(), article, want)
      if (
        want &&
        site.mode === 'unavailable' &&
        (row?.publish_state === 'failed' || row?.publish_state === 'retrying')
      ) {
        if (row.publish_state === 'retrying' && want.kind !== 'retry') {
          site.places.push({ day: Math.floor(now() / 86_400_000), articleId: article.id })
          Object.assign(article, { queued: 'retry', approved: null })
        }
        if (row.publish_state === 'failed') gaveUp(site, article)
        continue
      }
      if (want && rule === null) throw new Error(`the clock left it behind: ${about()}`)
      if (rule === 'allowed_targets') {
        if (want?.kind === 'retry') gaveUp(site, article)
        Object.assign(article, { queued: null, isSpent: true, approved: null })
      }
      if (rule === 'needs_approval') Object.assign(article, { queued: null, asked: 'publish', approved: null })
      if (row === undefined || row.status !== article.status || row.title !== article.title)
        throw new Error(`it is not as it should be: ${about()}`)
      if (article.asked !== null && row.publish_state === 'failed')
        Object.assign(article, { asked: null, isSpent: true })
      if (article.asked !== null && row.publish_state !== 'awaiting_approval')
        throw new Error(`nobody is asked: ${about()}`)
      if (article.queued !== null && row.publish_state === 'failed')
        Object.assign(article, { queued: null, approved: null, isSpent: true })
    }
    await expectOnce(site)
  }
}

/** Lets the clock go on: hours, or a minute. */
const passTime = async (tenants: readonly Tenant[], hours: number): Promise<void> => {
  if (hours > 0) {
    // No day ends while the steps are taken.
    const by = new Date(now() + hours * 3_600_000).getUTCHours() === 23 ? hours + 1 : hours
    passed += by
    await Promise.all(tenants.map((tenant) => passHours(access, tenant, by, passed)))
  }
  for (let tick = 0; tick < TICKS; tick += 1) {
    const shut = await Promise.all(
      tenants.flatMap(({ sites }) =>
        sites.map(async (site) => [site, isShut(site, now()), (await site.arrivals()).length] as const),
      ),
    )
    await Promise.all(tenants.map(endWaits))
    await cron(access)
    await flush(access, true)
    for (const [site, isClosed, before] of shut)
      if (isClosed) expect((await site.arrivals()).length, 'requests to a site that is shut').toBe(before)
    for (const { sites } of tenants) for (const site of sites) await explain(site, 'clock')
  }
  for (const tenant of tenants) await settle(tenant)
}

/** Makes what is planned drafts, so that nothing falls due later. */
const unplan = ({ accountId }: Tenant) =>
  rowsIn(access, sql`update articles set status = 'Draft' where account_id = ${accountId}::int and status = 'Planned'`)

const runSequence = async (rounds: Round[]): Promise<void> => {
  passed = 0
  trace = []
  const tenants = await Promise.all([openTenant(stack, access), openTenant(stack, access)])
  const [one, other] = tenants
  if (!one || !other) return
  try {
    for (const tenant of tenants)
      for (const site of tenant.sites)
        for (const place of site.articles.keys()) await write(tenant, site, place, 'write')
    for (const { tenants: given, hours } of rounds) {
      await Promise.all([takeAll(one, other, given[0]), takeAll(other, one, given[1])])
      steps += 1
      trace.push(`clock ${hours}`)
      await passTime(tenants, hours)
    }
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.stack : error}\n${trace.join('\n')}`)
  } finally {
    await Promise.all(tenants.map(({ close }) => close()))
    for (const tenant of tenants) await unplan(tenant)
  }
}

test(
  'random calls, persons and clocks: what a policy forbids never goes out, what it allows does, once',
  async () => {
    await holdFor(policySequence, runSequence, {
      seed: SEED,
      ...(STEPS === undefined
        ? { limitMs: SEQUENCES_MS, least: 1 }
        : { limitMs: STEPS_MS, runs: Math.ceil(STEPS / STEPS_OF_ONE) }),
    })
    process.stdout.write(`${steps} steps held\n`)
  },
  (STEPS === undefined ? SEQUENCES_MS : STEPS_MS) + 120_000,
)

/** Articles that callers publish at once. */
const AT_ONCE = 6
/** Time within which a freeze holds everywhere, ms. */
const FREEZE_MS = 10_000

/** Calls at once: how many articles of the day are left, or a freeze in the midst of them. */
type Burst = { left: number; freezesAfterMs: number | undefined }

const burst: fc.Arbitrary<Burst> = fc.record({
  left: fc.nat(AT_ONCE),
  freezesAfterMs: fc.option(fc.nat(150), { nil: undefined }),
})

/** Publishes at once, and expects no more articles to go out than are left of the day, and none after a freeze. */
const runBurst = async (tenant: Tenant, { left, freezesAfterMs }: Burst): Promise<void> => {
  const [site] = tenant.sites
  if (!site) return
  const { write } = tenant.apis
  await setPolicy(access, site.projectId)
  const ids: number[] = []
  for (let n = 0; n < AT_ONCE; n += 1) ids.push(await newArticle(write, site.projectId))
  const { body } = await tenant.apis.read.get(`/projects/${site.projectId}/policy`)
  const used = (body.used as { publications_today: number }).publications_today
  const most = { max_publications_per_day: used + left }
  await setPolicy(access, site.projectId, most)
  const freeze = async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, freezesAfterMs))
    await setPolicy(access, site.projectId, { ...most, frozen: true })
    return Date.now()
  }
  const [frozenAt, ...answers] = await Promise.all([
    freezesAfterMs === undefined ? undefined : freeze(),
    ...ids.map((id) => write.post(`/articles/${id}/publish`)),
  ])
  await setPolicy(access, site.projectId, { ...most, frozen: true })
  const shutAt = Date.now()
  // Articles that did not go out are due now, and stay.
  await Promise.all(ids.map((id) => write.put(`/articles/${id}`, { status: 'Planned', scheduled_date: '2026-01-05' })))
  await endWaits(tenant)
  await cron(access)
  await flush(access, true)
  await unplan(tenant)
  const arrivals = (await site.arrivals()).filter(({ articleIds }) => articleIds.some((id) => ids.includes(id)))
  const said = answers.map(({ status, body: { rule } }) => `${status} ${rule ?? ''}`)
  const about = JSON.stringify({ left, frozenAt, said, arrivals })
  const allowed = said.filter((one) => one === '200 ').length
  expect(arrivals.length, about).toBe(allowed)
  if (frozenAt === undefined) expect(allowed, about).toBe(Math.min(left, AT_ONCE))
  else expect(allowed, about).toBeLessThanOrEqual(left)
  const rules = frozenAt === undefined ? ['max_publications_per_day'] : ['max_publications_per_day', 'frozen']
  for (const one of said) expect(['200 ', ...rules.map((rule) => `403 ${rule}`)], about).toContain(one)
  for (const { at } of arrivals) expect(at, about).toBeLessThanOrEqual((frozenAt ?? shutAt) + FREEZE_MS)
  expectRefusal(await write.post(`/articles/${await newArticle(write, site.projectId)}/publish`), 'frozen', site)
}

test(
  'calls at once never pass the maximum of a day, and none goes out after a freeze',
  async () => {
    const tenants = await Promise.all([openTenant(stack, access), openTenant(stack, access)])
    let bursts = 0
    const both = fc.tuple(burst, burst)
    await holdFor(
      both,
      async (given) => {
        bursts += 2
        await Promise.all(tenants.map((tenant, n) => runBurst(tenant, given[n] as Burst)))
      },
      {
        seed: SEED,
        ...(STEPS === undefined ? { limitMs: SEQUENCES_MS / 3, least: 2 } : { limitMs: STEPS_MS, runs: 150 }),
      },
    )
    await Promise.all(tenants.map(({ close }) => close()))
    process.stdout.write(`${bursts} bursts held\n`)
  },
  (STEPS === undefined ? SEQUENCES_MS : STEPS_MS) + 120_000,
)

import { sql } from 'drizzle-orm'
import { describe, expect, inject, it, vi } from 'vitest'
import { type RewriteDeps, rewriteSuggestion } from '../../../src/insights/suggestions/rewrite.ts'
import type { Ctx } from '../../../src/platform/runtime/ctx.ts'
import { signInAsOwner } from '../../accounts/people/browser.ts'
import { flush } from '../../publishing/scene.ts'
import { systemFor } from '../../publishing/system.ts'
import { type Api, newAccount, rowsIn } from '../../support/client.ts'
import { ownFaults } from '../../support/faults.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { openLive, seedSearch } from './seed.ts'

const stack = inject('stack')

const run = async (api: Api, project: number) => {
  const { status, body, text } = await api.post('/suggestions/run', { project_id: project })
  expect(status, text).toBe(200)
  return body
}
type Row = Record<string, unknown> & {
  id: number
  status: string
  opportunity_type: string
  article_id: number
  priority: number
}
const listed = async (api: Api, query: string) => {
  const { status, body, text } = await api.get(`/suggestions?${query}`)
  expect(status, text).toBe(200)
  return body as unknown as { suggestions: Row[]; counts: Record<string, number> } & Record<string, unknown>
}
const ready = async (api: Api, id: number): Promise<Row> =>
  await vi.waitFor(
    async () => {
      const { body } = await api.get(`/suggestions/${id}`)
      const suggestion = body.suggestion as Row
      expect(['ready', 'failed']).toContain(suggestion.status)
      return suggestion
    },
    { timeout: PATIENCE_MS, interval: 150 },
  )

/** Returns a live article at position 6 for a query that it does not contain. */
const openScene = async () => {
  const { api, project, articles } = await openLive(stack, 1)
  const [article] = articles
  await seedSearch(stack, api, project, [
    { article, now: [5, 900, 6.2], before: [30, 1000, 4], queries: { 'oak garden shed': [2, 800, 6.1] } },
  ])
  await run(api, project)
  const { suggestions } = await listed(api, `project_id=${project}&type=striking_distance`)
  return { api, project, article, id: suggestions[0]?.id ?? 0 }
}

describe('suggestions', () => {
  it('without search data say what to do, and find nothing', async () => {
    const { api, project } = await openLive(stack, 0)
    expect(await run(api, project)).toMatchObject({
      created: 0,
      sc_connected: false,
      gsc_connected: false,
      instructions_for_agent: expect.stringMatching(/open http.*Search Console/),
    })
    expect(await listed(api, `project_id=${project}`)).toMatchObject({
      suggestions: [],
      sc_connected: false,
      settings: { enabled: false, weekly: true, next_run_at: null },
      counts: { pending: 0, approved: 0, rewriting: 0, ready: 0, published: 0, rejected: 0, failed: 0, superseded: 0 },
    })
  })

  it('are found once for each article and type, most clicks first, until they are decided', async () => {
    const { api, project, articles } = await openLive(stack, 4)
    const [near, dead, weak, strong] = articles as unknown as [number, number, number, number]
    await seedSearch(stack, api, project, [
      { article: near, now: [5, 900, 6], before: [6, 900, 6], queries: { 'oak shed': [5, 900, 6] } },
      { article: dead, now: [0, 20, 40], before: [9, 200, 20] },
      { article: weak, now: [10, 400, 12], before: [40, 600, 9], queries: { 'shed floor': [4, 300, 12] } },
      { article: strong, now: [80, 500, 2], before: [80, 500, 2], queries: { 'shed floor': [70, 450, 2] } },
    ])
    const ran = await run(api, project)
    expect(ran).toMatchObject({ created: 6, sc_connected: true })
    const first = await listed(api, `project_id=${project}`)
    const made = first.suggestions.map(({ id }) => id)
    expect(ran.message).toContain(`GET /suggestions?project_id=${project}&status=pending `)
    expect(ran.message).toContain(`POST /suggestions/${Math.min(...made)}/approve`)
    const kinds = first.suggestions.map((row) => `${row.opportunity_type} ${articles.indexOf(row.article_id)}`).sort()
    expect(first.suggestions[0]).toMatchObject({
      suggestion_type: 'content_rewrite',
      source_type: first.suggestions[0]?.opportunity_type,
    })
    expect(kinds).toEqual([
      'cannibalisation 2',
      'ctr_underperform 0',
      'dead_page 1',
      'declining_page 2',
      'striking_distance 0',
      'striking_distance 2',
    ])
    for (const row of first.suggestions)
      expect(row).toMatchObject({ status: 'pending', trigger_snapshot: null, project_id: project, error: null })
    expect(first.counts).toMatchObject({ pending: 6, ready: 0 })
    expect(await run(api, project)).toMatchObject({ created: 0 })
    const [row] = first.suggestions
    await api.post(`/suggestions/${row?.id}/reject`, { reason: 'Not now.' })
    const resting = await run(api, project)
    expect(resting).toMatchObject({ created: 0, message: expect.stringContaining('less than 28 days ago') })
    await rowsIn(stack, sql`update suggestions set updated_at = now() - interval '28 days' where id = ${row?.id}::int`)
    const again = await run(api, project)
    expect(again).toMatchObject({ created: 1 })
    const newest = (await listed(api, `project_id=${project}&limit=500`)).suggestions.map(({ id }) => id)
    expect(again.message).toContain(`POST /suggestions/${Math.max(...newest)}/approve`)
    expect((await listed(api, `project_id=${project}&status=rejected`)).suggestions).toMatchObject([
      { id: row?.id, feedback: 'Not now.' },
    ])
    expect(
      (await listed(api, `project_id=${project}&type=dead_page,cannibalisation&limit=1`)).suggestions,
    ).toHaveLength(1)
  })

  it('approved is rewritten, keeps every link, is shown as a difference and published as an update', async () => {
    const { api, project, article, id } = await openScene()
    const approved = await api.post(`/suggestions/${id}/approve`)
    expect(approved).toMatchObject({ status: 200, body: { suggestion: { id, status: 'approved' } } })
    const made = await ready(api, id)
    expect(made).toMatchObject({
      status: 'ready',
      error: null,
      trigger_snapshot: {
        now: { clicks: 5, impressions: 900 },
        queries: [{ query: 'oak garden shed', impressions: 800 }],
      },
      proposed_diff: {
        before: { title: 'Sheds, part 1' },
        after: {
          title: 'Oak garden shed: Sheds, part 1',
          content: expect.stringContaining('https://wood.example/floors'),
        },
      },
      notes: [expect.stringMatching(/language model/)],
      live_page: { state: 'same', reason: null, only_live: [], only_saved_count: 0, title_changed: false },
    })
    const { suggestions } = await listed(api, `project_id=${project}&status=ready`)
    expect(suggestions).toMatchObject([{ id, trigger_snapshot: made.trigger_snapshot }])
    expect(suggestions[0]?.proposed_diff).toEqual(made.proposed_diff)
    const { body: diff } = await api.get(`/suggestions/${id}/diff`)
    expect(diff).toMatchObject({ id, status: 'ready', before: { title: 'Sheds, part 1' } })
    // A page that shows the new title and description, too.
    expect(diff.html).toMatch(
      /^<h1><ins>Oak garden shed: <\/ins>Sheds, part 1<\/h1>\n<p>.*<del>Sheds\.<\/del>.*<\/p>\n<p>/,
    )
    expect((diff.stats as { added: number }).added).toBeGreaterThan(4)
    const published = await api.post(`/suggestions/${id}/publish`)
    expect(published, published.text).toMatchObject({
      status: 200,
      body: { suggestion: { id, status: 'published' }, url: expect.stringMatching(/^http/) },
    })
    const { body: live } = await api.get(`/articles/${article}`)
    expect(live).toMatchObject({ Title: 'Oak garden shed: Sheds, part 1', Status: 'Published', Revision: 3 })
    const { body: deliveries } = await api.get(`/webhook-deliveries?article_id=${article}`)
    expect(deliveries.deliveries).toMatchObject([{ event_type: 'update_articles' }, { event_type: 'publish_articles' }])
    expect(await api.post(`/suggestions/${id}/publish`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', status: 'published' },
    })
    const again = await run(api, project)
    expect(again.message).toContain('less than 28 days ago')
    expect((await listed(api, `project_id=${project}&type=striking_distance`)).suggestions).toHaveLength(1)
  })

  it('wait for a person if the policy says so, and go live after the approval', async () => {
    const { api, project, article, id } = await openScene()
    await api.post(`/suggestions/${id}/approve`)
    await ready(api, id)
    await rowsIn(
      stack,
      sql`insert into policies (project_id, account_id, version, needs_approval, changed_by, changed_at)
        values (${project}::int, ${api.accountId}::int, 1, 'every', 'test', now())`,
    )
    const { status, body } = await api.post(`/suggestions/${id}/publish`)
    expect([status, body.status, body.article_id]).toEqual([202, 'awaiting_approval', article])
    expect((await api.post(`/suggestions/${id}/publish`)).body.approval_id).toBe(body.approval_id)
    expect((await api.get(`/approvals/${body.approval_id}`)).body.approval).toMatchObject({
      kind: 'suggestion',
      live: { title: 'Sheds, part 1' },
      proposed: { title: 'Oak garden shed: Sheds, part 1' },
    })
    // Nothing is saved before a person decides.
    expect((await api.get(`/articles/${article}`)).body).toMatchObject({ Title: 'Sheds, part 1', PublishState: 'idle' })
    const { person } = await signInAsOwner(stack, api)
    await person.post(`/p/${project}/approvals/${body.approval_id}/decide`, { decision: 'approve' })
    await flush(stack, true)
    expect((await api.get(`/suggestions/${id}`)).body.suggestion).toMatchObject({ status: 'published' })
    expect((await api.get(`/articles/${article}`)).body).toMatchObject({ Title: 'Oak garden shed: Sheds, part 1' })
    const { body: sent } = await api.get(`/webhook-deliveries?article_id=${article}`)
    expect(sent.deliveries).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }])
  })

  it('are listed with what they propose, as many on a page as four mebibytes hold', async () => {
    const { api, project } = await openLive(stack, 0)
    const text = (letter: string) =>
      sql`jsonb_build_object('title', 'Sheds', 'meta_description', '', 'content', repeat(${letter}::text, 500000))`
    const numbers = sql`jsonb_build_object('clicks', 1, 'impressions', 9, 'position', 5)`
    await rowsIn(
      stack,
      sql`insert into suggestions (account_id, project_id, article_title, status, opportunity_type, priority, reason, ready_at, trigger,
          before, after, stats, proposal_bytes)
        select ${api.accountId}::int, ${project}::int, 'Sheds', 'ready', 'dead_page', 5, 'No clicks.', now(),
          jsonb_build_object('page', '', 'period', jsonb_build_object('starts_on', '', 'ends_on', '', 'days', 28), 'now', ${numbers},
            'before', null, 'queries', '[]'::jsonb, 'other_page', null, 'expected_clicks', 1),
          ${text('b')}, ${text('a')}, '{"added": 1, "removed": 1}', case when n > 3 then 1000100 end
        from generate_series(1, 6) n returning id`,
    )
    const first = await listed(api, `project_id=${project}&limit=5`)
    expect(first).toMatchObject({ count: 4, limit: 4, offset: 0, next_offset: 4 })
    for (const { proposed_diff: proposed } of first.suggestions)
      expect(proposed).toMatchObject({ after: { content: 'a'.repeat(500_000) }, stats: { added: 1 } })
    const last = await listed(api, `project_id=${project}&limit=5&offset=${first.next_offset}`)
    expect(last).toMatchObject({ count: 2, limit: 5, next_offset: null })
    const below = await listed(api, `project_id=${project}&before_id=${first.before_id}`)
    expect(below.suggestions.map(({ id }) => id)).toEqual(last.suggestions.map(({ id }) => id))
    expect(new Set([...first.suggestions, ...last.suggestions].map(({ id }) => id)).size).toBe(6)
  })

  it('published by several calls at once is one update of the article, and published', {
    tags: ['services'],
  }, async () => {
    const { api, article, id } = await openScene()
    await api.post(`/suggestions/${id}/approve`)
    await ready(api, id)
    const answers = await Promise.all(Array.from({ length: 4 }, () => api.post(`/suggestions/${id}/publish`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect((await api.get(`/suggestions/${id}`)).body).toMatchObject({ suggestion: { status: 'published' } })
    const { body } = await api.get(`/webhook-deliveries?article_id=${article}`)
    expect(body.deliveries).toMatchObject([{ event_type: 'update_articles' }, { event_type: 'publish_articles' }])
  })

  it('are published without an update if the article already has their words, with a note', async () => {
    const { api, article, id } = await openScene()
    await api.post(`/suggestions/${id}/approve`)
    await ready(api, id)
    const { body: diff } = await api.get(`/suggestions/${id}/diff`)
    const { status } = await api.post(`/articles/${article}/sync`, diff.after as Record<string, unknown>)
    expect(status).toBe(200)
    const before = await api.get(`/webhook-deliveries?article_id=${article}`)
    expect(await api.post(`/suggestions/${id}/publish`)).toMatchObject({
      status: 200,
      body: { suggestion: { id, status: 'published' }, message: expect.stringContaining('nothing was sent') },
    })
    const { body } = await api.get(`/webhook-deliveries?article_id=${article}`)
    expect(body.count).toBe(before.body.count)
  })

  it('is not published over an article that was changed since', async () => {
    const { api, article, id } = await openScene()
    await api.post(`/suggestions/${id}/approve`)
    await ready(api, id)
    await api.post(`/articles/${article}/sync`, { title: 'Mine' })
    expect(await api.post(`/suggestions/${id}/publish`)).toMatchObject({
      status: 409,
      body: { error: 'changed_since_staged' },
    })
    expect((await api.get(`/suggestions/${id}`)).body).toMatchObject({ suggestion: { status: 'superseded' } })
    expect((await api.get(`/articles/${article}`)).body).toMatchObject({ Title: 'Mine' })
  })

  it('does not overwrite a change that is saved during its publication', async () => {
    const { api, article, id } = await openScene()
    await api.post(`/suggestions/${id}/approve`)
    await ready(api, id)
    const { body } = await api.get(`/suggestions/${id}/diff`)
    const { content } = body.after as { content: string }
    // Publication has read the staged article. Its save is held until another save has come first.
    const faults = ownFaults(stack.neonUrl)
    await faults.set({ body: JSON.stringify(content).slice(1, 100), hold: true, times: 1 })
    try {
      const publishing = api.post(`/suggestions/${id}/publish`)
      await expect.poll(faults.used).toEqual([1])
      expect(await api.post(`/articles/${article}/sync`, { title: 'Mine' })).toMatchObject({ status: 200 })
      await faults.clear()
      expect(await publishing).toMatchObject({ status: 409, body: { error: 'changed_since_staged' } })
    } finally {
      await faults.clear()
    }
    expect((await api.get(`/suggestions/${id}`)).body).toMatchObject({ suggestion: { status: 'superseded' } })
    expect((await api.get(`/articles/${article}`)).body).toMatchObject({ Title: 'Mine' })
  })

  it('are superseded instead of rewritten if the article is no longer live', async () => {
    const { api, article, id } = await openScene()
    await rowsIn(stack, sql`update articles set status = 'Draft' where id = ${article}::int`)
    expect(await api.post(`/suggestions/${id}/approve`)).toMatchObject({ status: 200 })
    const found = async () => ((await api.get(`/suggestions/${id}`)).body.suggestion as Row).status
    await expect.poll(found).toBe('superseded')
  })

  it('is made again with feedback from ready, not from pending', async () => {
    const { api, id } = await openScene()
    expect(await api.post(`/suggestions/${id}/regenerate`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    })
    await api.post(`/suggestions/${id}/approve`)
    await ready(api, id)
    expect(await api.post(`/suggestions/${id}/regenerate`, { feedback: 'Shorter.' })).toMatchObject({
      status: 202,
      body: { suggestion: { id, status: 'approved' } },
    })
    expect(await ready(api, id)).toMatchObject({ status: 'ready', feedback: 'Shorter.' })
  })

  it('is not saved by a run from before the new request', async () => {
    const { api, id } = await openScene()
    await api.post(`/suggestions/${id}/approve`)
    await ready(api, id)
    // The state of a run that has finished all parts and is about to stage them.
    await rowsIn(
      stack,
      sql`update suggestions set status = 'rewriting', updated_at = date_trunc('milliseconds', now()),
        making = jsonb_build_object('revision', base_revision, 'live', live_page, 'html', null, 'wording', null, 'faults', '[]'::jsonb, 'asked', 0)
        where id = ${id}::int returning id`,
    )
    const job = systemFor(stack, api.accountId)
    let staged = 0
    const late: Ctx = {
      ...job,
      batch: async (statements, options) => {
        staged += 1
        // Another run was faster, and a person had the rewrite made again.
        await rowsIn(
          stack,
          sql`update suggestions set feedback = 'Shorter.', after = null, updated_at = updated_at + interval '1 minute' where id = ${id}::int returning id`,
        )
        return await job.batch(statements, options)
      },
    }
    const nobody = { writer: {}, mainContent: {} } as unknown as RewriteDeps
    expect(await rewriteSuggestion(late, nobody, id)).toEqual({ kind: 'done' })
    const { body } = await api.get(`/suggestions/${id}`)
    expect([staged, (body.suggestion as Row).status]).toEqual([1, 'rewriting'])
  })

  it('is not made again on the free plan', async () => {
    const { api, project, articles } = await openLive(stack, 1, 'agentic_free')
    await seedSearch(stack, api, project, [{ article: articles[0], now: [0, 10, 30], before: [9, 200, 20] }])
    await run(api, project)
    const [row] = (await listed(api, `project_id=${project}`)).suggestions
    expect(await api.post(`/suggestions/${row?.id}/regenerate`)).toMatchObject({
      status: 402,
      body: { error: 'plan_required', upgrade_url: expect.any(String) },
    })
  })

  it('is decided once when several decide at the same moment', { tags: ['services'] }, async () => {
    const { api, id } = await openScene()
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(`/suggestions/${id}/approve`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
    const [row] = await rowsIn<{ n: number }>(
      stack,
      sql`select count(*)::int as n from outbox where key = ${`rewrite:${id}`}`,
    )
    expect(row?.n).toBe(1)
  })

  it('belongs to its account', async () => {
    const { project, id } = await openScene()
    const outsider = await newAccount(stack)
    for (const path of [`/suggestions/${id}`, `/suggestions/${id}/diff`, `/suggestions?project_id=${project}`])
      expect((await outsider.get(path)).status, path).toBe(403)
    for (const verb of ['approve', 'reject', 'publish', 'regenerate'])
      expect((await outsider.post(`/suggestions/${id}/${verb}`)).status, verb).toBe(403)
    expect((await outsider.post('/suggestions/run', { project_id: project })).status).toBe(403)
  })
})

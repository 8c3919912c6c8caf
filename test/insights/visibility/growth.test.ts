/** @module-tag services */
import { type SQL, sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import {
  answerRows,
  newestScans,
  newestViews,
  pastScans,
  promptsOf,
  scanRows,
  scanStatus,
} from '../../../src/insights/visibility/read/queries.ts'
import { openQuestions } from '../../../src/insights/visibility/scan/queries.ts'
import { createDb } from '../../../src/platform/db/client.ts'
import { tirelessAccount } from '../../publishing/scene.ts'
import { newProject, rowsIn } from '../../support/client.ts'

const stack = inject('stack')
const db = createDb(stack.connectionString, `${stack.neonUrl}/sql`)

const PAGE = { limit: 20, offset: 0, beforeId: undefined }
/** A page of the tables more or less, as trees grow higher. */
const FEW_PAGES = 12

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }

/** Returns pages a query touches. */
const pagesOf = async (query: { getSQL: () => SQL }): Promise<number> => {
  const [row] = await rowsIn<{ 'QUERY PLAN': { Plan: Plan }[] | string }>(
    stack,
    sql`explain (analyze, buffers, format json) ${query.getSQL()}`,
  )
  const given = row?.['QUERY PLAN'] ?? []
  const [first] = typeof given === 'string' ? (JSON.parse(given) as { Plan: Plan }[]) : given
  if (!first) throw new Error('no plan')
  return first.Plan['Shared Hit Blocks'] + first.Plan['Shared Read Blocks']
}

/** Completed scans of a project, each with answers of ten prompts to five engines. */
const addScans = async (projectId: number, accountId: number, count: number): Promise<void> => {
  await rowsIn(
    stack,
    sql`with made as (
      insert into visibility_scans (account_id, project_id, kind, state, samples, location, language, answers, cited, started_at, finished_at, engines, views)
      select ${accountId}::int, ${projectId}::int, 'weekly', 'completed', 1, 'US', 'en', 50, 20, now(), now(), '[]', '{"prompts":[],"competitors":[],"other":[],"pages":[]}'
      from generate_series(1, ${count}::int) returning id)
    insert into visibility_answers (account_id, project_id, scan_id, prompt_id, engine, sample, state, text, surface, asked_at)
    select ${accountId}::int, ${projectId}::int, made.id, p.id, e.engine, 1, 'not_cited', repeat('words ', 50), 'api', now()
    from made, visibility_prompts p, unnest(array['chatgpt', 'perplexity', 'gemini', 'google_ai_overview', 'google_ai_mode']) as e (engine)
    where p.project_id = ${projectId}::int`,
  )
}

it.runIf(process.env.DATABASE_URL)(
  'reads cost the same with 100,000 answers as with 5,500',
  { timeout: 240_000 },
  async () => {
    const api = await tirelessAccount(stack)
    const id = await newProject(api)
    for (let n = 0; n < 10; n += 1)
      await api.post('/ai-visibility/prompts', { project_id: id, prompt: `Which sheds of kind ${n} last longest?` })
    await addScans(id, api.accountId, 110)
    const [ids] = await rowsIn<{ scan: number; prompt: number }>(
      stack,
      sql`select max(scan_id)::int as scan, max(prompt_id)::int as prompt from visibility_answers where project_id = ${id}::int`,
    )
    const { scan = 0, prompt = 0 } = ids ?? {}
    const queries = {
      standing: scanStatus(db, id, new Date()),
      newest: newestScans(db, id, 2),
      views: newestViews(db, id),
      past: pastScans(db, id, 105),
      prompts: promptsOf(db, id),
      scans: scanRows(db, id, PAGE),
      open: openQuestions(db, scan, 'gemini', 4),
      answers: answerRows(db, id, { project_id: id }, PAGE),
      deep: answerRows(db, id, { project_id: id }, { ...PAGE, beforeId: 1_000 }),
      byScan: answerRows(db, id, { project_id: id, scan_id: scan }, PAGE),
      byPrompt: answerRows(db, id, { project_id: id, prompt_id: prompt }, PAGE),
      byEngine: answerRows(db, id, { project_id: id, engine: ['gemini'] }, PAGE),
    }
    const measure = async () => {
      await rowsIn(stack, sql`analyze visibility_answers, visibility_scans, visibility_prompts`)
      const found: Record<string, number> = {}
      for (const [name, query] of Object.entries(queries)) found[name] = await pagesOf(query)
      return found
    }
    const before = await measure()
    for (let round = 0; round < 19; round += 1) await addScans(id, api.accountId, 100)
    await rowsIn(
      stack,
      sql`insert into visibility_prompts (account_id, project_id, prompt, prompt_key, source, removed_at)
    select ${api.accountId}::int, ${id}::int, 'gone ' || n, 'gone' || n, 'own', now() from generate_series(1, 5000) n`,
    )
    const after = await measure()
    const [{ n } = { n: 0 }] = await rowsIn<{ n: number }>(
      stack,
      sql`select count(*)::int as n from visibility_answers where project_id = ${id}::int`,
    )
    expect(n).toBeGreaterThanOrEqual(100_000)
    for (const [name, pages] of Object.entries(after))
      expect(pages, `${name}: ${before[name]} pages before`).toBeLessThanOrEqual((before[name] ?? 0) * 1.2 + FEW_PAGES)
    const { body } = await api.get(`/ai-visibility?project_id=${id}`)
    expect(body).toMatchObject({ visibility_score: 40, answers: 50 })
  },
)

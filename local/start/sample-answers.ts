import { sql } from 'drizzle-orm'
import { textsInProcess } from '../../functions/texts/app.ts'
import { ENGINES, type Engine } from '../../schema/values/visibility.ts'
import type { EngineAnswer } from '../../src/insights/visibility/port.ts'
import { countScan } from '../../src/insights/visibility/rules.ts'
import { keptOf } from '../../src/insights/visibility/scan/keep.ts'
import type { SqlRunner } from '../../src/platform/db/client.ts'
import { earlierAnswer } from '../dataforseo/engines.ts'

/** Questions of the sample's customers to AI engines. */
export const QUESTIONS = [
  'Which garden shed should I buy?',
  'How do I build a base for a garden shed?',
  'What is the best way to keep a wooden shed dry?',
  'Who sells good garden rooms?',
] as const

const WEEKS = 8
const DAY_MS = 86_400_000
/** Share of today's mentions that the business had in the first week. */
const FIRST_STRENGTH = 0.3

type Project = {
  account_id: number
  business_name: string
  website_key: string
  competitor_websites: string[]
  prompts: { id: number; prompt: string }[]
}

const projectOf = async (run: SqlRunner, id: number): Promise<Project> => {
  const [found] = await run<Project>(sql`
    select account_id, business_name, website_key, competitor_websites, (
      select jsonb_agg(jsonb_build_object('id', v.id, 'prompt', v.prompt) order by v.id)
      from visibility_prompts v where v.project_id = p.id
    ) as prompts
    from projects p where p.id = ${id}::int`)
  if (!found) throw new Error(`the sample project ${id} is not there`)
  return found
}

type Answer = Exclude<EngineAnswer, { kind: 'failed' }>

const answerOf = (engine: Engine, prompt: string, of: { name: string; tag: string }, week: number): Answer => {
  const strength = 1 - ((1 - FIRST_STRENGTH) * week) / WEEKS
  const said = earlierAnswer(engine, prompt, of, week, strength)
  const surface = engine.startsWith('google') ? ('serp' as const) : ('api' as const)
  const asked = { model: null, surface, location: 'US', costUsd: surface === 'serp' ? 0.004 : 0.012 }
  return said ? { kind: 'answered', ...said, ...asked } : { kind: 'none', ...asked }
}

/** Returns one week's scan of a project, judged and counted as the service does it. */
const scanOf = async (project: Project, week: number) => {
  const { business_name: name, website_key: siteKey, competitor_websites: competitors } = project
  const of = { name, tag: [siteKey, ...competitors].join(' ') }
  const asked = project.prompts.flatMap(({ id: promptId, prompt }) =>
    ENGINES.map(async (engine) => {
      const kept = await keptOf(
        textsInProcess,
        answerOf(engine, prompt, of, week),
        { name, siteKey, competitors },
        prompt,
      )
      return { promptId, engine, ...kept }
    }),
  )
  const answers = await Promise.all(asked)
  return { answers, totals: countScan(answers, competitors) }
}

/** Stores the scans of the last eight weeks of the sample project, as if the weekly scan had run since then. */
export const keepEarlierScans = async (run: SqlRunner, id: number, now: Date): Promise<void> => {
  const project = await projectOf(run, id)
  for (let week = WEEKS; week >= 1; week -= 1) {
    const { answers, totals } = await scanOf(project, week)
    const at = new Date(now.getTime() - (week - 1) * 7 * DAY_MS - 3_600_000).toISOString()
    await run(sql`
      with scan as (
        insert into visibility_scans (account_id, project_id, kind, state, samples, location, language, sandbox, asked, gaps, answers,
          cited, mentioned, own_citations, competitor_citations, cost_usd, engines, views, started_at, finished_at)
        values (${project.account_id}, ${id}, 'weekly', 'completed', 1, 'US', 'en', true, ${totals.asked}, ${totals.gaps},
          ${totals.answers}, ${totals.cited}, ${totals.mentioned}, ${totals.ownCitations}, ${totals.competitorCitations},
          ${totals.costUsd}, ${JSON.stringify(totals.engines)}::jsonb, ${JSON.stringify(totals.views)}::jsonb,
          ${at}::timestamptz, ${at}::timestamptz + interval '40 seconds')
        returning id
      )
      insert into visibility_answers (account_id, project_id, scan_id, prompt_id, engine, sample, state, reason, text, citations, model,
        surface, location, cost_usd, asked_at)
      select ${project.account_id}, ${id}, scan.id, a."promptId", a.engine, 1, a.state, a.reason, a.text, a.citations, a.model, a.surface,
        a.location, a."costUsd", ${at}::timestamptz + interval '20 seconds'
      from scan, jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) as a("promptId" int, engine text, state text, reason text,
        text text, citations jsonb, model text, surface text, location text, "costUsd" float8)`)
  }
}

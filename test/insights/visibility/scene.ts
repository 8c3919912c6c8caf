import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { type StackAccess, tirelessAccount } from '../../publishing/scene.ts'
import { type Api, newProject, rowsIn } from '../../support/client.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { recount } from './recount.ts'

export const PROMPTS = [
  'Which garden sheds last longest?',
  'Who builds log cabins to order?',
  'Where do I buy a good bike shed?',
]

/** Without competitors and a description, no other prompts are made. */
export const ALONE = { competitors: [] }

export type Tracked = { api: Api; id: number; site: string; rivals: string[] }

/** Returns a project with its own competitors and prompts, in an account that never reaches a rate limit. */
export const trackedProject = async (
  access: StackAccess,
  prompts: readonly string[],
  settings: Record<string, unknown> = {},
): Promise<Tracked> => {
  const api = await tirelessAccount(access)
  const word = Math.random().toString(36).slice(2, 10)
  const site = `${word}-sheds.example`
  const rivals = [`rival-one-${word}.example`, `rival-two-${word}.example`]
  const id = await newProject(api, {
    website_url: `https://${site}`,
    business_name: `${word} Sheds`,
    competitors: rivals,
    ...settings,
  })
  for (const prompt of prompts) await api.post('/ai-visibility/prompts', { project_id: id, prompt })
  return { api, id, site, rivals }
}

/** Gives the project's account the plan with the most scans a day, of which each sample is one. */
export const withManyScans = async (access: StackAccess, tracked: Tracked): Promise<Tracked> => {
  await rowsIn(access, sql`update accounts set plan = 'accelerator' where id = ${tracked.api.accountId}::int`)
  return tracked
}

/** Returns one of the views of a project, as the wire has it. */
export const viewOf = async <T>({ api, id }: Tracked, view = 'summary', more = ''): Promise<T> => {
  const { status, body, text } = await api.get(`/ai-visibility?project_id=${id}&view=${view}${more}`)
  if (status !== 200) throw new Error(`GET /ai-visibility: ${status} ${text}`)
  return body as T
}

export type EngineRow = {
  engine: string
  cited: boolean
  state: string
  reason?: string
  answers: number
  gaps: number
  citations: number
  visibility_score: number | null
  interval: { low: number; high: number } | null
  change: string | null
  model: string | null
}

export type Summary = {
  has_data: boolean
  scanning: boolean
  visibility_score: number
  answers: number
  interval: { low: number; high: number } | null
  change: string | null
  reason?: string
  share_change: string | null
  share_of_voice: number
  share_citations: number
  share_interval: { low: number; high: number } | null
  engines: EngineRow[]
  prompts_tracked: number
  last_scan: string | null
  last_scan_id: number | null
  last_scan_cost_usd: number | null
  last_scan_error: string | null
  scan_location: string
  manual_scans_used: number
  manual_scans_limit: number
  can_scan: boolean
  sandbox?: boolean
}

/** Waits until no scan of the project runs; the summary then. */
export const scanned = async (tracked: Tracked): Promise<Summary> => {
  await expect.poll(async () => (await viewOf<Summary>(tracked)).scanning, { timeout: PATIENCE_MS }).toBe(false)
  return await viewOf<Summary>(tracked)
}

/** Asks for a scan of a project. */
export const start = ({ api, id }: Tracked, more: Record<string, unknown> = {}) =>
  api.post('/ai-visibility/scan', { project_id: id, ...more })

/** Forgets how often the project was scanned by hand today. */
export const anotherDay = (access: StackAccess, { id }: Tracked) =>
  rowsIn(
    access,
    sql`update visibility_scans set started_at = started_at - interval '1 day' where project_id = ${id}::int`,
  )

/** Starts a scan and waits for its end. */
export const scan = async (tracked: Tracked, body: Record<string, unknown> = {}): Promise<Summary> => {
  const { status, text } = await tracked.api.post('/ai-visibility/scan', { project_id: tracked.id, ...body })
  if (status !== 202) throw new Error(`POST /ai-visibility/scan: ${status} ${text}`)
  return await scanned(tracked)
}

export type StoredAnswer = {
  prompt: string
  engine: string
  sample: number
  state: string
  reason: string | null
  text: string | null
  citations: { url: string; domain: string; site: string }[]
  model: string | null
  surface: string | null
  location: string | null
  cost_usd: number
}

/** Returns the raw answers of a scan as the database has them. */
export const storedAnswers = (access: StackAccess, scanId: number | null): Promise<StoredAnswer[]> =>
  rowsIn<StoredAnswer>(
    access,
    sql`select p.prompt, a.engine, a.sample, a.state, a.reason, a.text, a.citations, a.model, a.surface, a.location, a.cost_usd
      from visibility_answers a join visibility_prompts p on p.id = a.prompt_id where a.scan_id = ${scanId}::int order by a.id`,
  )

const close = (a: { low: number; high: number } | null, b: { low: number; high: number } | null, digits: number) => {
  if (a === null || b === null) return expect(a).toBe(b)
  expect(a.low).toBeCloseTo(b.low, digits)
  expect(a.high).toBeCloseTo(b.high, digits)
}

/** Compares the service's numbers with an independent count of its raw answers. */
export const expectRecounted = async (access: StackAccess, summary: Summary, { site, rivals }: Tracked) => {
  const raw = await storedAnswers(access, summary.last_scan_id)
  const counted = recount(raw, site, rivals)
  expect(summary).toMatchObject({ visibility_score: counted.score, score: counted.score, answers: counted.answers })
  const citing = summary.engines.filter(({ cited }) => cited).length
  expect(summary).toMatchObject({ engines_citing: citing, engines_total: 5 })
  expect(summary.engines[3]).toMatchObject({ key: 'google_ai_overview', label: 'Google AI Overview' })
  expect(summary.share_citations).toBe(counted.shareCitations)
  // Four digits are shown: of 1/32, say, half of the fifth is left out.
  expect(summary.share_of_voice).toBeCloseTo(counted.shareOfVoice, 3.9)
  expect(summary.last_scan_cost_usd).toBeCloseTo(counted.cost, 6)
  close(summary.interval, counted.interval, 0.9)
  close(summary.share_interval, counted.shareInterval, 3.9)
  for (const row of summary.engines) {
    const own = counted.ofEngine(row.engine)
    expect(row).toMatchObject({ answers: own.answers, citations: own.citations })
    expect(row.visibility_score).toBe(own.answers === 0 ? null : own.score)
    close(row.interval, own.interval, 0.9)
  }
  return raw
}

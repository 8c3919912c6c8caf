import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { type StackAccess, tirelessAccount } from '../../publishing/scene.ts'
import { type Api, newProject, rowsIn } from '../../support/client.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

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

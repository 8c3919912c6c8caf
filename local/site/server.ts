import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { createFaults, type Faults } from '../faults.ts'
import { serveLoopback } from '../loopback.ts'
import { type Answer, json, readBody, refusal, send, settle } from '../receiver/answers.ts'
import { faultDelayMs, outcomeOf } from '../receiver/fault-outcome.ts'
import { siteAnswer } from './pages.ts'
import { SiteSpec } from './spec.ts'

/** One request the website had, and when by the wall clock (ms). */
type SiteRequest = { path: string; at_ms: number; user_agent: string }

export type RunningSite = {
  url: string
  /** Makes it another website and forgets its requests. */
  be: (spec: SiteSpec) => void
  requests: () => SiteRequest[]
  close: () => Promise<void>
}

const MAX_BODY_BYTES = 4 * 1024 * 1024

type State = { spec: SiteSpec; requests: SiteRequest[]; origin: string }

const become = (state: State, raw: string): Answer => {
  const parsed = SiteSpec.safeParse(JSON.parse(raw))
  if (!parsed.success) return refusal(400, z.prettifyError(parsed.error))
  state.spec = parsed.data
  state.requests = []
  return json(200, { pages: Object.keys(parsed.data.pages ?? {}).length })
}

const handle = async (state: State, faults: Faults, req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const arrivedMs = performance.now()
  const target = req.url ?? '/'
  const raw = (await readBody(req, MAX_BODY_BYTES)).toString('utf8')
  if (faults.control(req, res, raw)) return
  if (target === '/_requests') return send(res, json(200, { requests: state.requests }))
  if (target === '/_site') return send(res, req.method === 'POST' ? become(state, raw) : json(200, state.spec))
  state.requests.push({ path: target, at_ms: Date.now(), user_agent: req.headers['user-agent'] ?? '' })
  const path = URL.parse(target, state.origin)?.pathname ?? '/'
  const fault = faults.take(target, raw)
  const outcome = outcomeOf(fault, () => ({ kind: 'send', answer: siteAnswer(state.spec, path, state.origin) }))
  await settle(res, outcome, arrivedMs + faultDelayMs(fault))
}

/**
 * Starts a website on 127.0.0.1 that is whatever it is told to be: `POST /_site` says which pages, sitemaps and robots.txt it
 * has (see `SiteSpec`), `/_requests` lists what was asked of it, `/_faults` makes it misbehave.
 */
export const startSite = async (spec: SiteSpec = {}, port = 0): Promise<RunningSite> => {
  const state: State = { spec, requests: [], origin: '' }
  const faults = createFaults()
  const failure = (error: unknown) => refusal(error instanceof SyntaxError ? 400 : 500, String(error))
  const server = await serveLoopback((req, res) => handle(state, faults, req, res), failure, port)
  state.origin = server.url
  return {
    url: state.origin,
    be: (next) => {
      state.spec = next
      state.requests = []
    },
    requests: () => state.requests,
    close: server.close,
  }
}

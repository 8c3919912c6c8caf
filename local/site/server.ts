import { type StandIn, startStandIn } from '../stand-in.ts'
import { siteAnswer } from './pages.ts'
import type { SiteSpec } from './spec.ts'

/** Request to the website, and its time by the wall clock (ms). */
type SiteRequest = { path: string; at_ms: number; user_agent: string }

export type RunningSite = StandIn & { requests: () => SiteRequest[] }

/** Starts a website on 127.0.0.1 by its description (see `SiteSpec`); `/_faults` makes it misbehave. */
export const startSite = async (spec: SiteSpec = {}): Promise<RunningSite> => {
  const requests: SiteRequest[] = []
  let origin = ''
  const standIn = await startStandIn({
    answer: ({ path }) => siteAnswer(spec, path, origin),
    heard: ({ path, query, headers }) =>
      requests.push({
        path: query.size > 0 ? `${path}?${query}` : path,
        at_ms: Date.now(),
        user_agent: headers['user-agent'] ?? '',
      }),
  })
  origin = standIn.url
  return { ...standIn, requests: () => requests }
}

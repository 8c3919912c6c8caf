import { createRefusedSignIns } from '../../src/platform/accounts/refused-sign-ins.ts'
import { createKnownCallers } from '../../src/platform/http/deps.ts'
import { groupApp } from '../../src/platform/http/group.ts'
import { createLimiter } from '../../src/platform/http/ratelimit.ts'
import { depsFrom } from '../../src/platform/runtime/deps.ts'

/** Environment of a Worker whose database and Redis do not exist. */
export const AWAY_ENV = {
  DATABASE_URL: 'postgresql://nobody:nothing@db.localtest.neon/none',
  NEON_FETCH_ENDPOINT: 'http://127.0.0.1:9/sql',
  UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9',
  UPSTASH_REDIS_REST_TOKEN: 'none',
  PUBLIC_URL: 'http://127.0.0.1:9',
}

/** Context of a Worker's call besides the request and its environment, if nothing continues after the answer. */
export const IDLE_CONTEXT = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }

type Routes = Parameters<typeof groupApp>[1]
type Given = { env?: Record<string, string>; files?: Parameters<typeof groupApp>[0]['files'] }

/** Returns a group's Worker without database and Redis, and its limiter. Callers that neither admits get 503. */
export const awayWorker = (routes: Routes, { env = {}, files }: Given = {}) => {
  const deps = { ...depsFrom({ ...AWAY_ENV, ...env }, { name: 'projects' }), log: () => {} }
  const limiter = createLimiter(deps.settings, deps.now, deps.log)
  const [callers, refusedSignIns] = [createKnownCallers<number>(deps.now), createRefusedSignIns(deps.now)]
  const app = groupApp({ ...deps, limiter, callers, refusedSignIns, ...(files ? { files } : {}) }, routes)
  return { app, limiter }
}

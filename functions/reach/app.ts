import type { HttpDeps } from '../../src/http/deps.ts'
import { groupApp } from '../../src/http/group.ts'
import { routes } from '../../src/http/route.ts'
import { readEntitlement } from '../../src/outreach/entitlement.ts'
import { outreachOperations } from '../../src/outreach/operations.ts'
import { syncMirror } from '../../src/outreach/sync.ts'

const outreach = routes(outreachOperations, {
  entitlement: (ctx) => readEntitlement(ctx),
  sync: (ctx, { body }) => syncMirror(ctx, body),
})

export const reachApp = (deps: HttpDeps) => groupApp(deps, outreach)

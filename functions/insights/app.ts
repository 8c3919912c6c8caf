import type { HttpDeps } from '../../src/http/deps.ts'
import { groupApp } from '../../src/http/group.ts'

export const insightsApp = (deps: HttpDeps) => groupApp(deps)

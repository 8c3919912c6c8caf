import type { Services } from '../../src/mcp/api.ts'
import { GROUPS } from '../../src/operations.ts'
import { parseFront } from '../../src/runtime/env.ts'
import { createLog } from '../../src/runtime/log.ts'
import { mcpApp } from './app.ts'

type Service = { fetch: (request: Request) => Promise<Response> }
type Env = Record<string, unknown>

const servicesOf = (env: Env): Services =>
  new Map(
    Object.keys(GROUPS).flatMap((group) => {
      const service = env[group.toUpperCase()] as Service | undefined
      return service === undefined ? [] : [[group, service] as const]
    }),
  )

const build = (env: Env) =>
  mcpApp({
    ...parseFront(env),
    services: servicesOf(env),
    log: createLog({ worker: 'mcp' }),
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
  })

let app: ReturnType<typeof build> | undefined

export default {
  fetch: (request, env) => {
    app ??= build(env)
    return app(request)
  },
} satisfies ExportedHandler<Env>
